package extravars

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"github.com/google/go-cmp/cmp"
)

type kvVector struct {
	In  string
	Out map[string]string
	Err string
}

func kvVectors(t testing.TB) []kvVector {
	t.Helper()
	f, err := os.Open("testdata/kv_vectors.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	var all []kvVector
	for lines := bufio.NewScanner(f); lines.Scan(); {
		var v kvVector
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}

// The vectors were made by a real ansible-core 2.19.11.
func TestKeyValueVectors(t *testing.T) {
	for _, v := range kvVectors(t) {
		raw := splitKeyValue(v.In).raw()
		if v.Err != "" || raw == nil {
			if v.Err == "" || raw != nil {
				t.Errorf("%q: %v, want %q %v", v.In, raw, v.Err, v.Out)
			}
			continue
		}
		got := map[string]string{}
		for _, p := range raw {
			got[p.Key.(string)] = p.Value.(string)
		}
		if diff := cmp.Diff(v.Out, got); diff != "" {
			t.Errorf("%q: %s", v.In, diff)
		}
	}
}
