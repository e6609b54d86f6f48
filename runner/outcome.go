package runner

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Class says in one word how Ansible ended.
type Class string

// The classes of an Outcome.
const (
	ClassOK          Class = "ok"
	ClassFailed      Class = "failed"      // a host failed, or Ansible could not read something
	ClassUnreachable Class = "unreachable" // a host was unreachable, also where Ansible returned 0
	ClassNothingRan  Class = "nothing-ran" // no task of what was asked for ran
	ClassCancelled   Class = "cancelled"
	ClassKilled      Class = "killed" // ended by a signal that was not ours
)

// Outcome is Ansible's word on a run: its exit code and what its events tell.
type Outcome struct {
	Inert       bool // Ansible was asked to run nothing: a list, a syntax check
	ExitCode    int  // Ansible's own; -1 when a signal ended it
	Signal      string
	Cancelled   bool
	Finished    bool // the recap was reached
	Events      bool // told by the callback plugin; else read from the printed recap
	Hosts       map[string]HostStats
	Unreachable []string
	Failures    []Failure
	Plays       []Play
	TasksRan    int // tasks that at least one host did
	WantedRan   int // those among them that --tags asked for
	LastTask    Task
	Start, End  time.Time
}

// Task is a task of a playbook.
type Task struct {
	Name string
	Path string // FILE:LINE

	wanted, ran bool
}

// Play is a play that started.
type Play struct {
	Name    string
	NoHosts bool // no host matched
	Tasks   int  // tasks that at least one host did
}

// Failure is a task that failed on a host, or a host that could not be reached.
type Failure struct {
	Host, Task, Path, Message string
	Ignored, Unreachable      bool
}

// Class judges the outcome. Where the exit code and the events disagree, the worse one
// is the truth: a run that returned 0 with an unreachable host is unreachable.
func (o Outcome) Class() Class {
	switch {
	case o.Cancelled:
		return ClassCancelled
	case o.Signal != "":
		return ClassKilled
	case o.ExitCode == 4 && len(o.Unreachable) == 0 && o.hostUnreachable() == "":
		return ClassFailed // Ansible's code for a parser error as well
	case o.ExitCode == 4, o.ExitCode == 0 && (len(o.Unreachable) > 0 || o.hostUnreachable() != ""):
		return ClassUnreachable
	case o.ExitCode != 0:
		return ClassFailed
	case o.hostFailed() != "":
		return ClassFailed
	case o.WantedRan == 0 && !o.Inert && (o.Events || o.Finished):
		return ClassNothingRan
	}
	return ClassOK // with neither events nor a recap there is Ansible's word alone
}

// ExitStatus is the exit code that the run deserves before verification: Ansible's own,
// 4 for an unreachable host that Ansible did not count, 2 for a failed one, 66 when
// nothing ran.
func (o Outcome) ExitStatus() int {
	switch o.Class() {
	case ClassOK, ClassCancelled:
		return 0
	case ClassNothingRan:
		return 66
	case ClassUnreachable:
		return 4
	case ClassKilled:
		return 1
	}
	if o.ExitCode == 0 {
		return 2
	}
	return o.ExitCode
}

func (o Outcome) hostUnreachable() string {
	return o.hostWhere(func(s HostStats) bool { return s.Unreachable > 0 })
}

func (o Outcome) hostFailed() string {
	return o.hostWhere(func(s HostStats) bool { return s.Failed > 0 })
}

func (o Outcome) hostWhere(is func(HostStats) bool) string {
	for _, h := range slices.Sorted(maps.Keys(o.Hosts)) {
		if is(o.Hosts[h]) {
			return h
		}
	}
	return ""
}

// Summary says in one sentence how the run ended.
func (o Outcome) Summary() string {
	ran := plural(o.TasksRan, "task") + " ran in " + plural(len(o.Plays), "play")
	switch {
	case !o.Events && len(o.Plays)+len(o.Hosts) == 0 && o.ExitCode == 0:
		ran = "neither its events nor its recap could be seen"
	case !o.Events && len(o.Plays)+len(o.Hosts) == 0:
		ran = "no play had started"
	case !o.Events:
		ran = "no events were seen, the recap was read"
	}
	switch o.Class() {
	case ClassOK:
		if o.Inert {
			return "Ansible was asked to run nothing, and has told what was asked"
		}
		return fmt.Sprintf("the playbook succeeded; %s", ran)
	case ClassNothingRan:
		return "Ansible returned 0, but " + o.nothing()
	case ClassUnreachable:
		hosts := o.Unreachable
		if len(hosts) == 0 {
			hosts = []string{o.hostUnreachable()}
		}
		return fmt.Sprintf("unreachable: %s (Ansible returned %d); %s", strings.Join(hosts, ", "), o.ExitCode, ran)
	case ClassCancelled:
		return fmt.Sprintf("cancelled at task %q; %s", o.LastTask.Name, ran)
	case ClassKilled:
		return fmt.Sprintf("ansible-playbook was ended by signal %s; %s", o.Signal, ran)
	}
	if f, ok := o.FirstFailure(); ok {
		return fmt.Sprintf("task %q failed on %s; %s", f.Task, f.Host, ran)
	}
	return fmt.Sprintf("ansible-playbook returned %d; its own message is above; %s", o.ExitCode, ran)
}

func plural(n int, word string) string {
	if n != 1 {
		word += "s"
	}
	return fmt.Sprintf("%d %s", n, word)
}

func (o Outcome) nothing() string {
	if !slices.ContainsFunc(o.Plays, func(p Play) bool { return !p.NoHosts }) {
		return "no host matched any play"
	}
	return "no task of what was asked for ran on any host"
}

// FirstFailure returns the first failure that was not ignored.
func (o Outcome) FirstFailure() (Failure, bool) {
	i := slices.IndexFunc(o.Failures, func(f Failure) bool { return !f.Ignored })
	if i < 0 {
		return Failure{}, false
	}
	return o.Failures[i], true
}
