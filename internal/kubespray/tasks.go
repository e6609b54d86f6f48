package kubespray

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

func (w *walker) taskList(file string, list *node, in scope) {
	for _, task := range items(list) {
		w.task(file, resolveAlias(task), in)
	}
}

// task looks at one element of a task list: a block, something that brings in
// more tasks, or a task that does something.
func (w *walker) task(file string, task *node, in scope) {
	tags, when := words(field(task, "tags")), conditions(field(task, "when"))
	if field(task, "block") != nil {
		in = in.with(tags, when)
		for _, part := range []string{"block", "rescue", "always"} {
			inner := in
			inner.after = in.after || part == "rescue"
			w.taskList(file, field(task, part), inner)
		}
		return
	}
	action, args := actionOf(task)
	switch action {
	case "import_tasks":
		w.bring(file, args, in.with(tags, when))
		return
	case "import_role":
		w.bringRole(file, task, args, "import_role", in.with(tags, when), tags)
		return
	case "include_tasks", "include_role":
		w.include(file, task, action, args, in)
	}
	w.addTask(Task{
		Name: text(field(task, "name")), Action: action, File: w.co.rel(file), Line: task.Line,
		Deletes: deletion(action, args), Released: mentions(args, "local_release_dir", "downloads."),
	}, in.with(tags, when))
}

// include follows a dynamic include. Tasks of a loop over literal items may name
// the item in the tags that it applies; those are kept as the names they become.
func (w *walker) include(file string, task *node, action string, args *node, in scope) {
	tags, when := words(field(task, "tags")), conditions(field(task, "when"))
	apply := field(args, "apply")
	w.gates = union(w.gates, tags)
	applied := words(field(apply, "tags"))
	behind := in.behind(tags, applied, append(when, conditions(field(apply, "when"))...))
	if action == "include_tasks" {
		w.bring(file, args, behind)
		return
	}
	w.bringRole(file, task, args, action, behind, applied)
}

// bring walks the file of an import_tasks or include_tasks.
func (w *walker) bring(file string, args *node, in scope) {
	name := text(args)
	if name == "" {
		name = text(field(args, "file", "_raw_params"))
	}
	name, _, _ = strings.Cut(name, " ")
	if isTemplate(text(args)) {
		name = text(args)
	}
	found := w.co.taskFiles(name, file, in.useDir())
	if len(found) == 0 {
		w.dark(file, args, name)
		return
	}
	for _, path := range found {
		inner, ok := in.enter(path)
		if !ok {
			continue
		}
		if doc := w.co.docs.get(path); doc.err == nil {
			w.taskList(path, doc.root, inner)
		}
	}
}

// bringRole walks the roles of an import_role or include_role; a templated name
// stands for every role that it can become, and for that role's name in the tags.
func (w *walker) bringRole(file string, task, args *node, via string, in scope, own []string) {
	name := text(field(args, "name", "role"))
	dirs, values := w.co.roleDirs(name, in.useDir())
	if len(dirs) == 0 {
		w.dark(file, args, "role "+name)
		return
	}
	if pattern(name) == "*" {
		w.dark(file, args, "role "+name)
	}
	from := text(field(args, "tasks_from"))
	if from = strings.TrimSuffix(strings.TrimSuffix(from, ".yml"), ".yaml"); from == "" {
		from = "main"
	}
	for i, dir := range dirs {
		inner := in
		inner.tags = substitute(in.tags, name, values[i])
		inner = inner.with(nil, becomes(task, name, values[i]))
		u := &Use{Via: via, Own: substitute(own, name, values[i])}
		pairs(field(task, "vars"), func(k, _ *node) { u.Parameters = append(u.Parameters, k.Value) })
		w.role(dir, u, from, inner)
	}
}

// becomes is the condition under which the template in a name has this value: of all
// roles network_plugin/{{ kube_network_plugin }} only one runs. A loop's item is not known.
func becomes(task *node, name, value string) []string {
	template := templateIn(name)
	looped := false
	pairs(task, func(k, _ *node) {
		looped = looped || k.Value == "loop" || strings.HasPrefix(k.Value, "with_")
	})
	if template == "" || looped {
		return nil
	}
	expression := strings.TrimSpace(strings.TrimSuffix(strings.TrimPrefix(template, "{{"), "}}"))
	return []string{fmt.Sprintf("(%s) == '%s'", expression, value)}
}

// substitute puts the value of a templated name into tags that hold the same
// template, and drops tags that stay unknown.
func substitute(tags []string, name, value string) []string {
	template := templateIn(name)
	var out []string
	for _, tag := range tags {
		if template != "" && tag == template {
			tag = value
		}
		if !isTemplate(tag) {
			out = append(out, tag)
		}
	}
	return union(out, nil)
}

// actionOf finds the module of a task, by its short name, and its arguments.
func actionOf(task *node) (string, *node) {
	var action string
	var args *node
	pairs(task, func(k, v *node) {
		name := strings.TrimPrefix(strings.TrimPrefix(k.Value, "ansible.builtin."), "ansible.legacy.")
		if action == "" && !taskKeyword(name) {
			action, args = name, v
		}
	})
	return action, args
}

func taskKeyword(s string) bool {
	if strings.HasPrefix(s, "with_") {
		return true
	}
	return slices.Contains([]string{
		"name", "tags", "when", "vars", "loop", "loop_control", "register", "notify", "listen", "until", "retries",
		"delay", "changed_when", "failed_when", "ignore_errors", "ignore_unreachable", "become", "become_user", "become_method", "become_flags",
		"become_exe", "environment", "delegate_to", "delegate_facts", "run_once", "any_errors_fatal", "check_mode", "diff", "no_log", "async",
		"poll", "args", "connection", "port", "remote_user", "throttle", "timeout", "module_defaults", "collections", "debugger",
	}, s)
}

// addTask files a task under its role, or under the play.
func (w *walker) addTask(t Task, in scope) {
	t.Play, t.Tags, t.Gates, t.When, t.Rescue = in.play, substitute(in.tags, "", ""), in.gates, in.when, in.after
	if in.use != nil {
		t.Role, t.use = in.use.Role, in.use
		in.use.task = append(in.use.task, t)
	}
	w.tasks = append(w.tasks, t)
}

// roleName is a role's path below roles/.
func (c *Checkout) roleName(dir string) string {
	if rel, err := filepath.Rel(c.RolesPath(), dir); err == nil && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return c.rel(dir)
}
