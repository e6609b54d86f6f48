package runner

import (
	"maps"
	"os"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/shirou/gopsutil/v4/process"
)

// tree is a process and all its descendants. It remembers those it has seen, since a
// child whose parent ended is no descendant any more: ansible-core 2.19's workers have
// sessions of their own, so the process group does not hold them.
type tree struct {
	leader int
	born   int64           // the leader's time of creation, in milliseconds
	seen   map[int32]int64 // pid -> time of creation, so that a reused pid is not ours
}

func newTree(leader int) *tree {
	// Without the leader's own time nothing older than now is taken for the run's.
	t := &tree{leader: leader, born: time.Now().UnixMilli(), seen: map[int32]int64{}}
	if p, err := process.NewProcess(int32(leader)); err == nil {
		if born, err := p.CreateTime(); err == nil {
			t.born = born
		}
	}
	t.look()
	return t
}

// look adds the present descendants of the leader, of what was seen before, and of
// orphans that came to us.
func (t *tree) look() {
	procs, err := process.Processes()
	if err != nil {
		return
	}
	children := map[int32][]*process.Process{}
	for _, p := range procs {
		if parent, err := p.Ppid(); err == nil {
			children[parent] = append(children[parent], p)
		}
	}
	for _, p := range children[orphanage()] {
		// Younger than the leader: an orphan of the run, not an older child of ours.
		if born, err := p.CreateTime(); err == nil && born >= t.born && !sshMaster(p) {
			t.seen[p.Pid] = born
		}
	}
	queue := append(slices.Collect(maps.Keys(t.seen)), int32(t.leader))
	visited := map[int32]bool{}
	for len(queue) > 0 {
		pid := queue[0]
		queue = queue[1:]
		if visited[pid] {
			continue
		}
		visited[pid] = true
		for _, c := range children[pid] {
			if born, err := c.CreateTime(); err == nil && !sshMaster(c) {
				t.seen[c.Pid] = born
				queue = append(queue, c.Pid)
			}
		}
	}
}

// sshMaster reports whether p is a connection that ssh keeps open on purpose
// (ControlPersist): it belongs to the user, not to the run.
func sshMaster(p *process.Process) bool {
	line, err := p.Cmdline()
	return err == nil && strings.HasPrefix(line, "ssh: ") && strings.HasSuffix(line, "[mux]")
}

// interrupt sends SIGINT to the leader, or to its whole group where it has one.
func (t *tree) interrupt(group bool) {
	pid := t.leader
	if group {
		pid = -pid
	}
	_ = syscall.Kill(pid, syscall.SIGINT) // gone already: fine
}

// kill ends every process of the tree, until none is left that was not seen before.
func (t *tree) kill() {
	for range 3 {
		before := len(t.seen)
		t.look()
		t.seen[int32(t.leader)] = t.born
		killAll(t.seen)
		if len(t.seen) == before {
			break
		}
	}
	pids := slices.Collect(maps.Keys(t.seen))
	reap(slices.DeleteFunc(pids, func(pid int32) bool { return pid == int32(t.leader) })) // cmd.Wait waits for that one
}

// killAll ends the processes that are still those seen: a reused pid is not.
func killAll(seen map[int32]int64) {
	for pid, born := range seen {
		if p, err := process.NewProcess(pid); err == nil {
			if now, err := p.CreateTime(); err == nil && now == born {
				_ = syscall.Kill(int(pid), syscall.SIGKILL)
			}
		}
	}
}

// Guard remembers our children and returns what ends those that came since: a plugin of a
// kubeconfig that hangs would keep our output open. What Ansible left running and was
// adopted by us is in another process group, and is let be.
func Guard() (end func()) {
	before := groupChildren()
	return func() {
		after := groupChildren()
		maps.DeleteFunc(after, func(pid int32, born int64) bool { return before[pid] == born })
		killAll(after)
	}
}

// groupChildren are our direct children in our own process group.
func groupChildren() map[int32]int64 {
	found := map[int32]int64{}
	self, err := process.NewProcess(int32(os.Getpid()))
	if err != nil {
		return found
	}
	children, err := self.Children()
	if err != nil {
		return found
	}
	for _, c := range children {
		group, err := syscall.Getpgid(int(c.Pid))
		if born, bornErr := c.CreateTime(); err == nil && bornErr == nil && group == syscall.Getpgrp() {
			found[c.Pid] = born
		}
	}
	return found
}
