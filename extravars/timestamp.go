package extravars

import (
	"encoding/base64"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"
)

var timeParts = regexp.MustCompile(`^([0-9]{4})-([0-9]{1,2})-([0-9]{1,2})(?:(?:[Tt]|[ \t]+)([0-9]{1,2}):([0-9]{2}):([0-9]{2})(?:\.([0-9]*))?(?:[ \t]*(Z|([-+])([0-9]{1,2})(?::([0-9]{2}))?))?)?$`)

// yamlTimestamp reads a date or a time; the result has Python's ISO form.
func yamlTimestamp(s string) (any, error) {
	m := timeParts.FindStringSubmatch(s)
	if m == nil {
		return nil, errScalar
	}
	n := func(i int) int { v, _ := strconv.Atoi(m[i]); return v }
	year, month, day := n(1), n(2), n(3)
	date := time.Date(year, time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if year == 0 || date.Year() != year || int(date.Month()) != month || date.Day() != day {
		return nil, errScalar // the 30th of February
	}
	iso := date.Format("2006-01-02")
	if m[4] == "" {
		return Date(iso), nil
	}
	hour, minute, second := n(4), n(5), n(6)
	if hour > 23 || minute > 59 || second > 59 {
		return nil, errScalar
	}
	iso += fmt.Sprintf("T%02d:%02d:%02d", hour, minute, second)
	if micro := (m[7] + "000000")[:6]; micro != "000000" {
		iso += "." + micro
	}
	zone, ok := zoneOf(m[8], m[9], n(10), n(11))
	if !ok {
		return nil, errScalar
	}
	return Timestamp(iso + zone), nil
}

// zoneOf is the end of an ISO time. A zone of a day or more is none.
func zoneOf(zone, sign string, hours, minutes int) (iso string, ok bool) {
	switch zone {
	case "":
		return "", true
	case "Z":
		return "+00:00", true
	}
	total := hours*60 + minutes
	if total >= 24*60 {
		return "", false
	}
	if total == 0 {
		sign = "+"
	}
	return fmt.Sprintf("%s%02d:%02d", sign, total/60, total%60), true
}

// yamlBinary decodes base64 as Python does: it skips foreign characters, and ends at the
// padding.
func yamlBinary(s string) (any, error) {
	var digits []byte
	pads := 0
	for i := range len(s) {
		switch c := s[i]; {
		case c >= utf8.RuneSelf:
			return nil, errScalar
		case c == '=':
			if pads++; len(digits)%4 >= 2 && len(digits)%4+pads >= 4 {
				return decodeBase64(digits)
			}
		case strings.IndexByte("+/", c) >= 0 || isAlphanumeric(c):
			digits, pads = append(digits, c), 0
		}
	}
	if len(digits)%4 != 0 {
		return nil, errScalar
	}
	return decodeBase64(digits)
}

func isAlphanumeric(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z'
}

func decodeBase64(digits []byte) (any, error) {
	data, err := base64.RawStdEncoding.DecodeString(string(digits))
	if err != nil {
		return nil, errScalar
	}
	return Binary(data), nil
}
