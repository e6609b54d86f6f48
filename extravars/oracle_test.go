package extravars

import (
	"bufio"
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// askAnsible hands lists of -e texts to the ansible-core of a virtual environment, in
// one process, and returns what it makes of each: a tagged value as text, or "" where it
// refuses.
func askAnsible(t *testing.T, venv string, questions [][]string) []string {
	t.Helper()
	ansible := exec.CommandContext(t.Context(), filepath.Join(venv, "bin", "python"), "testdata/oracle.py")
	ansible.Stderr = os.Stderr
	in, err := ansible.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := ansible.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := ansible.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer in.Close()
		enc := json.NewEncoder(in)
		for _, q := range questions {
			if enc.Encode(q) != nil {
				return
			}
		}
	}()
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, 64<<20)
	var answers []string
	for first := true; lines.Scan(); first = false {
		if first {
			t.Logf("ansible-core %s", lines.Text())
			continue
		}
		answers = append(answers, readAnswer(t, lines.Text()))
	}
	if err := ansible.Wait(); err != nil || len(answers) != len(questions) {
		t.Fatalf("%d answers to %d questions: %v", len(answers), len(questions), err)
	}
	return answers
}

func readAnswer(t *testing.T, line string) string {
	t.Helper()
	v, err := readJSON(line)
	if err != nil {
		t.Fatalf("%s: %v", line, err)
	}
	value, ok := v.(Mapping).Get("out")
	if !ok {
		return ""
	}
	text, _ := encode(normal(value))
	return string(text)
}

// normal makes the two sides write floats alike and sets in one order.
func normal(tagged any) any {
	t, ok := tagged.([]any)
	if !ok || len(t) != 2 {
		return tagged
	}
	switch items, _ := t[1].([]any); t[0] {
	case "float":
		f, _ := strconv.ParseFloat(t[1].(string), 64)
		return []any{"float", fmt.Sprint(f)}
	case "list", "tuple":
		for i := range items {
			items[i] = normal(items[i])
		}
	case "set":
		slices.SortFunc(items, func(a, b any) int { return cmp.Compare(fmt.Sprint(a), fmt.Sprint(b)) })
	case "dict":
		for _, pair := range items {
			p := pair.([]any)
			p[0], p[1] = normal(p[0]), normal(p[1])
		}
	}
	return t
}

// tagged is the same text for a value of ours.
func tagged(v any) string {
	text, _ := encode(normal(tag(v, false)))
	return string(text)
}

func tag(v any, key bool) any {
	switch v := v.(type) {
	case nil:
		return []any{"null", ""}
	case bool:
		return []any{"bool", map[bool]string{true: "True", false: "False"}[v]}
	case int64:
		return []any{"int", strconv.FormatInt(v, 10)}
	case *big.Int:
		return []any{"int", v.String()}
	case float64:
		if math.IsNaN(v) {
			return []any{"float", "nan"}
		}
		return []any{"float", strconv.FormatFloat(v, 'g', -1, 64)}
	case string:
		return []any{"string", v}
	case Unsafe:
		if key {
			return []any{"string", string(v)}
		}
		return []any{"unsafe", string(v)}
	case Vault:
		return []any{"vault", string(v)}
	case Date:
		return []any{"date", string(v)}
	case Timestamp:
		return []any{"timestamp", string(v)}
	case Binary:
		return []any{"binary", hex.EncodeToString([]byte(v))}
	case Set:
		return []any{"set", tagAll(v)}
	case Tuple:
		return []any{"tuple", tagAll(v[:])}
	case []any:
		return []any{"list", tagAll(v)}
	case Mapping:
		pairs := []any{}
		for _, p := range v {
			pairs = append(pairs, []any{tag(p.Key, true), tag(p.Value, false)})
		}
		return []any{"dict", pairs}
	}
	panic(fmt.Sprintf("%T", v))
}

func tagAll(list []any) []any {
	out := []any{}
	for _, v := range list {
		out = append(out, tag(v, false))
	}
	return out
}

// writeFiles returns the texts of -e that Ansible gets from us.
func writeFiles(t *testing.T, v *Vars) []string {
	t.Helper()
	argv, err := v.Write(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	var texts []string
	for i, a := range argv {
		if i%2 == 1 {
			texts = append(texts, a)
		} else if a != "-e" || !strings.HasPrefix(argv[i+1], "@/") {
			t.Fatalf("argv %q", argv)
		}
	}
	return texts
}
