package cluster

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/surespray/surespray/verify"
)

// timelineState is one state of timeline.yaml: what differs from the one before. Besides
// objects, logs and errors it may tell metrics-server's state in short.
type timelineState struct {
	T       moments           `json:"t"`
	Objects []map[string]any  `json:"objects"`
	Without []string          `json:"without"` // KIND [NAMESPACE/]NAME that are gone
	Logs    map[string]string `json:"logs"`    // by file name
	Errors  refusals          `json:"api_errors"`

	APIService  *shortCondition `json:"apiservice"`
	Ready       *int            `json:"ready"` // pods of metrics-server
	Log         *string         `json:"log"`
	NodeMetrics *[]string       `json:"node_metrics"` // names
}

type shortCondition struct {
	Status  string `json:"status"`
	Reason  string `json:"reason"`
	Message string `json:"message"`
}

// moments is a time since the beginning: 20s, or a number of seconds.
type moments time.Duration

// UnmarshalJSON reads both.
func (t *moments) UnmarshalJSON(raw []byte) error {
	text := strings.Trim(string(raw), `"`)
	d, err := time.ParseDuration(text)
	if err != nil {
		d, err = time.ParseDuration(text + "s")
	}
	if err != nil || d < 0 {
		return fmt.Errorf("t: %s is no time since the beginning, such as 20s", raw)
	}
	*t = moments(d)
	return nil
}

// unroll makes the states of the timeline. The clock starts with the first of them.
func (s *Snapshot) unroll(states []timelineState, f *folder) error {
	if len(states) == 0 {
		return nil
	}
	if !slices.IsSortedFunc(states, func(a, b timelineState) int { return int(a.T - b.T) }) {
		return errors.New("the states are not in the order of their times")
	}
	if slices.ContainsFunc(states, timelineState.short) {
		s.addMetricsServer(strings.Fields(string(f.read(nodesFile))), states)
	}
	present := moment{Snapshot: s, objects: s.objects, logs: s.logs, refusals: s.refusals}
	for i, state := range states {
		present.objects, present.logs, present.refusals = present.objects.clone(), maps.Clone(present.logs), maps.Clone(present.refusals)
		if err := present.apply(state); err != nil {
			return fmt.Errorf("state %d: %w", i+1, err)
		}
		if s.Partial {
			present.objects.fillIn()
		}
		s.later = append(s.later, present)
		s.begins = append(s.begins, s.now.Add(time.Duration(state.T)))
	}
	s.clock = verify.NewSimulated(s.begins[0])
	return nil
}

// apply changes a moment into that of a state.
func (m *moment) apply(state timelineState) error {
	for _, o := range state.Objects {
		if err := m.objects.putAny(o); err != nil {
			return err
		}
	}
	for _, gone := range state.Without {
		if !m.objects.remove(gone) {
			return fmt.Errorf("without: there is no %q; name it as KIND NAMESPACE/NAME", gone)
		}
	}
	maps.Copy(m.logs, state.Logs)
	for key, refusal := range state.Errors {
		if m.refusals[key] = refusal; refusal.Status == 0 {
			delete(m.refusals, key) // answered from now on
		}
	}
	m.applyShort(state)
	return nil
}

// remove takes an object away. Its shelf stays, and is told as a whole from now on.
func (s store) remove(what string) bool {
	kind, key, _ := strings.Cut(what, " ")
	namespace, name, ok := strings.Cut(strings.TrimSpace(key), "/")
	if !ok {
		namespace, name = "", namespace
	}
	for _, sh := range s {
		if _, there := sh.objects[objectKey{namespace, name}]; there && strings.EqualFold(sh.kind, kind) {
			delete(sh.objects, objectKey{namespace, name})
			sh.complete = true
			return true
		}
	}
	return false
}
