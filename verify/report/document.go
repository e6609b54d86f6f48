// Package report turns a finished command into what people and programs read.
//
// A Document holds everything; each format is one file with one function that renders
// it. Nothing is decided here but the exit code of a verification: verdicts and causes
// come from the checks, Ansible's outcome from the runner, by way of cmd.
package report

import (
	"time"

	"github.com/surespray/surespray/verify"
)

// Schema is the version of the JSON document. It grows by new names; names that are
// there keep their meaning.
const Schema = 1

// Document is one report: of a verification, or of a run with its verification.
type Document struct {
	Schema   int             `json:"schema"`
	Command  string          `json:"command,omitempty"` // such as "surespray verify"
	Started  time.Time       `json:"started,omitzero"`
	TookMS   int64           `json:"took_ms,omitempty"`
	Cluster  Cluster         `json:"cluster"`
	Plan     *Plan           `json:"plan,omitempty"`
	Ansible  *Ansible        `json:"ansible,omitempty"`
	Changes  []Change        `json:"changes,omitempty"` // to the addons' objects; absent where nothing was compared
	Leftover []Leftover      `json:"leftover,omitempty"`
	Results  []verify.Result `json:"results"`
	Findings []Finding       `json:"findings"`
	Notes    []string        `json:"notes,omitempty"` // what was chosen and why, one line each
	Summary  verify.Counts   `json:"summary"`
	Exit     Exit            `json:"exit"`
}

// Cluster says what was looked at.
type Cluster struct {
	Name       string `json:"name,omitempty"`       // as .surespray.yml gives it
	Server     string `json:"server,omitempty"`     // address of the API server
	UID        string `json:"uid,omitempty"`        // of the namespace kube-system
	Version    string `json:"version,omitempty"`    // of the API server
	Kubeconfig string `json:"kubeconfig,omitempty"` // file, or where it came from
	Context    string `json:"context,omitempty"`
	Inventory  string `json:"inventory,omitempty"`
	Checkout   string `json:"checkout,omitempty"`
}

// Finding is one finding of the audit, about the inventory or the arguments.
type Finding struct {
	Severity string `json:"severity"` // error, warning or info
	Code     string `json:"code"`
	Key      string `json:"key,omitempty"`
	Message  string `json:"message"`
	File     string `json:"file,omitempty"`
	Line     int    `json:"line,omitempty"`
	Arg      *int   `json:"arg,omitempty"`
	Fix      string `json:"fix,omitempty"`
	Detail   string `json:"detail,omitempty"`   // what --accept CODE=DETAIL can narrow down to
	Accepted string `json:"accepted,omitempty"` // the reason for which it is accepted
}

// Plan is what a run was to do.
type Plan struct {
	Argv      []string `json:"argv"`
	Dir       string   `json:"dir"`
	Tags      []string `json:"tags"`
	Limit     string   `json:"limit,omitempty"`
	Playbooks []string `json:"playbooks,omitempty"`
	Ansible   string   `json:"ansible,omitempty"` // path and version of the program
	Config    string   `json:"config,omitempty"`  // ansible.cfg in force

	// Of addon apply, read from the checkout.
	Added  []AddedTag    `json:"added_tags,omitempty"` // tags that nobody named
	Roles  []PlannedRole `json:"roles,omitempty"`      // what the tags select
	Always []PlannedRole `json:"always,omitempty"`     // what runs with any tags
}

// AddedTag is a tag that what is asked for needs beside its own.
type AddedTag struct {
	Tag    string `json:"tag"`
	Reason string `json:"reason"`
}

// PlannedRole is what a run may do of a role, or of a play itself.
type PlannedRole struct {
	Role  string   `json:"role,omitempty"`
	Play  string   `json:"play"`
	When  []string `json:"when,omitempty"` // conditions, as the checkout has them
	Tasks int      `json:"tasks"`
	Names []string `json:"names,omitempty"` // the first tasks
}

// Ansible is the outcome of a run in Ansible's words.
type Ansible struct {
	ExitCode int             `json:"exit_code"`
	Class    string          `json:"class"` // ok, failed, unreachable, nothing-ran, cancelled, killed
	Summary  string          `json:"summary,omitempty"`
	LastTask string          `json:"last_task,omitempty"` // where a cancelled run stopped
	TookMS   int64           `json:"took_ms,omitempty"`
	Hosts    map[string]Host `json:"hosts"`
	Failures []Failure       `json:"failures"`
	Plays    []Play          `json:"plays"`
}

// Host is a host's line of Ansible's recap.
type Host struct {
	OK          int `json:"ok"`
	Changed     int `json:"changed"`
	Unreachable int `json:"unreachable"`
	Failed      int `json:"failed"`
	Skipped     int `json:"skipped"`
	Rescued     int `json:"rescued"`
	Ignored     int `json:"ignored"`
}

// Failure is a task that failed on a host, or a host that could not be reached.
type Failure struct {
	Host        string `json:"host"`
	Task        string `json:"task,omitempty"`
	Path        string `json:"path,omitempty"` // FILE:LINE
	Message     string `json:"message"`
	Ignored     bool   `json:"ignored,omitempty"`
	Unreachable bool   `json:"unreachable,omitempty"`
}

// Play is a play that started.
type Play struct {
	Name    string `json:"name"`
	NoHosts bool   `json:"no_hosts,omitempty"`
	Tasks   int    `json:"tasks"` // tasks that at least one host did
}

// Exit is how the command ends. Message and Next are for errors that no result tells.
type Exit struct {
	Code     int    `json:"code"`
	Category string `json:"category"`
	Message  string `json:"message,omitempty"`
	Next     string `json:"next,omitempty"`
}
