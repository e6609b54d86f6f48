package runner

import (
	"bufio"
	"encoding/json"
	"errors"
	"io"
	"os"
	"slices"
)

// event is one line that the callback plugin writes.
type event struct {
	Event   string               `json:"event"`
	Name    string               `json:"name"`
	ID      string               `json:"id"`
	Path    string               `json:"path"`
	Tags    []string             `json:"tags"`
	Host    string               `json:"host"`
	Ignored bool                 `json:"ignored"`
	Message string               `json:"message"`
	Hosts   map[string]HostStats `json:"hosts"`
	Value   json.RawMessage      `json:"value"`
}

// HostStats is a host's line of Ansible's recap, under the names of its own statistics.
type HostStats struct {
	OK          int `json:"ok"`
	Changed     int `json:"changed"`
	Unreachable int `json:"unreachable"`
	Failed      int `json:"failures"`
	Skipped     int `json:"skipped"`
	Rescued     int `json:"rescued"`
	Ignored     int `json:"ignored"`
}

// readEvents calls f for each event in the file. A line that is no JSON is passed
// over: the last one of a killed run may be cut. A file that does not exist holds none.
func readEvents(path string, f func(event)) error {
	file, err := os.Open(path)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer file.Close()
	r := bufio.NewReader(file) // no Scanner: a line has no largest length
	for {
		line, err := r.ReadBytes('\n')
		var e event
		if len(line) > 0 && json.Unmarshal(line, &e) == nil {
			f(e)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

// collector turns events into what the Outcome tells.
type collector struct {
	outcome *Outcome
	wanted  func(tags []string) bool // whether a task is of what was asked for
	tasks   map[string]*Task
}

func (c *collector) add(e event) {
	o := c.outcome
	o.Events = true
	switch e.Event {
	case "play":
		o.Plays = append(o.Plays, Play{Name: e.Name})
	case "no_hosts_matched":
		if n := len(o.Plays); n > 0 {
			o.Plays[n-1].NoHosts = true
		}
	case "task":
		o.LastTask = Task{Name: e.Name, Path: e.Path}
		c.tasks[e.ID] = &Task{Name: e.Name, Path: e.Path, wanted: c.wanted(e.Tags)}
	case "ran":
		c.ran(e.ID)
	case "failed":
		c.ran(e.ID)
		c.failure(e)
	case "unreachable":
		o.Unreachable = appendNew(o.Unreachable, e.Host)
		c.failure(e)
	case "stats":
		o.Hosts, o.Finished = e.Hosts, true
	}
}

func (c *collector) ran(id string) {
	t := c.tasks[id]
	if t == nil || t.ran {
		return
	}
	t.ran = true
	c.outcome.TasksRan++
	if n := len(c.outcome.Plays); n > 0 {
		c.outcome.Plays[n-1].Tasks++
	}
	if t.wanted {
		c.outcome.WantedRan++
	}
}

func (c *collector) failure(e event) {
	f := Failure{Host: e.Host, Message: e.Message, Ignored: e.Ignored, Unreachable: e.Event == "unreachable"}
	if t := c.tasks[e.ID]; t != nil {
		f.Task, f.Path = t.Name, t.Path
	}
	c.outcome.Failures = append(c.outcome.Failures, f)
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}
