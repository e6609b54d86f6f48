package report

import (
	"maps"
	"slices"
	"time"

	"github.com/fatih/color"
)

// ansible writes what ran: one sentence, the hosts of note, the failures.
func (t *text) ansible(d Document) {
	a := d.Ansible
	if d.Plan != nil && (a == nil || t.verbose) {
		t.plan(*d.Plan, d.Exit.Code == 0 || t.verbose)
	}
	if a == nil {
		return
	}
	word := t.paint(a.Class, color.FgGreen, color.Bold)
	if a.Class != "ok" {
		word = t.paint(a.Class, color.FgRed, color.Bold)
	}
	t.printf("Ansible: %s (exit code %d", word, a.ExitCode)
	if a.TookMS > 0 {
		t.printf(", %s", (time.Duration(a.TookMS) * time.Millisecond).Round(time.Second))
	}
	t.printf("): %s\n", a.Summary)
	if a.Class == "cancelled" || t.verbose {
		t.plays(a)
	}
	t.hosts(a.Hosts)
	for _, f := range a.Failures {
		t.failure(f)
	}
	t.printf("\n")
}

// plays tells what had run.
func (t *text) plays(a *Ansible) {
	for _, p := range a.Plays {
		if p.NoHosts {
			t.printf("  play %q: no host matched\n", p.Name)
			continue
		}
		t.printf("  play %q: %d tasks ran\n", p.Name, p.Tasks)
	}
	if a.LastTask != "" {
		t.printf("  last task: %s\n", a.LastTask)
	}
}

// hosts writes the recap of the hosts of note; the others are one line.
func (t *text) hosts(hosts map[string]Host) {
	fine, changed := 0, 0
	for _, name := range slices.Sorted(maps.Keys(hosts)) {
		h := hosts[name]
		if h.Failed+h.Unreachable+h.Rescued+h.Ignored == 0 && !t.verbose {
			fine++
			if h.Changed > 0 {
				changed++
			}
			continue
		}
		t.printf("  %-20s ok=%d changed=%d unreachable=%d failed=%d skipped=%d rescued=%d ignored=%d\n",
			name, h.OK, h.Changed, h.Unreachable, h.Failed, h.Skipped, h.Rescued, h.Ignored)
	}
	if fine > 0 {
		t.printf("  %d of %d hosts without failures, %d of them changed\n", fine, len(hosts), changed)
	}
}

func (t *text) failure(f Failure) {
	word := t.paint("failed", color.FgRed)
	switch {
	case f.Unreachable:
		word = t.paint("unreachable", color.FgRed)
	case f.Ignored:
		if !t.verbose {
			return
		}
		word = "ignored"
	}
	t.printf("  %s %s", word, f.Host)
	if f.Task != "" {
		t.printf(": %s", f.Task)
	}
	if f.Path != "" {
		t.printf(" (%s)", f.Path)
	}
	t.printf("\n    %s\n", indentRest(f.Message, "    "))
}
