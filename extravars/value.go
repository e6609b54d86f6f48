package extravars

import (
	"math"
	"math/big"
	"slices"
	"strconv"
)

// A value is what Ansible holds in a variable: nil, bool, int64, *big.Int (an integer
// beyond 64 bits), float64, string, []any, [Mapping], or one of the types below.

// Mapping is a mapping in the order of its text. Keys are strings nearly always; YAML
// also allows numbers, booleans, null and dates.
type Mapping []Pair

// Pair is one entry of a [Mapping].
type Pair struct {
	Key   any
	Value any
}

// Get returns the value of a text key.
func (m Mapping) Get(key string) (any, bool) {
	for _, p := range m {
		if p.Key == key {
			return p.Value, true
		}
	}
	return nil, false
}

// Values that JSON has no form of.
type (
	// Vault is the ciphertext of a !vault value.
	Vault string
	// Unsafe is a !unsafe text, which Ansible never renders.
	Unsafe string
	// Date is a day: 2024-01-02.
	Date string
	// Timestamp is a time in ISO form: 2024-01-02T03:04:05+00:00.
	Timestamp string
	// Binary holds the bytes of a !!binary.
	Binary string
	// Set is a !!set.
	Set []any
	// Tuple is an entry of a !!pairs or !!omap.
	Tuple [2]any
)

// TypeOf returns the type of a value; Unknown for what has no place among the types.
func TypeOf(v any) Type {
	switch v.(type) {
	case nil:
		return Null
	case bool:
		return Bool
	case int64, *big.Int:
		return Int
	case float64:
		return Float
	case string, Unsafe:
		return String
	case []any:
		return List
	case Mapping:
		return Dict
	}
	return Unknown
}

// keyID makes keys comparable as Python does: 1, 1.0 and True are one key.
func keyID(key any) (id string, hashable bool) {
	switch k := key.(type) {
	case nil:
		return "null", true
	case bool:
		if k {
			return "n1", true
		}
		return "n0", true
	case int64:
		return "n" + strconv.FormatInt(k, 10), true
	case *big.Int:
		return "n" + k.String(), true
	case float64:
		if k == math.Trunc(k) && !math.IsInf(k, 0) {
			i, _ := big.NewFloat(k).Int(nil)
			return "n" + i.String(), true
		}
		return "f" + strconv.FormatFloat(k, 'g', -1, 64), true
	case string:
		return "s" + k, true
	case Unsafe:
		return "s" + string(k), true
	case Date:
		return "d" + string(k), true
	case Timestamp:
		return "t" + string(k), true
	case Binary:
		return "b" + string(k), true
	}
	return "", false
}

// mappingBuilder collects pairs as a Python dict does: a repeated key keeps its first
// place and takes the last value.
type mappingBuilder struct {
	pairs Mapping
	index map[string]int
}

func (b *mappingBuilder) set(key, value any) bool {
	id, ok := keyID(key)
	if !ok {
		return false
	}
	if i := b.find(id); i >= 0 {
		b.pairs[i].Value = value
		return true
	}
	if b.index != nil {
		b.index[id] = len(b.pairs)
	}
	b.pairs = append(b.pairs, Pair{key, value})
	return true
}

// find returns the place of a key, or -1. A few pairs need no index.
func (b *mappingBuilder) find(id string) int {
	if b.index == nil && len(b.pairs) < 8 {
		return slices.IndexFunc(b.pairs, func(p Pair) bool { other, _ := keyID(p.Key); return other == id })
	}
	if b.index == nil {
		b.index = make(map[string]int, 2*len(b.pairs))
		for i, p := range b.pairs {
			other, _ := keyID(p.Key)
			b.index[other] = i
		}
	}
	if i, ok := b.index[id]; ok {
		return i
	}
	return -1
}

// mapping returns what was collected, never nil.
func (b *mappingBuilder) mapping() Mapping {
	if b.pairs == nil {
		return Mapping{}
	}
	return b.pairs
}
