package extravars

import (
	"errors"
	"math"
	"strings"
)

// maxDepth is where nesting is given up: Python gives up near it, too.
const maxDepth = 900

var (
	errNotJSON = errors.New("not JSON")
	errTooDeep = errors.New("nested too deeply, or far too large")
)

// readJSON reads a text as Ansible's JSON reader does, which is Python's: NaN and
// Infinity are numbers, integers have any size, a repeated key takes its last value, and
// a mapping with __ansible_vault or __ansible_unsafe stands for such a value.
func readJSON(text string) (any, error) {
	r := jsonReader{s: text}
	r.blanks()
	v, err := r.value(0)
	if err != nil {
		return nil, err
	}
	if r.blanks(); r.i < len(r.s) {
		return nil, errNotJSON
	}
	return v, nil
}

type jsonReader struct {
	s string
	i int
}

func (r *jsonReader) blanks() {
	for r.i < len(r.s) && strings.IndexByte(" \t\n\r", r.s[r.i]) >= 0 {
		r.i++
	}
}

// take moves over a text if it comes next.
func (r *jsonReader) take(text string) bool {
	if !strings.HasPrefix(r.s[r.i:], text) {
		return false
	}
	r.i += len(text)
	return true
}

func (r *jsonReader) value(depth int) (any, error) {
	switch {
	case depth > maxDepth:
		return nil, errTooDeep
	case r.take("{"):
		return r.mapping(depth)
	case r.take("["):
		return r.list(depth)
	case r.take(`"`):
		return r.text()
	case r.take("null"):
		return nil, nil
	case r.take("true"):
		return true, nil
	case r.take("false"):
		return false, nil
	case r.take("NaN"):
		return math.NaN(), nil
	case r.take("Infinity"):
		return math.Inf(1), nil
	case r.take("-Infinity"):
		return math.Inf(-1), nil
	}
	return r.number()
}

func (r *jsonReader) mapping(depth int) (any, error) {
	var b mappingBuilder
	r.blanks()
	for first := true; !r.take("}"); first = false {
		if r.blanks(); !first {
			if !r.take(",") {
				return nil, errNotJSON
			}
			r.blanks()
		}
		if !r.take(`"`) {
			return nil, errNotJSON
		}
		key, err := r.text()
		if err != nil {
			return nil, err
		}
		if r.blanks(); !r.take(":") {
			return nil, errNotJSON
		}
		r.blanks()
		v, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		b.set(key, v)
		r.blanks()
	}
	return standsFor(b.mapping()), nil
}

// standsFor turns the two mappings that Ansible's reader replaces.
func standsFor(m Mapping) any {
	for _, p := range m {
		text, isText := p.Value.(string)
		switch p.Key {
		case "__ansible_vault":
			if isText {
				return Vault(text)
			}
		case "__ansible_unsafe":
			if isText {
				return Unsafe(text)
			}
			return p.Value
		}
	}
	return m
}

func (r *jsonReader) list(depth int) (any, error) {
	out := []any{}
	r.blanks()
	for first := true; !r.take("]"); first = false {
		if !first {
			if !r.take(",") {
				return nil, errNotJSON
			}
			r.blanks()
		}
		v, err := r.value(depth + 1)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
		r.blanks()
	}
	return out, nil
}
