package extravars

import (
	"errors"
	"math"
	"math/big"
	"regexp"
	"strconv"
	"strings"
)

// Ansible reads YAML 1.1, where yes, 0755, 1:30 and 2024-01-02 are no text and 1e3 is.
// These are its implicit types.
var (
	yamlBool  = regexp.MustCompile(`^(?:yes|Yes|YES|no|No|NO|true|True|TRUE|false|False|FALSE|on|On|ON|off|Off|OFF)$`)
	yamlInt   = regexp.MustCompile(`^(?:[-+]?0b[0-1_]+|[-+]?0[0-7_]+|[-+]?(?:0|[1-9][0-9_]*)|[-+]?0x[0-9a-fA-F_]+|[-+]?[1-9][0-9_]*(?::[0-5]?[0-9])+)$`)
	yamlFloat = regexp.MustCompile(`^(?:[-+]?[0-9][0-9_]*\.[0-9_]*(?:[eE][-+][0-9]+)?|\.[0-9][0-9_]*(?:[eE][-+][0-9]+)?|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+\.[0-9_]*|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)
	yamlTime  = regexp.MustCompile(`^(?:[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::[0-9]{2})?))?)$`)
)

var errScalar = errors.New("no such value")

// The names of the types, as yaml.v3 shortens them.
const (
	tagNull      = "!!null"
	tagBool      = "!!bool"
	tagInt       = "!!int"
	tagFloat     = "!!float"
	tagString    = "!!str"
	tagTimestamp = "!!timestamp"
	tagMerge     = "!!merge"
	tagValue     = "!!value"
	tagBinary    = "!!binary"
)

// implicitTag is the type that YAML 1.1 gives to a plain scalar.
func implicitTag(s string) string {
	if s == "" {
		return tagNull
	}
	switch c := s[0]; {
	case c == '~' || c == 'n' || c == 'N':
		switch s {
		case "~", "null", "Null", "NULL":
			return tagNull
		}
		fallthrough
	case strings.IndexByte("yYtTfFoO", c) >= 0:
		if yamlBool.MatchString(s) {
			return tagBool
		}
	case strings.IndexByte("-+.0123456789", c) >= 0:
		switch {
		case yamlInt.MatchString(s):
			return tagInt
		case yamlFloat.MatchString(s):
			return tagFloat
		case yamlTime.MatchString(s):
			return tagTimestamp
		}
	case s == "<<":
		return tagMerge
	case s == "=":
		return tagValue
	}
	return tagString
}

// PlainScalar is the value that Ansible reads from a plain scalar of YAML, by the rules
// of YAML 1.1: yes is true, 0755 is 493, 22:22 is 1342. What is nothing else is text.
func PlainScalar(s string) any {
	v, err := scalarValue(implicitTag(s), s)
	if err != nil {
		return s
	}
	return v
}

// scalarValue reads a scalar as the type that it has or that its tag asks for.
func scalarValue(tag, s string) (any, error) {
	switch tag {
	case tagNull:
		return nil, nil
	case tagString:
		return s, nil
	case tagBool:
		switch strings.ToLower(s) {
		case "yes", "true", "on":
			return true, nil
		case "no", "false", "off":
			return false, nil
		}
	case tagInt:
		return yamlInteger(s)
	case tagFloat:
		return yamlNumber(s)
	case tagTimestamp:
		return yamlTimestamp(s)
	case tagBinary:
		return yamlBinary(s)
	}
	return nil, errScalar
}

// yamlInteger reads 0755 as octal and 22:22 in base sixty.
func yamlInteger(s string) (any, error) {
	s = strings.ReplaceAll(s, "_", "")
	negative := strings.HasPrefix(s, "-")
	if negative || strings.HasPrefix(s, "+") {
		s = s[1:]
	}
	base, digits := 10, s
	switch {
	case s == "0":
	case strings.HasPrefix(s, "0b"):
		base, digits = 2, s[2:]
	case strings.HasPrefix(s, "0x"):
		base, digits = 16, s[2:]
	case strings.HasPrefix(s, "0"):
		base = 8
	case strings.Contains(s, ":"):
		return sexagesimal(s, negative)
	}
	i, ok := new(big.Int).SetString(digits, base)
	if !ok || digits[0] == '-' || digits[0] == '+' {
		return nil, errScalar
	}
	return integer(i, negative), nil
}

func integer(i *big.Int, negative bool) any {
	if negative {
		i.Neg(i)
	}
	if i.IsInt64() {
		return i.Int64()
	}
	return i
}

func sexagesimal(s string, negative bool) (any, error) {
	total, sixty := new(big.Int), big.NewInt(60)
	for part := range strings.SplitSeq(s, ":") {
		digit, ok := new(big.Int).SetString(part, 10)
		if !ok {
			return nil, errScalar
		}
		total.Mul(total, sixty).Add(total, digit)
	}
	return integer(total, negative), nil
}

// yamlNumber reads a float, in base sixty too.
func yamlNumber(s string) (any, error) {
	s = strings.ToLower(strings.ReplaceAll(s, "_", ""))
	sign := 1.0
	if strings.HasPrefix(s, "-") {
		sign = -1
	}
	if strings.HasPrefix(s, "-") || strings.HasPrefix(s, "+") {
		s = s[1:]
	}
	switch s {
	case ".inf":
		return math.Inf(int(sign)), nil
	case ".nan":
		return math.NaN(), nil
	}
	if !strings.Contains(s, ":") {
		f, err := pythonFloat(s)
		return sign * f, err
	}
	parts, total, base := strings.Split(s, ":"), 0.0, 1.0
	for i := len(parts) - 1; i >= 0; i-- {
		f, err := pythonFloat(parts[i])
		if err != nil {
			return nil, err
		}
		total += f * base
		base *= 60
	}
	return sign * total, nil
}

// pythonFloat reads what Python's float() does, and no hexadecimal.
func pythonFloat(s string) (float64, error) {
	if strings.ContainsAny(s, "xXpP_") {
		return 0, errScalar
	}
	f, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) {
		return 0, errScalar
	}
	return f, nil
}
