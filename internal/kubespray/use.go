package kubespray

import (
	"regexp"
	"slices"
	"strings"
)

// Play is what the catalogue needs to know of a play.
type Play struct {
	Index int // from 1, in the order in which Ansible runs them
	Name  string
	Hosts string
	File  string // below the checkout
}

// Use is one way by which a play comes to a role.
type Use struct {
	Role string // path below roles/, such as kubernetes-apps/metrics_server
	Play Play
	// Via is how: role, dependency, import_role or include_role.
	Via string
	// Own are the tags of the entry itself: its tags, for an include those that it
	// applies.
	Own []string
	// When are the conditions collected along the way, outermost first.
	When []string
	// Tags are the tags that reach the role's tasks and open every gate before them.
	Tags []string
	// TaskTags counts the tags that single tasks have besides Tags.
	TaskTags map[string]int
	// Tasks counts the role's own tasks.
	Tasks int
	// Parameters are the variables that the entry hands to the role.
	Parameters []string
	// Helper is true when the role only hands parameters on to a dependency that
	// does the work, as kubelet-csr-approver does.
	Helper bool
	// FirstControlPlane is true when the conditions leave only the first
	// control-plane host.
	FirstControlPlane bool
	// NeedsFirstControlPlane is true also when only some of its tasks say so.
	NeedsFirstControlPlane bool

	whole  bool // its tasks/main, not another file of its tasks
	dir    string
	parent *Use
	scope  scope
	task   []Task
}

// finish counts what is known once the role's tasks were walked.
func (u *Use) finish() {
	u.TaskTags = map[string]int{}
	u.FirstControlPlane = slices.ContainsFunc(u.When, firstControlPlaneOnly)
	u.NeedsFirstControlPlane = u.FirstControlPlane
	for _, t := range u.task {
		if t.Action == argumentSpec {
			continue
		}
		u.Tasks++
		u.NeedsFirstControlPlane = u.NeedsFirstControlPlane || slices.ContainsFunc(t.When, firstControlPlaneOnly)
		for _, tag := range t.Tags {
			if !slices.Contains(u.scope.tags, tag) {
				u.TaskTags[tag]++
			}
		}
	}
	u.Helper = u.Helper && u.Tasks == 0
}

// conditions are those under which the way is taken, whatever the host.
func (u *Use) conditions() []string {
	var out []string
	for _, c := range u.When {
		if !firstControlPlaneOnly(c) {
			out = append(out, strings.TrimSpace(c))
		}
	}
	return out
}

const argumentSpec = "validate_argument_spec"

var firstControlPlane = regexp.MustCompile(`^\(?\s*inventory_hostname\s*==\s*\(?\s*groups(?:\['kube_control_plane'\]|\["kube_control_plane"\]|\.kube_control_plane)\s*(?:\[0\]|\|\s*first)\s*\)?\s*\)?$`)

// firstControlPlaneOnly is true for the condition by which a task or role runs on
// the first control-plane host alone.
func firstControlPlaneOnly(condition string) bool {
	return firstControlPlane.MatchString(strings.TrimSpace(condition))
}

// Task is one task with the tags that select it.
type Task struct {
	Name   string
	Action string
	Role   string // empty for a task of a play
	Play   Play
	Tags   []string   // sorted
	Gates  [][]string // tags of the dynamic includes before it
	When   []string   // its own conditions and those of its blocks
	Rescue bool       // runs only after a failure
	// Deletes is the command by which the task deletes objects of the cluster, or "".
	Deletes string
	// Released is true when the task takes something that the download role fetches.
	Released bool
	File     string // below the checkout
	Line     int

	use *Use // the way to its role; nil for a task of a play
}
