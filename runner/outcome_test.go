package runner

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOutcomeOfEvents(t *testing.T) {
	const (
		start = `{"event":"play","name":"p","time":1}` + "\n" + `{"event":"task","id":"1","name":"t","path":"f:3","tags":["x"]}` + "\n"
		stats = `{"event":"stats","hosts":{"n1":{"ok":1}}}` + "\n"
	)
	for _, tt := range []struct {
		name, events string
		rc           int
		class        Class
		status       int
	}{
		{"ok", start + `{"event":"ran","id":"1","host":"n1"}` + "\n" + stats, 0, ClassOK, 0},
		{"nothing ran", start + stats, 0, ClassNothingRan, 66},
		{"no host", `{"event":"play","name":"p"}` + "\n" + `{"event":"no_hosts_matched"}` + "\n" + `{"event":"stats","hosts":{}}`, 0, ClassNothingRan, 66},
		{"failed", start + `{"event":"failed","id":"1","host":"n1","message":"m"}` + "\n" + stats, 2, ClassFailed, 2},
		{"ignored failure", start + `{"event":"failed","id":"1","host":"n1","ignored":true}` + "\n" + stats, 0, ClassOK, 0},
		{"failed behind rc 0", start + `{"event":"stats","hosts":{"n1":{"failures":1}}}`, 0, ClassFailed, 2},
		{"unreachable", start + `{"event":"unreachable","id":"1","host":"n1"}` + "\n" + stats, 4, ClassUnreachable, 4},
		{"unreachable behind rc 0", start + `{"event":"ran","id":"1","host":"n2"}` + "\n" + `{"event":"unreachable","id":"1","host":"n1"}` + "\n" + stats, 0, ClassUnreachable, 4},
		{"parser error has code 4 too", "", 4, ClassFailed, 4},
		{"cut line", start + `{"event":"ran","id":"1","host":"n1"}` + "\n" + `{"event":"fai`, 2, ClassFailed, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "events")
			if err := os.WriteFile(path, []byte(tt.events), 0o600); err != nil {
				t.Fatal(err)
			}
			o := Outcome{ExitCode: tt.rc}
			c := collector{outcome: &o, wanted: func([]string) bool { return true }, tasks: map[string]*Task{}}
			if err := readEvents(path, c.add); err != nil {
				t.Fatal(err)
			}
			if o.Class() != tt.class || o.ExitStatus() != tt.status {
				t.Errorf("got %s %d, want %s %d", o.Class(), o.ExitStatus(), tt.class, tt.status)
			}
			if o.Summary() == "" {
				t.Error("no summary")
			}
		})
	}
}

func TestWants(t *testing.T) {
	for _, tt := range []struct {
		asked []string
		task  []string
		want  bool
	}{
		{nil, nil, true},
		{[]string{"apps,helm"}, []string{"apps", "x"}, true},
		{[]string{"helm"}, []string{"always"}, false},
		{[]string{"all"}, nil, true},
		{[]string{"tagged"}, nil, false},
		{[]string{"untagged"}, nil, true},
		{[]string{"a", "b"}, []string{"b"}, true},
	} {
		p := Plan{Flags: AnsibleArgs{"tags": tt.asked}}
		if got := p.Wants(tt.task); got != tt.want {
			t.Errorf("--tags %v, task %v: got %v", tt.asked, tt.task, got)
		}
	}
}

func TestRecapIsTheFallback(t *testing.T) {
	const printed = "PLAY [Bootstrap] *****\n\nTASK [role : \x1b[0;32mname\x1b[0m] ****\nok: [cp1]\n\nPLAY [rr] **\nskipping: no hosts matched\n\n" +
		"PLAY RECAP *****\n\x1b[0;32mcp1\x1b[0m                        : \x1b[0;32mok=5   \x1b[0m changed=1    unreachable=0    failed=0    skipped=8    rescued=0    ignored=0   \n" +
		"w2 : ok=0 changed=0 unreachable=1 failed=0 skipped=0 rescued=0 ignored=0\n"
	var r recapReader
	for i := range printed { // in pieces of one byte
		if _, err := r.Write([]byte(printed[i : i+1])); err != nil {
			t.Fatal(err)
		}
	}
	var o Outcome
	r.fill(&o)
	want := map[string]HostStats{"cp1": {OK: 5, Changed: 1, Skipped: 8}, "w2": {Unreachable: 1}}
	if diff := cmp.Diff(want, o.Hosts); diff != "" {
		t.Error(diff)
	}
	if o.Class() != ClassUnreachable || len(o.Plays) != 2 || !o.Plays[1].NoHosts || o.LastTask.Name != "role : name" || !o.Finished {
		t.Errorf("got %s %+v", o.Class(), o)
	}
}
