// Package verify is the model of a verification and the engine that runs it.
//
// A Check asks one question and answers with Findings. The Engine runs checks in
// dependency order, asks again while the answer is "not yet", and turns the last
// answer of each into a Result. The package knows no cluster, no flag and no
// format: those are verify/cluster, cmd and verify/report.
package verify

import (
	"context"
	"slices"
	"time"
)

// Verdict is the outcome of a check for one subject.
type Verdict string

// The five verdicts. Unknown is never a pass.
const (
	VerdictPass    Verdict = "pass"
	VerdictWarn    Verdict = "warn"
	VerdictFail    Verdict = "fail"
	VerdictUnknown Verdict = "unknown" // we looked and could not see
	VerdictSkip    Verdict = "skip"    // does not apply, or no route was given
)

// Finding is one answer of a check for one subject.
type Finding struct {
	Subject  string   // a node, a claim …; empty where the check has one subject
	Verdict  Verdict  // what is said if this is the last answer
	Retry    bool     // the answer may change by itself: ask again until the deadline
	Moving   bool     // with Retry: a rollout or a warm-up is under way, the longer deadline counts
	Stops    bool     // what needs this check cannot be answered: it is skipped, caused by this one
	Cause    string   // short code of the root, such as kubelet-cert-no-san
	CausedBy string   // id of the check that names the root; for consequences
	Summary  string   // one sentence
	On       []string // where the cause sits, when that is not the subject: nodes …
	Of       int      // how many subjects were looked at; 0: does not matter
	Evidence []string // what was seen: object, condition, log line, address
	Fix      []string // what to do next, as commands or variables
	Details  []string // lines for those who want more: numbers, tables
}

// Access is one right that a check needs, as in a ClusterRole.
type Access struct {
	Group, Resource, Verb string
	Optional              bool // of a second role: without it the check is skipped, not unknown
}

// Check is one question with a stable id.
type Check struct {
	ID       string        // such as metrics-server.apiservice
	Title    string        // what is proven when it passes
	Area     string        // such as metrics-server
	Also     []string      // other names by which people ask for it, such as hpa
	Needs    []string      // ids that must have run before this one; unknown ones are ignored
	Together string        // checks with the same word are asked in the same rounds, so that their answers fit together
	Within   time.Duration // how long an answer may change; 0: the engine's default
	Every    time.Duration // pause between two tries; 0: the engine's default
	Access   []Access      // what it reads
	Help     string        // what it asks, and a link
	// Run asks once. It returns at least one Finding, and within ctx's deadline.
	// FreshSince(ctx) says how old what it rests on may be.
	Run func(ctx context.Context) []Finding
}

// In reports whether the check is meant by the name of an area.
func (c Check) In(area string) bool { return c.Area == area || slices.Contains(c.Also, area) }

// Result is the last answer of a check for one subject. ID and Subject together
// are unique in a report.
type Result struct {
	ID       string   `json:"id"`
	Subject  string   `json:"subject,omitempty"`
	Title    string   `json:"title"`
	Verdict  Verdict  `json:"verdict"`
	Cause    string   `json:"cause,omitempty"`
	CausedBy string   `json:"caused_by,omitempty"`
	Summary  string   `json:"summary"`
	On       []string `json:"on,omitempty"`
	Of       int      `json:"of,omitempty"`
	Evidence []string `json:"evidence"`
	Fix      []string `json:"fix"`
	Details  []string `json:"details,omitempty"`
	Accepted string   `json:"accepted,omitempty"` // the reason for which it does not count
	Attempts int      `json:"attempts"`
	TookMS   int64    `json:"took_ms"`
}

// Counts is how many results there are of each verdict.
type Counts struct {
	Pass    int `json:"pass"`
	Warn    int `json:"warn"`
	Fail    int `json:"fail"`
	Unknown int `json:"unknown"`
	Skip    int `json:"skip"`
}

// Count counts the verdicts.
func Count(results []Result) Counts {
	var c Counts
	for _, r := range results {
		switch r.Verdict {
		case VerdictPass:
			c.Pass++
		case VerdictWarn:
			c.Warn++
		case VerdictFail:
			c.Fail++
		case VerdictSkip:
			c.Skip++
		default:
			c.Unknown++
		}
	}
	return c
}
