package kubespray

import (
	"bufio"
	"bytes"
	"strings"
)

// iniEntry is one key of an ansible.cfg.
type iniEntry struct {
	section, key, value string
	line                int
}

// readINI reads what Python's configparser reads for Ansible: sections, key = value
// or key: value, values that go on in indented lines, comments with # and ; on
// lines of their own, and "; comment" behind a value. What it does not understand it
// passes over: Ansible itself will complain.
func readINI(raw []byte) []iniEntry {
	var entries []iniEntry
	section := ""
	open := -1 // index of the entry that an indented line continues
	lines := bufio.NewScanner(bytes.NewReader(bytes.TrimPrefix(raw, []byte("\ufeff"))))
	lines.Buffer(nil, len(raw)+bufio.MaxScanTokenSize)
	for number := 1; lines.Scan(); number++ {
		line := lines.Text()
		body := strings.TrimSpace(line)
		switch {
		case body == "":
			open = -1
		case strings.HasPrefix(body, "#") || strings.HasPrefix(body, ";"):
		case open >= 0 && (line[0] == ' ' || line[0] == '\t'):
			entries[open].value = strings.TrimSpace(entries[open].value + "\n" + uncomment(body))
		case strings.HasPrefix(body, "[") && strings.Contains(body, "]"):
			section, open = body[1:strings.Index(body, "]")], -1
		default:
			at := strings.IndexAny(body, "=:")
			if at <= 0 {
				open = -1
				continue
			}
			key := strings.ToLower(strings.TrimSpace(body[:at]))
			entries = append(entries, iniEntry{section, key, uncomment(strings.TrimSpace(body[at+1:])), number})
			open = len(entries) - 1
		}
	}
	return entries
}

// uncomment cuts a comment that starts with a semicolon after a blank.
func uncomment(value string) string {
	if strings.HasPrefix(value, ";") {
		return ""
	}
	before, _, _ := strings.Cut(value, " ;")
	before, _, _ = strings.Cut(before, "\t;")
	return strings.TrimSpace(before)
}
