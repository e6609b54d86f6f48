package extravars

// Form is how an argument gives its variables.
type Form string

// The forms of an argument.
const (
	FormEmpty    Form = "empty"     // an unset "$EXTRA": Ansible skips it, so do we
	FormKeyValue Form = "key=value" // one or several
	FormJSON     Form = "json"
	FormYAML     Form = "yaml"
	FormFile     Form = "file"
)

// Arg is one argument as the user gave it, in order.
type Arg struct {
	Text string
	// ForceString is true for --extra-var-string: each value of the key=value text
	// stays text, whatever the variable's type.
	ForceString bool
}

// Vars is what the user's arguments say: one element for each, never merged.
type Vars struct {
	Elements []Element
	Findings []Finding
}

// Element is one argument: what raw Ansible would make of it, and what is sent.
type Element struct {
	Text string // as given; show Shown instead
	// Shown is the text with the mask in place of what looks secret.
	Shown string
	Form  Form
	// Path is the absolute path of a file.
	Path string
	// Opaque is true when the content was not looked at: a file that is encrypted as a
	// whole, a named pipe.
	Opaque bool
	// Raw is what a core makes of the text without us; nil where it refuses, or where
	// the element is opaque.
	Raw map[Core]Mapping
	// Sent is what Ansible gets from us; nil for an opaque or refused element.
	Sent Mapping
	// Notes say what was changed, or not changed, and why.
	Notes []Note

	ours []byte // what Write puts into a file; nil where the user's file is passed
	json bool   // ours is JSON
}

// Note is a remark on one variable of an element.
type Note struct {
	Key  string
	Text string
}

// Severity of a finding.
type Severity string

// The severities.
const (
	SeverityError   Severity = "error"
	SeverityWarning Severity = "warning"
	SeverityInfo    Severity = "info"
)

// Finding is a remark for the user, with a place.
type Finding struct {
	Severity Severity `json:"severity"`
	Code     string   `json:"code"`
	Key      string   `json:"key,omitempty"`
	Message  string   `json:"message"`
	File     string   `json:"file,omitempty"` // as the user wrote it
	Line     int      `json:"line,omitempty"` // from 1
	Arg      int      `json:"arg"`            // index in Elements
	Fix      string   `json:"fix,omitempty"`
	// Cores are the generations that get it wrong; none means that it does not depend.
	Cores []Core `json:"-"`
}

// Lookup returns the last value that is sent for a variable. ok is false where no
// element that could be read gives one.
func (v *Vars) Lookup(name string) (value any, ok bool) {
	if v == nil {
		return nil, false
	}
	for i := len(v.Elements) - 1; i >= 0; i-- {
		if value, ok := v.Elements[i].Sent.Get(name); ok {
			return value, true
		}
	}
	return nil, false
}

// All returns the variables of all elements as one mapping, where the last element has the
// last word. complete is false when an element could not be looked at.
func (v *Vars) All() (all Mapping, complete bool) {
	var b mappingBuilder
	if v != nil {
		for _, e := range v.Elements {
			for _, p := range e.Sent {
				b.set(p.Key, p.Value)
			}
		}
	}
	return b.mapping(), !v.Opaque()
}

// Opaque reports whether an element could not be looked at, so that Lookup may miss
// what it gives.
func (v *Vars) Opaque() bool {
	if v == nil {
		return false
	}
	for _, e := range v.Elements {
		if e.Opaque {
			return true
		}
	}
	return false
}

func (e *Element) note(key, text string) { e.Notes = append(e.Notes, Note{key, text}) }

// Condition says what each raw value does alone in a condition ("when: x") on a core: true,
// false or "error". What only Ansible can say (a template, a vault) is left out. The
// result is nil where the core refuses the element.
func (e Element) Condition(core Core) map[string]any {
	if e.Raw[core] == nil {
		return nil
	}
	return conditions(core, e.Raw[core])
}

// setRaw records what the cores make of the element, older for those up to 2.18; what is no
// mapping is refused.
func (e *Element) setRaw(newest, older any) {
	recent, _ := newest.(Mapping)
	past, _ := older.(Mapping)
	e.Raw = map[Core]Mapping{Core218: past, Core219: recent}
}
