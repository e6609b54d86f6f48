package kubespray

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// walker follows a playbook through imports, roles, dependencies and includes.
type walker struct {
	co    *Checkout
	plays int
	uses  []*Use
	tasks []Task
	gates []string // tags of includes
	// opaque lists places that files cannot tell: what they include is not known.
	opaque []string
	err    error
}

// playbook walks one file.
func (w *walker) playbook(path string, in scope) {
	in, ok := in.enter(path)
	if !ok || w.err != nil {
		return
	}
	doc := w.co.docs.get(path)
	if doc.err != nil {
		w.err = fmt.Errorf("read the playbook: %w", doc.err)
		return
	}
	for _, play := range items(doc.root) {
		if target := field(play, "import_playbook", "ansible.builtin.import_playbook"); target != nil {
			w.importPlaybook(path, target, in.with(words(field(play, "tags")), conditions(field(play, "when"))))
			continue
		}
		w.play(path, play, in)
	}
}

// importPlaybook resolves the target beside the importing file; the name of the
// collection means the checkout's own playbooks.
func (w *walker) importPlaybook(from string, target *node, in scope) {
	name := text(target)
	path := below(filepath.Dir(from), name)
	if short, ok := strings.CutPrefix(name, collection); ok {
		path = filepath.Join(w.co.Dir, "playbooks", strings.ReplaceAll(short, ".", "/")+".yml")
	}
	if isTemplate(name) || !isFile(path) {
		w.dark(from, target, name)
		return
	}
	w.playbook(path, in)
}

const collection = "kubernetes_sigs.kubespray."

// dark notes a place where the walk cannot go on.
func (w *walker) dark(file string, at *node, what string) {
	w.opaque = append(w.opaque, fmt.Sprintf("%s:%d: %s", w.co.rel(file), at.Line, what))
}

func (w *walker) play(path string, play *node, in scope) {
	w.plays++
	in.play = Play{Index: w.plays, Name: text(field(play, "name")), File: w.co.rel(path), Hosts: strings.Join(words(field(play, "hosts")), ",")}
	if in.play.Name == "" {
		in.play.Name = in.play.Hosts
	}
	in = in.with(words(field(play, "tags")), nil)
	in.chain, in.when = in.when, nil
	w.taskList(path, field(play, "pre_tasks"), in)
	for _, entry := range items(field(play, "roles")) {
		w.roleEntry(path, entry, "role", in)
	}
	w.taskList(path, field(play, "tasks"), in)
	w.taskList(path, field(play, "post_tasks"), in)
}

// roleEntry walks an element of a play's roles or of a role's dependencies.
func (w *walker) roleEntry(file string, entry *node, via string, in scope) {
	name := text(entry)
	if name == "" {
		name = text(field(entry, "role", "name"))
	}
	dirs, _ := w.co.roleDirs(name, in.useDir())
	if len(dirs) == 0 {
		w.dark(file, entry, "role "+name)
		return
	}
	tags := words(field(entry, "tags"))
	for _, dir := range dirs {
		u := &Use{Via: via, Own: tags, Parameters: parameters(entry)}
		w.role(dir, u, "main", in.with(tags, conditions(field(entry, "when"))))
	}
}

func (s scope) useDir() string {
	if s.use == nil {
		return ""
	}
	return s.use.dir
}

// parameters lists the keys of a role entry that are no keywords of Ansible.
func parameters(entry *node) []string {
	var out []string
	pairs(entry, func(k, _ *node) {
		switch k.Value {
		case "role", "name", "tags", "when", "become", "become_user", "become_method", "become_flags", "become_exe", "environment",
			"delegate_to", "delegate_facts", "run_once", "any_errors_fatal", "ignore_errors", "check_mode", "diff", "no_log", "vars",
			"connection", "port", "remote_user", "collections", "module_defaults", "throttle", "timeout", "debugger", "ignore_unreachable":
		default:
			out = append(out, k.Value)
		}
	})
	return out
}

// role walks a role: its dependencies first, then its tasks, as Ansible runs them.
func (w *walker) role(dir string, u *Use, tasksFrom string, in scope) {
	in, ok := in.enter(dir + "#" + tasksFrom)
	if !ok {
		return
	}
	u.Role, u.dir, u.Play = w.co.roleName(dir), dir, in.play
	u.When = append(slices.Clip(in.chain), in.when...)
	u.Tags = open(in.tags, in.gates)
	u.scope, u.parent, u.whole = in, in.use, tasksFrom == "main"
	in.use, in.chain, in.when = u, u.When, nil
	w.uses = append(w.uses, u)
	w.dependencies(dir, u, in)
	if doc := w.co.docs.firstYAML(filepath.Join(dir, "tasks", tasksFrom)); doc.root != nil {
		w.taskList(doc.path, doc.root, in)
	}
	u.finish()
}

func (w *walker) dependencies(dir string, u *Use, in scope) {
	meta := w.co.docs.firstYAML(filepath.Join(dir, "meta", "main"))
	if doc := w.co.docs.firstYAML(filepath.Join(dir, "meta", "argument_specs")); doc.root != nil || field(meta.root, "argument_specs") != nil {
		w.addTask(Task{Name: "Validating arguments against arg spec", Action: argumentSpec, File: w.co.rel(doc.path), Line: 1},
			in.with([]string{"always"}, nil))
	}
	for _, entry := range items(field(meta.root, "dependencies")) {
		before := len(w.uses)
		w.roleEntry(meta.path, entry, "dependency", in)
		if len(w.uses) > before && len(w.uses[before].Parameters) > 0 {
			u.Helper = true
		}
	}
}
