package audit

import (
	"fmt"
	"slices"

	"github.com/surespray/surespray/extravars"
)

// extraVarTypes judges the findings on extra vars for this core and this run.
func extraVarTypes(a *auditor) {
	for _, f := range a.ExtraVars.Findings {
		out := Finding{Severity: f.Severity, Code: f.Code, Key: f.Key, Message: f.Message, File: f.File, Line: f.Line, Arg: &f.Arg, Fix: f.Fix}
		if f.Severity == extravars.SeverityError && len(f.Cores) > 0 {
			out.Severity = a.forCore(f)
		}
		a.add(out)
	}
}

// forCore is the severity of something that some cores get wrong.
func (a *auditor) forCore(f extravars.Finding) extravars.Severity {
	v, _ := a.ExtraVars.Elements[f.Arg].Sent.Get(f.Key)
	if text, ok := v.(string); ok && f.Code == "string-boolean" {
		severity, _ := a.consequence(f.Key, text)
		return severity
	}
	if _, asserted := a.assertions[f.Key]; !asserted && !slices.Contains(f.Cores, a.core) {
		return extravars.SeverityWarning
	}
	return f.Severity
}

// labels tells about booleans in labels and annotations, which are texts to Kubernetes.
func labels(a *auditor) {
	for _, s := range a.Inventory.Settings {
		if s.Key != "node_labels" && s.Key != "node_annotations" {
			continue
		}
		eachEntry(s.Value, func(key string, v any) {
			if _, boolean := v.(bool); boolean {
				a.add(Finding{
					Severity: extravars.SeverityWarning, Code: "boolean-where-text-expected", Key: s.Key, File: s.File, Line: s.Line,
					Message: fmt.Sprintf("%s.%s is a boolean, which is rendered as True or False; to Kubernetes it is a text", s.Key, key), Fix: "put it in quotes",
				})
			}
		})
	}
}

// templatedTypes looks at what Ansible made of templates: a text where a boolean is
// meant is as wrong as one that is written.
func templatedTypes(a *auditor) {
	for name, value := range a.Values {
		text, isText := value.(string)
		if !isText || a.Types.TypeOf(name) != extravars.Bool {
			continue
		}
		s, ok := a.setting(name)
		if _, given := a.argument(name); given || !ok {
			continue
		}
		if written, _ := s.Value.(string); !isTemplate(written) {
			continue // judged as it is written
		}
		severity, what := a.consequence(name, text)
		a.add(Finding{
			Severity: severity, Code: "string-boolean", Key: name, File: s.File, Line: s.Line,
			Message: name + " becomes a text here, and is a boolean in the checkout: " + what,
			Fix:     "end the template with | bool",
		})
	}
}
