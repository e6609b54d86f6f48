package runner

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
	"time"
)

// Values are effective values as Ansible itself sees them on the first control-plane
// host: templated, decrypted and by precedence.
type Values struct {
	Vars   map[string]any  // variables that have a value
	Holds  map[string]bool // of each condition asked about, where it could be evaluated
	Made   map[string]any  // of each template asked about, where it could be evaluated
	Hosts  []InventoryHost
	Groups map[string]int // number of hosts by group, "all" included
	Limit  *int           // number of hosts that --limit leaves; nil without one
	// ControlPlane is what --limit leaves of the control plane; nil without one.
	ControlPlane *ControlPlane
}

// ControlPlane says which of the control-plane hosts a limit leaves.
type ControlPlane struct {
	Group string   `json:"group"` // the group's name in this inventory
	First string   `json:"first"` // the first host, where Kubespray installs addons
	Left  []string `json:"left"`
}

// HasFirst reports whether the limit leaves the first control-plane host.
func (c ControlPlane) HasFirst() bool { return slices.Contains(c.Left, c.First) }

// InventoryHost is a node of the cluster as the inventory names it.
type InventoryHost struct {
	Name                 string `json:"name"`
	KubeOverrideHostname string `json:"kube_override_hostname"`
	IP                   string `json:"ip"`
	AccessIP             string `json:"access_ip"`
	AnsibleHost          string `json:"ansible_host"`
}

// Question is what to ask Ansible for.
type Question struct {
	Vars       []string          // names of variables
	Conditions map[string]string // name -> expression, as after "when:"
	Templates  []string          // templates, as a default has them
	Defaults   []string          // roles of the checkout whose defaults count too
}

// valuesTask is the name of the task whose results are values.
const valuesTask = "surespray: effective values"

//go:embed values.yml.tmpl
var valuesPlay string

// valuesTimeout bounds the evaluation: it reads files, and asks dynamic inventories.
const valuesTimeout = 2 * time.Minute

// Values asks Ansible for effective values, with the plan's inventory, extra vars and
// configuration. It connects to no host.
func (r *Runner) Values(ctx context.Context, p Plan, ask Question) (Values, error) {
	dir, extraVars, err := r.writeExtraVars("values", p)
	if err != nil {
		return Values{}, fmt.Errorf("asking Ansible for values: %w", err)
	}
	play, err := writePlay(dir, p, ask)
	if err != nil {
		return Values{}, fmt.Errorf("asking Ansible for values: %w", err)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, valuesTimeout, fmt.Errorf("no answer within %s", valuesTimeout))
	defer cancel()
	var messages tail
	events := filepath.Join(dir, "events.jsonl")
	c := &child{
		cmd: command{binary: p.Ansible.Path, flags: p.Flags.argv(func(f Flag) bool { return f.Lookup }), extraVars: extraVars, playbooks: []string{play}},
		dir: p.Dir, env: r.environ(p, events), streams: Streams{Out: &messages, Err: &messages, Terminal: HasTerminal()}, grace: 2 * time.Second,
	}
	for k, v := range map[string]string{
		"SURESPRAY_PROBE": "1", "SURESPRAY_VALUES_TASK": valuesTask, "ANSIBLE_CACHE_PLUGIN": "memory",
		"ANSIBLE_CALLBACKS_ENABLED": "surespray_events", "ANSIBLE_STDOUT_CALLBACK": "default", "ANSIBLE_NOCOLOR": "1", "ANSIBLE_LOG_PATH": os.DevNull,
	} {
		c.AddEnvVar(k, v)
	}
	if err := c.Execute(ctx); err != nil {
		return Values{}, fmt.Errorf("asking Ansible for values: %w", err)
	}
	v, err := readValues(events, ask)
	if err == nil && v.Groups == nil {
		err = fmt.Errorf("ansible-playbook returned %d: %s", c.exitCode, messages.reason())
	}
	if err != nil {
		return Values{}, fmt.Errorf("asking Ansible for values: %w", err)
	}
	return v, nil
}

// Expressions that every question asks. The hosts' one is a variable of the play.
const (
	groupsExpression = "dict(groups.keys() | zip(groups.values() | map('length'))) | to_json"
	limitExpression  = "query('ansible.builtin.inventory_hostnames', surespray_pattern) | length | to_json"
	hostsExpression  = "surespray_hosts"

	controlPlaneExpression = "dict(group=surespray_group, first=(groups[surespray_group] | default([]))[:1] | join, left=groups[surespray_group] | default([]) " +
		"| intersect(query('ansible.builtin.inventory_hostnames', surespray_pattern))) | to_json"
)

func valueExpression(name string) string { return "(" + name + ") | to_json" }

// isGlobal is true for a name that Jinja or Ansible itself gives a meaning when no
// variable has it. Its value is no JSON, and cores up to 2.18 end the whole task over it.
func isGlobal(name string) bool {
	return slices.Contains([]string{
		"cycler", "dict", "finalize", "joiner", "lipsum", "lookup", "namespace", "now", "q", "query", "range", "undef",
	}, name)
}

func conditionExpression(c string) string { return "(true if (" + c + ") else false) | to_json" }

// templateName is the variable of the play that holds a template.
func templateName(i int) string { return fmt.Sprintf("surespray_template_%d", i) }

func writePlay(dir string, p Plan, ask Question) (string, error) {
	roles := filepath.Join(p.Checkout, "roles")
	_, err := os.Stat(filepath.Join(roles, "dynamic_groups"))
	global, host := []string{groupsExpression}, []string{hostsExpression}
	limit := p.Flags.Last("limit")
	if strings.HasPrefix(limit, "@") {
		limit = "" // a file of hosts is Ansible's to read
	}
	if limit != "" {
		global = append(global, limitExpression, controlPlaneExpression)
	}
	for _, name := range slices.DeleteFunc(slices.Clone(ask.Vars), isGlobal) {
		host = append(host, valueExpression(name))
	}
	for _, name := range slices.Sorted(maps.Keys(ask.Conditions)) {
		host = append(host, conditionExpression(ask.Conditions[name]))
	}
	templates := map[string]string{}
	for i, template := range ask.Templates {
		templates[templateName(i)] = template
		host = append(host, valueExpression(templateName(i)))
	}
	defaults, linkErr := linkDefaults(dir, roles, ask.Defaults)
	if linkErr != nil {
		return "", linkErr
	}
	data := map[string]any{
		"Task": valuesTask, "Roles": roles, "DynamicGroups": err == nil, "Limit": limit, "Global": global, "Host": host, "Templates": templates, "Defaults": defaults,
	}
	funcs := template.FuncMap{"json": func(v any) (string, error) { b, err := json.Marshal(v); return string(b), err }}
	var play strings.Builder
	if err := template.Must(template.New("").Funcs(funcs).Parse(valuesPlay)).Execute(&play, data); err != nil {
		return "", err
	}
	path := filepath.Join(dir, "values.yml")
	return path, os.WriteFile(path, []byte(play.String()), 0o600)
}

// linkDefaults makes roles that have nothing but the defaults of the checkout's: a switch
// may have its default there, and the checkout's roles themselves would act.
func linkDefaults(dir, roles string, names []string) ([]string, error) {
	var links []string
	for i, name := range names {
		defaults := filepath.Join(roles, filepath.FromSlash(name), "defaults")
		if _, err := os.Stat(defaults); err != nil {
			continue
		}
		role := filepath.Join(dir, fmt.Sprintf("defaults-%d", i))
		if err := os.Mkdir(role, 0o700); err != nil {
			return nil, err
		}
		if err := os.Symlink(defaults, filepath.Join(role, "defaults")); err != nil {
			return nil, err
		}
		links = append(links, role)
	}
	return links, nil
}

// readValues takes the answers from the events. An answer that is no JSON says that
// the expression could not be evaluated: there is no value then.
func readValues(events string, ask Question) (Values, error) {
	v := Values{Vars: map[string]any{}, Holds: map[string]bool{}, Made: map[string]any{}}
	answers := map[string]json.RawMessage{}
	err := readEvents(events, func(e event) {
		if e.Event == "value" {
			answers[e.Name] = unquote(e.Value)
		}
	})
	if err != nil {
		return v, err
	}
	_ = json.Unmarshal(answers[groupsExpression], &v.Groups)
	_ = json.Unmarshal(answers[hostsExpression], &v.Hosts)
	_ = json.Unmarshal(answers[limitExpression], &v.Limit)
	_ = json.Unmarshal(answers[controlPlaneExpression], &v.ControlPlane)
	for _, name := range ask.Vars {
		var value any
		if json.Unmarshal(answers[valueExpression(name)], &value) == nil {
			v.Vars[name] = value
		}
	}
	for i, template := range ask.Templates {
		var value any
		if json.Unmarshal(answers[valueExpression(templateName(i))], &value) == nil {
			v.Made[template] = value
		}
	}
	for name, condition := range ask.Conditions {
		var holds bool
		if json.Unmarshal(answers[conditionExpression(condition)], &holds) == nil {
			v.Holds[name] = holds
		}
	}
	return v, nil
}

// unquote returns the JSON that stands in a JSON text, or raw itself. Cores up to 2.18
// turn text that looks like a list or a dictionary into one; later ones leave it text.
func unquote(raw json.RawMessage) json.RawMessage {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return json.RawMessage(text)
	}
	return raw
}

// tail keeps the first and the last of what a process prints.
type tail struct{ head, end []byte }

const tailLimit = 16 << 10

func (t *tail) Write(p []byte) (int, error) {
	n := len(p)
	if room := tailLimit - len(t.head); room > 0 {
		k := min(room, len(p))
		t.head, p = append(t.head, p[:k]...), p[k:]
	}
	t.end = append(t.end, p...)
	if over := len(t.end) - tailLimit; over > 0 {
		t.end = t.end[over:]
	}
	return n, nil
}

// reason is the first line that says ERROR, else the first line.
func (t *tail) reason() string {
	all := string(t.head) + string(t.end)
	for line := range strings.Lines(all) {
		if strings.Contains(line, "ERROR") || strings.Contains(line, "fatal:") {
			return firstLine(line)
		}
	}
	return firstLine(all)
}
