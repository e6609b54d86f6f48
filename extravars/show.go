package extravars

import (
	"encoding/json"
	"fmt"
	"math"
)

// MarshalJSON shows a mapping to people and machines, in order. What JSON has no form of
// becomes text: a date, a key that is a number, "NaN", "<vault>". It is not what is sent,
// see [Element.Content].
func (m Mapping) MarshalJSON() ([]byte, error) {
	if m == nil {
		return []byte("null"), nil
	}
	return encoder{json: true}.value(nil, shown(m)), nil
}

// shown replaces what has no JSON form.
func shown(v any) any {
	switch v := v.(type) {
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return fmt.Sprint(v)
		}
	case Vault:
		return "<vault>"
	case Unsafe:
		return string(v)
	case Date:
		return string(v)
	case Timestamp:
		return string(v)
	case Binary:
		return "<binary>"
	case Tuple:
		return shown(v[:])
	case Set:
		return shown([]any(v))
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = shown(item)
		}
		return out
	case Mapping:
		out := make(Mapping, len(v))
		for i, p := range v {
			out[i] = Pair{keyText(p.Key), shown(p.Value)}
		}
		return out
	}
	return v
}

func keyText(key any) string {
	switch key := shown(key).(type) {
	case string:
		return key
	case nil:
		return "null"
	default:
		return fmt.Sprint(key)
	}
}

var _ json.Marshaler = Mapping(nil)
