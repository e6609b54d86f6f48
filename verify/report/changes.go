package report

// Change is what a run did to one object of an addon: Ansible's own recap does not tell.
type Change struct {
	Addon     string   `json:"addon"`
	Kind      string   `json:"kind"`
	Namespace string   `json:"namespace,omitempty"`
	Name      string   `json:"name"`
	Change    string   `json:"change"`           // created, re-created, changed, unchanged, gone, unknown
	Fields    []string `json:"fields,omitempty"` // that differ
}

// Leftover is an object of an addon that is switched off: Kubespray removes nothing.
type Leftover struct {
	Addon     string `json:"addon"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	Switch    string `json:"switch"` // such as "metrics_server_enabled is false, as by default"
}

// object names it for people.
func (c Change) object() string { return objectName(c.Kind, c.Namespace, c.Name) }

func objectName(kind, namespace, name string) string {
	if namespace != "" {
		name = namespace + "/" + name
	}
	return kind + " " + name
}
