package kubespray

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	listedPlay = regexp.MustCompile(`^  play #(\d+) \(`)
	listedTask = regexp.MustCompile(`^      (?:(\S+) : )?(.*?)\tTAGS: \[(.*)\]$`)
)

// listTasks asks a real Ansible what a playbook would run: "PLAY TASK TAGS" lines.
func listTasks(t *testing.T, c *Checkout) []string {
	t.Helper()
	venv := os.Getenv("SURESPRAY_TEST_ANSIBLE")
	if venv == "" {
		t.Skip("needs a real Ansible: set SURESPRAY_TEST_ANSIBLE to a virtual environment made from the checkout's requirements.txt")
	}
	cmd := exec.Command(filepath.Join(venv, "bin", "ansible-playbook"), "-i", "h1,", "cluster.yml", "--list-tasks")
	cmd.Dir = c.Dir
	cmd.Env = append(os.Environ(), "ANSIBLE_CONFIG="+c.ConfigFile(), "ANSIBLE_NOCOLOR=1", "ANSIBLE_CACHE_PLUGIN=memory")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("ansible-playbook --list-tasks: %v\n%s", err, out)
	}
	play := ""
	var lines []string
	for line := range strings.Lines(string(out)) {
		line = strings.TrimRight(line, "\r\n")
		if m := listedPlay.FindStringSubmatch(line); m != nil {
			play = m[1]
		} else if m := listedTask.FindStringSubmatch(line); m != nil && play != "" {
			tags := strings.Split(m[3], ", ")
			slices.Sort(tags)
			lines = append(lines, play+" | "+strings.Join(strings.Fields(m[2]), " ")+" | "+strings.Join(tags, ","))
		}
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// Every task that Ansible can list is found here with the same tags, and no other.
func TestTreeTasksEqualAnsibles(t *testing.T) {
	c := realTree(t)
	want := listTasks(t, c)
	cat, err := c.Catalogue("")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, task := range cat.Tasks {
		if len(task.Gates) > 0 || task.Rescue || slices.Contains(task.Tags, "never") {
			continue
		}
		name := strings.Join(strings.Fields(task.Name), " ")
		if task.Action == argumentSpec {
			name, _, _ = strings.Cut(task.Name, " against")
		} else if name == "" {
			name = task.Action
		}
		got = append(got, strconv.Itoa(task.Play.Index)+" | "+name+" | "+strings.Join(task.Tags, ","))
	}
	for i, line := range want {
		if before, after, ok := strings.Cut(line, " | Validating arguments against"); ok {
			want[i] = before + " | Validating arguments" + after[strings.LastIndex(after, " | "):]
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(slices.Compact(want), slices.Compact(got)); diff != "" {
		t.Errorf("tasks (-ansible +derived):\n%s", diff)
	}
}
