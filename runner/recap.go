package runner

import (
	"bytes"
	"regexp"
	"strconv"
)

// recapReader reads plays, tasks and the recap from what ansible-playbook prints. It is
// the fallback for a program behind --ansible-playbook that does not load the callback
// plugin. It is a Writer, so that it can stand beside the user's own stdout.
type recapReader struct {
	line  bytes.Buffer
	recap bool

	plays []Play
	tasks int
	last  string
	hosts map[string]HostStats
}

// lineLimit bounds what is kept of one line; the lines that matter are short.
const lineLimit = 4096

// Write never fails: it only looks.
func (r *recapReader) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		i := bytes.IndexByte(rest, '\n')
		part := rest
		if i >= 0 {
			part = rest[:i]
		}
		if room := lineLimit - r.line.Len(); room > 0 {
			r.line.Write(part[:min(len(part), room)])
		}
		if i < 0 {
			break
		}
		r.see(r.line.String())
		r.line.Reset()
		rest = rest[i+1:]
	}
	return len(p), nil
}

// Patterns of what the callback ansible.builtin.default prints, colours taken off.
var (
	colour     = regexp.MustCompile(`\x1b\[[0-9;]*m`)
	header     = regexp.MustCompile(`^(PLAY RECAP|PLAY|TASK)(?: \[(.*)\])? \*+$`)
	recapLine  = regexp.MustCompile(`^(\S+)\s+:\s+(ok=.*)$`)
	recapCount = regexp.MustCompile(`(\w+)=(\d+)`)
)

func (r *recapReader) see(line string) {
	line = colour.ReplaceAllString(line, "")
	m := header.FindStringSubmatch(line)
	switch {
	case m != nil && m[1] == "PLAY RECAP":
		r.recap = true
	case m != nil && m[1] == "PLAY":
		r.plays = append(r.plays, Play{Name: m[2]})
	case m != nil:
		r.tasks++
		r.last = m[2]
	case line == "skipping: no hosts matched" && len(r.plays) > 0:
		r.plays[len(r.plays)-1].NoHosts = true
	case r.recap:
		r.host(line)
	}
}

func (r *recapReader) host(line string) {
	m := recapLine.FindStringSubmatch(line)
	if m == nil {
		return
	}
	if r.hosts == nil {
		r.hosts = map[string]HostStats{}
	}
	var s HostStats
	counts := map[string]*int{
		"ok": &s.OK, "changed": &s.Changed, "unreachable": &s.Unreachable, "failed": &s.Failed,
		"skipped": &s.Skipped, "rescued": &s.Rescued, "ignored": &s.Ignored,
	}
	for _, kv := range recapCount.FindAllStringSubmatch(m[2], -1) {
		if to := counts[kv[1]]; to != nil {
			*to, _ = strconv.Atoi(kv[2])
		}
	}
	r.hosts[m[1]] = s
}

// fill completes an outcome that no event told about.
func (r *recapReader) fill(o *Outcome) {
	o.Plays, o.Hosts, o.Finished = r.plays, r.hosts, r.recap
	o.LastTask = Task{Name: r.last}
	for _, h := range r.hosts {
		o.TasksRan = max(o.TasksRan, h.OK)
	}
	o.WantedRan = o.TasksRan // the recap knows no tags
	for name, h := range r.hosts {
		if h.Unreachable > 0 {
			o.Unreachable = appendNew(o.Unreachable, name)
		}
	}
}
