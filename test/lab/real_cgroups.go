package lab

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// cgroupMounts are where the machine's cgroups are: one place for each controller in
// version 1, one for all in version 2.
func cgroupMounts() (v1, v2 []string, err error) {
	file, err := os.Open("/proc/mounts")
	if err != nil {
		return nil, nil, err
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		switch fields := strings.Fields(lines.Text()); fields[2] {
		case "cgroup":
			v1 = append(v1, fields[1])
		case "cgroup2":
			v2 = append(v2, fields[1])
		}
	}
	return v1, v2, nil
}

// makeCgroups makes the cgroup of each node, in which its kubelet puts pods.
func makeCgroups(lab string, nodes []string) error {
	v1, v2, err := cgroupMounts()
	if err != nil {
		return err
	}
	for _, mount := range v1 {
		for _, node := range nodes {
			if err := makeCgroupV1(mount, lab, node); err != nil {
				return err
			}
		}
	}
	if len(v1) > 0 || len(v2) == 0 {
		return nil
	}
	for _, node := range nodes {
		for _, dir := range []string{v2[0], filepath.Join(v2[0], lab)} {
			if err := delegate(dir); err != nil {
				return err
			}
			if err := os.MkdirAll(filepath.Join(v2[0], lab, node), 0o755); err != nil {
				return err
			}
		}
	}
	return nil
}

// makeCgroupV1 makes the two levels; of its processors and memory a cpuset says nothing
// by itself.
func makeCgroupV1(mount, lab, node string) error {
	parent := mount
	for _, name := range []string{lab, node} {
		dir := filepath.Join(parent, name)
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
		for _, file := range []string{"cpuset.cpus", "cpuset.mems"} {
			content, err := os.ReadFile(filepath.Join(parent, file))
			if errors.Is(err, fs.ErrNotExist) {
				continue // another controller
			}
			if err == nil {
				err = os.WriteFile(filepath.Join(dir, file), content, 0o644)
			}
			if err != nil {
				return err
			}
		}
		parent = dir
	}
	return nil
}

// delegate lets the children of a cgroup of version 2 have what it has itself.
func delegate(dir string) error {
	content, err := os.ReadFile(filepath.Join(dir, "cgroup.controllers"))
	if err != nil {
		return err
	}
	for _, controller := range strings.Fields(string(content)) {
		if !slices.Contains([]string{"cpuset", "cpu", "io", "memory", "hugetlb", "pids"}, controller) {
			continue
		}
		if err := os.WriteFile(filepath.Join(dir, "cgroup.subtree_control"), []byte("+"+controller), 0o644); err != nil {
			return fmt.Errorf("giving %s the controller %s: %w", dir, controller, err)
		}
	}
	return nil
}

// removeCgroups removes the lab's cgroups. The kernel takes its time to end what is in
// them, so it is tried again for a while.
func removeCgroups(lab string) error {
	v1, v2, err := cgroupMounts()
	if err != nil {
		return err
	}
	const within = 10 * time.Second
	deadline := time.NewTimer(within)
	defer deadline.Stop()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		left := ""
		for _, mount := range append(v1, v2...) {
			if dir := filepath.Join(mount, lab); !removeTree(dir) {
				left = dir
			}
		}
		if left == "" {
			return nil
		}
		select {
		case <-tick.C:
		case <-deadline.C:
			return fmt.Errorf("%s is still in use after %s", left, within)
		}
	}
}

// removeTree removes a cgroup with its children, and reports whether it is gone. Its
// files go with it, and cannot be removed.
func removeTree(dir string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return errors.Is(err, fs.ErrNotExist)
	}
	for _, e := range entries {
		if e.IsDir() {
			removeTree(filepath.Join(dir, e.Name()))
		}
	}
	return os.Remove(dir) == nil
}
