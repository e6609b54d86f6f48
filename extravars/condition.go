package extravars

import (
	"math/big"
	"strings"
)

// isTemplate reports whether Ansible renders a text.
func isTemplate(s string) bool {
	return strings.Contains(s, "{{") || strings.Contains(s, "{%") || strings.Contains(s, "{#")
}

// conditions says for each variable what its value does alone in a condition.
func conditions(core Core, m Mapping) map[string]any {
	out := make(map[string]any, len(m))
	for _, p := range m {
		if name, ok := p.Key.(string); ok {
			if c := condition(core, p.Value); c != nil {
				out[name] = c
			}
		}
	}
	return out
}

// condition returns true, false, "error", or nil where only Ansible can say. From 2.19
// on a condition must be a boolean; before, what is not empty holds, so the text "false"
// does.
func condition(core Core, v any) any {
	switch v := v.(type) {
	case bool:
		return v
	case Vault:
		return nil
	case string:
		if isTemplate(v) {
			return nil
		}
	}
	if core == Core219 {
		return "error"
	}
	return truth(v)
}

// truth is Python's.
func truth(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case int64:
		return v != 0
	case *big.Int:
		return v.Sign() != 0
	case float64:
		return v != 0
	case string:
		return v != ""
	case Unsafe:
		return v != ""
	case Binary:
		return v != ""
	case []any:
		return len(v) > 0
	case Set:
		return len(v) > 0
	case Mapping:
		return len(v) > 0
	}
	return true
}
