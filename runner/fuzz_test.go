package runner

import (
	"os"
	"path/filepath"
	"testing"
)

// Whatever a program prints, the reader of recaps neither fails nor counts below zero.
func FuzzRecap(f *testing.F) {
	f.Add([]byte("PLAY [a] ***\n\nTASK [b : c] ***\nok: [x]\n\nPLAY RECAP ***\nx : ok=1 changed=0 unreachable=0 failed=0 skipped=0 rescued=0 ignored=0\n"))
	f.Add([]byte("\x1b[0;31mx\x1b[0m : ok=99999999999999999999 failed=\r\n"))
	f.Fuzz(func(t *testing.T, printed []byte) {
		var r recapReader
		if n, err := r.Write(printed); n != len(printed) || err != nil {
			t.Fatalf("%d of %d, %v", n, len(printed), err)
		}
		var o Outcome
		r.fill(&o)
		if o.Summary() == "" || o.TasksRan < 0 {
			t.Errorf("%+v", o)
		}
	})
}

// Whatever stands in the file of events, reading it ends in an outcome.
func FuzzEvents(f *testing.F) {
	f.Add([]byte(`{"event":"play","name":"p","time":1e3}` + "\n" + `{"event":"task","id":"1","tags":["a"]}` + "\n" + `{"event":"ran","id":"1"}`))
	f.Add([]byte(`{"event":"stats","hosts":{"h":{"failures":1}}}` + "\n{\x00"))
	f.Fuzz(func(t *testing.T, content []byte) {
		path := filepath.Join(t.TempDir(), "events")
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
		var o Outcome
		c := collector{outcome: &o, wanted: func([]string) bool { return true }, tasks: map[string]*Task{}}
		if err := readEvents(path, c.add); err != nil {
			t.Fatal(err)
		}
		if o.Summary() == "" {
			t.Error("no summary")
		}
	})
}
