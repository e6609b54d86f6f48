package kubespray

import (
	"math"
	"math/big"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/surespray/surespray/extravars"
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
	return extravars.TypeOf(extravars.PlainScalar(n.Value))
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
	if t := typeOf(n); t == extravars.String || t == extravars.Unknown {
		return n.Value
	}
	switch v := extravars.PlainScalar(n.Value).(type) {
	case float64:
		if math.IsInf(v, 0) || math.IsNaN(v) {
			return n.Value
		}
		return v
	case *big.Int:
		return n.Value
	default:
		return v
	}
}
