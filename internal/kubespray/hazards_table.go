package kubespray

import "fmt"

// rule is a hazard or a trade that no file of the checkout tells: that the kubelet
// listens on a port, or what a default gives up.
type rule struct {
	name  string
	role  string // path below roles/
	holds func(valuesOf) bool
	at    string   // the variable whose default is the source
	also  []string // further variables that holds looks at
	text  string
	way   string
}

// hazardRules are the hazards that cannot be derived.
func hazardRules() []rule {
	return []rule{{
		name: "metrics-server-host-port", role: "kubernetes-apps/metrics_server",
		holds: func(v valuesOf) bool {
			return v.is("metrics_server_host_network", true) && v.is("metrics_server_container_port", 10250)
		},
		at: "metrics_server_host_network", also: []string{"metrics_server_container_port"},
		text: "with metrics_server_host_network it listens on the node's port 10250, which the kubelet has: the pod cannot start",
		way:  "-e metrics_server_container_port=4443",
	}}
}

func tabledHazards(a Addon, sel Selection, values valuesOf) []Hazard {
	var hazards []Hazard
	for _, r := range hazardRules() {
		if r.role == a.Role && len(sel.tasksOf(a.Uses)) > 0 && r.holds(values) {
			hazards = append(hazards, Hazard{Name: r.name, Addon: a.Name, Text: r.text, Source: values.source(r.at), Way: r.way})
		}
	}
	return hazards
}

// valuesOf answers for the values of variables that one addon uses: effective ones, else
// the checkout's literal defaults.
type valuesOf struct {
	addon Addon
	asked func(string) (any, bool)
}

func (v valuesOf) get(name string) any {
	if v.asked != nil {
		if value, ok := v.asked(name); ok {
			return value
		}
	}
	if types := v.addon.types(); types != nil {
		return types.switchDefault(v.addon.Role, name)
	}
	return nil
}

// is compares by what is written: 10250 from JSON is a float, from YAML an integer.
func (v valuesOf) is(name string, want any) bool { return fmt.Sprint(v.get(name)) == fmt.Sprint(want) }

// render replaces a template that is nothing but a variable by its value.
func (v valuesOf) render(s string) string {
	if name := pureReference(s); name != "" {
		if value := v.get(name); value != nil {
			return fmt.Sprint(value)
		}
		return name
	}
	return s
}

// source is where a variable has its default: the role's own place first.
func (v valuesOf) source(name string) string {
	types := v.addon.types()
	if types == nil {
		return ""
	}
	for _, d := range types.Defaults(name) {
		return fmt.Sprintf("%s:%d", d.File, d.Line)
	}
	return ""
}

// types are the defaults of the addon's checkout; nil for an addon that was not read
// from one.
func (a Addon) types() *Types {
	if a.checkout == nil {
		return nil
	}
	types, err := a.checkout.Types()
	if err != nil {
		return nil
	}
	return types
}
