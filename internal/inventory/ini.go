package inventory

import (
	"bytes"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/surespray/surespray/extravars"
)

var (
	iniSection = regexp.MustCompile(`^\[([^:\]\s]+)(?::(\w+))?\]\s*(?:#.*)?$`)
	iniName    = regexp.MustCompile(`^([^:\]\s]+)\s*(?:#.*)?$`)
)

// iniFile reads an INI inventory. A section for a group that exists nowhere, or a line
// that is none, makes Ansible give up the file: it then goes on with the hosts of other
// files, or without any.
func (inv *Inventory) iniFile(shown string, raw []byte) {
	if bytes.HasPrefix(raw, []byte("\ufeff")) {
		return // no host is read from it; whoever looks at the arguments says so
	}
	r := iniReader{inv: inv, file: shown, group: "ungrouped", declared: map[string]bool{"all": true, "ungrouped": true}, wanted: map[string]wantedGroup{}}
	number := 0
	for line := range bytes.Lines(raw) {
		number++
		text := strings.TrimSpace(string(line))
		if text == "" || text[0] == '#' || text[0] == ';' {
			continue
		}
		if !r.line(text, string(bytes.TrimRight(line, "\r\n")), Place{shown, number}) {
			return
		}
	}
	r.undefined()
}

// iniReader is where the reading of a file stands.
type iniReader struct {
	inv         *Inventory
	file        string
	group, kind string // of the current section; kind is "", vars or children
	declared    map[string]bool
	wanted      map[string]wantedGroup // groups that are used and not yet there
}

type wantedGroup struct {
	Place
	how string
}

// line reads one line; false says that Ansible gives the file up there.
func (r *iniReader) line(text, whole string, at Place) bool {
	if m := iniSection.FindStringSubmatch(text); m != nil {
		return r.section(m[1], m[2], text, at)
	}
	if strings.HasPrefix(text, "[") && strings.HasSuffix(text, "]") {
		return r.giveUp(at, fmt.Sprintf("%s is no section: Ansible knows [GROUP], [GROUP:vars] and [GROUP:children], without blanks", text))
	}
	switch r.kind {
	case "vars":
		return r.variable(text, whole, at)
	case "children":
		m := iniName.FindStringSubmatch(text)
		if m == nil {
			return r.giveUp(at, fmt.Sprintf("%q is no name of a group", extravars.MaskLine(text)))
		}
		r.inv.group(r.group, at).Children = addOnce(r.inv.group(r.group, at).Children, m[1])
		r.inv.group(m[1], at)
		r.want(m[1], at, "["+r.group+":children] includes it")
		return true
	}
	return r.hostLine(text, whole, at)
}

func (r *iniReader) section(group, kind, text string, at Place) bool {
	switch kind {
	case "", "hosts", "children":
		r.declared[group] = true
		delete(r.wanted, group)
		r.inv.group(group, at)
	case "vars":
		r.want(group, at, text+" gives it variables")
	default:
		return r.giveUp(at, fmt.Sprintf("%s: Ansible knows :vars and :children", text))
	}
	r.group, r.kind = group, kind
	if kind == "hosts" {
		r.kind = ""
	}
	return true
}

func (r *iniReader) want(group string, at Place, how string) {
	if _, waits := r.wanted[group]; !waits && !r.declared[group] {
		r.wanted[group] = wantedGroup{at, how}
	}
}

// undefined says which groups are used and exist nowhere in the file.
func (r *iniReader) undefined() {
	if r.inv.Dynamic {
		return // a script before this file may have it
	}
	for _, name := range slices.Sorted(maps.Keys(r.wanted)) {
		w := r.wanted[name]
		if g := r.inv.Groups[name]; g != nil && g.File != r.file {
			continue // an earlier file has it
		}
		r.giveUp(w.Place, fmt.Sprintf("group %s does not exist, but %s", name, w.how))
	}
}

func (r *iniReader) giveUp(at Place, what string) bool {
	r.inv.problem(Problem{
		Code: "inventory-syntax", Place: at,
		Message: what + ": Ansible reads no host from the file", Fix: "mend this line",
	})
	return false
}

// variable reads a line of [group:vars]: everything behind the first "=" is the value.
func (r *iniReader) variable(text, whole string, at Place) bool {
	name, raw, ok := strings.Cut(text, "=")
	if !ok {
		return r.giveUp(at, fmt.Sprintf("%q is no NAME=VALUE", extravars.MaskLine(text)))
	}
	name, raw = strings.TrimSpace(name), strings.TrimSpace(raw)
	level := LevelGroups
	if r.group == "all" {
		level = LevelAll
	}
	r.inv.set(&Setting{
		Entry: r.entry(name, raw, strings.Index(whole, "=")+1+leading(whole[strings.Index(whole, "=")+1:]), at),
		File:  r.file, Form: INIVars, Level: level, Group: r.group, Raw: raw, Dir: r.file,
	})
	return true
}

func (r *iniReader) entry(name, raw string, offset int, at Place) extravars.Entry {
	return extravars.Entry{Key: name, Value: pythonLiteral(raw), Line: at.Line, ValueLine: at.Line, ValueColumn: offset + 1}
}

func leading(s string) int { return len(s) - len(strings.TrimLeft(s, " \t")) }

// hostLine reads a host, or a range of hosts, with its variables.
func (r *iniReader) hostLine(text, whole string, at Place) bool {
	words, cut, err := splitWords(text)
	if err != nil {
		return r.giveUp(at, err.Error())
	}
	if len(words) == 0 {
		return true
	}
	hosts, port := expand(words[0].text), ""
	if len(hosts) == 1 {
		hosts[0], port = cutPort(hosts[0])
	}
	for _, h := range hosts {
		r.inv.host(h, r.group, at)
	}
	indent := leading(whole)
	for i, w := range words[1:] {
		name, raw, ok := strings.Cut(w.text, "=")
		if !ok {
			return r.giveUp(at, fmt.Sprintf("word %d behind a host is no NAME=VALUE: a value with blanks wants quotes", i+1))
		}
		offset := indent + w.start + strings.Index(text[w.start:w.end], "=") + 1
		for _, h := range hosts {
			r.inv.set(&Setting{Entry: r.entry(name, raw, offset, at), File: r.file, Form: INIHost, Level: LevelHost, Host: h, Raw: strings.TrimPrefix(text[w.start:w.end], name+"="), Dir: r.file})
		}
		if cut >= 0 && i == len(words)-2 && cut == w.end {
			message := fmt.Sprintf("a # begins a comment here: %s is %q on %s, not %q", name, raw, strings.Join(hosts, ", "), raw+text[cut:])
			if extravars.LooksSecret(name) {
				message = fmt.Sprintf("a # begins a comment here, and cuts %s on %s", name, strings.Join(hosts, ", "))
			}
			message = extravars.MaskUserinfo(message)
			r.inv.problem(Problem{
				Code: "ini-comment-cuts-value", Place: at, Key: name, Message: message,
				Fix: fmt.Sprintf("put the whole value into two kinds of quotes, %s=\"'…'\", or move it to host_vars", name),
			})
		}
	}
	if port != "" {
		for _, h := range hosts {
			r.inv.set(&Setting{Entry: r.entry("ansible_port", port, 0, at), File: r.file, Form: INIHost, Level: LevelHost, Host: h, Raw: port, Dir: r.file})
		}
	}
	return true
}
