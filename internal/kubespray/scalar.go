package kubespray

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/surespray/surespray/extravars"
)

// Ansible reads YAML 1.1, in which yes, on and 0755 are not text. These are the
// patterns of its reader.
var (
	yamlBool  = regexp.MustCompile(`^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$`)
	yamlNull  = regexp.MustCompile(`^(?:~|null|Null|NULL|)$`)
	yamlInt   = regexp.MustCompile(`^(?:[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$`)
	yamlFloat = regexp.MustCompile(`^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|[-+]?\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)
)

// typeOf says what Ansible makes of a node. Text with a template in it is Unknown
// here.
func typeOf(n *node) extravars.Type {
	n = resolveAlias(n)
	switch {
	case n == nil:
		return extravars.Unknown
	case n.Kind == yaml.MappingNode:
		return extravars.Dict
	case n.Kind == yaml.SequenceNode:
		return extravars.List
	case n.Kind != yaml.ScalarNode || customTag(n):
		return extravars.Unknown
	case n.Tag == "!!str" && n.Style&yaml.TaggedStyle != 0:
		return extravars.String
	case isTemplate(n.Value):
		return extravars.Unknown
	case n.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle|yaml.LiteralStyle|yaml.FoldedStyle) != 0:
		return extravars.String
	}
	return plainType(n.Value)
}

func plainType(s string) extravars.Type {
	switch {
	case yamlNull.MatchString(s):
		return extravars.Null
	case yamlBool.MatchString(s):
		return extravars.Bool
	case yamlInt.MatchString(s):
		return extravars.Int
	case yamlFloat.MatchString(s):
		return extravars.Float
	}
	return extravars.String
}

// customTag is true for !vault, !unsafe and the like.
func customTag(n *node) bool {
	return n.Style&yaml.TaggedStyle != 0 && strings.HasPrefix(n.Tag, "!") && !strings.HasPrefix(n.Tag, "!!")
}

func isTemplate(s string) bool {
	return strings.Contains(s, "{{") || strings.Contains(s, "{%")
}

// valueOf returns a literal as a Go value: bool, int64, float64, string, nil, and
// lists and dicts of them. A template stays its text.
func valueOf(n *node) any { return valueWithin(n, 50) }

// valueWithin gives up below a depth, because an anchor may contain itself.
func valueWithin(n *node, depth int) any {
	n = resolveAlias(n)
	if n == nil || depth == 0 {
		return nil
	}
	switch n.Kind {
	case yaml.SequenceNode:
		out := make([]any, 0, len(n.Content))
		for _, item := range n.Content {
			out = append(out, valueWithin(item, depth-1))
		}
		return out
	case yaml.MappingNode:
		out := make(map[string]any, len(n.Content)/2)
		pairs(n, func(k, v *node) { out[k.Value] = valueWithin(v, depth-1) })
		return out
	}
	switch typeOf(n) {
	case extravars.Null:
		return nil
	case extravars.Bool:
		return strings.ContainsAny(n.Value[:1], "yYtT") || strings.EqualFold(n.Value, "on")
	case extravars.Int:
		if i, ok := yamlInteger(n.Value); ok {
			return i
		}
	case extravars.Float:
		if f, err := strconv.ParseFloat(strings.ReplaceAll(n.Value, "_", ""), 64); err == nil && !math.IsInf(f, 0) && !math.IsNaN(f) {
			return f
		}
	}
	return n.Value
}

// yamlInteger reads 0755 as octal and 22:22 in base sixty, as YAML 1.1 does.
func yamlInteger(s string) (int64, bool) {
	s = strings.ReplaceAll(s, "_", "")
	if !strings.Contains(s, ":") {
		i, err := strconv.ParseInt(strings.TrimPrefix(s, "+"), 0, 64)
		return i, err == nil
	}
	negative := strings.HasPrefix(s, "-")
	var total int64
	for part := range strings.SplitSeq(strings.TrimLeft(s, "+-"), ":") {
		i, err := strconv.ParseInt(part, 10, 64)
		if err != nil || total > math.MaxInt64/60-i {
			return 0, false
		}
		total = total*60 + i
	}
	if negative {
		total = -total
	}
	return total, true
}
