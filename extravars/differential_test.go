package extravars

import (
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The same arguments through a real ansible-core and through us: what raw Ansible makes of
// them is what we say it does, and what we send arrives as we say.
//
// SURESPRAY_DIFF_N sets the number of inputs, SURESPRAY_DIFF_SEED the first of them.
func TestDifferential(t *testing.T) {
	for core, name := range map[Core]string{Core218: "SURESPRAY_TEST_ANSIBLE_218", Core219: "SURESPRAY_TEST_ANSIBLE_219"} {
		t.Run(string(core), func(t *testing.T) {
			venv := os.Getenv(name)
			if venv == "" {
				t.Skip(name + " names no virtual environment with ansible-core; make test sets it")
			}
			inputs := generate(t, number("SURESPRAY_DIFF_N", 1000))
			compareRaw(t, core, venv, inputs)
			compareSent(t, core, venv, inputs)
		})
	}
}

func number(env string, otherwise int) int {
	if n, err := strconv.Atoi(os.Getenv(env)); err == nil {
		return n
	}
	return otherwise
}

// generate returns arguments; what is no argument stands in a file.
func generate(t *testing.T, n int) []string {
	t.Helper()
	g := generator{Rand: rand.New(rand.NewPCG(4, uint64(number("SURESPRAY_DIFF_SEED", 1))))}
	dir := t.TempDir()
	inputs := make([]string, n)
	for i := range inputs {
		inputs[i] = g.argument()
		if !isFile(inputs[i]) {
			continue
		}
		path := filepath.Join(dir, strconv.Itoa(i)+".yml")
		if err := os.WriteFile(path, []byte(inputs[i]), 0o600); err != nil {
			t.Fatal(err)
		}
		inputs[i] = "@" + path
	}
	return inputs
}

func compareRaw(t *testing.T, core Core, venv string, inputs []string) {
	t.Helper()
	questions := make([][]string, len(inputs))
	for i, text := range inputs {
		questions[i] = []string{text}
	}
	refused, differ := 0, 0
	for i, want := range askAnsible(t, venv, questions) {
		vars, _ := Parse(inputs[i:i+1], nil, nil)
		got := ""
		if raw := vars.Elements[0].Raw[core]; raw != nil {
			got = tagged(raw)
		}
		if want == "" {
			refused++
		}
		if got != want {
			if differ++; differ <= 20 {
				t.Errorf("%s\nraw  %s\nwant %s", content(inputs[i]), got, want)
			}
		}
	}
	t.Logf("%d arguments, %d of them refused by Ansible, %d differ", len(inputs), refused, differ)
}

// compareSent sends what is accepted, in lists of one to three for the order; with a schema
// also what was converted.
func compareSent(t *testing.T, core Core, venv string, inputs []string) {
	t.Helper()
	inputs = accepted(inputs)
	for _, schema := range []Schema{nil, testSchema} {
		var questions, texts [][]string
		var want []string
		for rest := inputs; len(rest) > 0; {
			args := rest[:min(len(rest), 1+len(rest)%3)]
			rest = rest[len(args):]
			vars, err := Parse(args, schema, nil)
			if err != nil { // text for a boolean
				continue
			}
			questions = append(questions, append([]string{}, writeFiles(t, vars)...))
			texts = append(texts, args)
			want = append(want, tagged(merged(t, core, vars, schema == nil)))
		}
		differ := 0
		for i, got := range askAnsible(t, venv, questions) {
			if got != want[i] {
				if differ++; differ <= 20 {
					t.Errorf("%s\nsent as  %s\narrives %s", content(texts[i]...), want[i], got)
				}
			}
		}
		t.Logf("%d lists of arguments sent (schema: %t), %d differ", len(questions), schema != nil, differ)
	}
}

func accepted(inputs []string) []string {
	var out []string
	for i := range inputs {
		if _, err := Parse(inputs[i:i+1], nil, nil); err == nil {
			out = append(out, inputs[i])
		}
	}
	return out
}

// merged is what a core must hold when the elements arrive.
func merged(t *testing.T, core Core, vars *Vars, sentIsRaw bool) Mapping {
	t.Helper()
	var all mappingBuilder
	for i := range vars.Elements {
		e := &vars.Elements[i]
		sent := e.Sent
		if e.Form == FormYAML || e.Form == FormFile {
			sent = e.Raw[core] // the cores differ on tags
		}
		for _, p := range sent {
			all.set(p.Key, p.Value)
		}
		if sentIsRaw {
			checkSentIsRaw(t, e)
		}
	}
	return all.mapping()
}

// checkSentIsRaw allows the promised conversions only: without a schema, bare true and
// false in key=value.
func checkSentIsRaw(t *testing.T, e *Element) {
	t.Helper()
	for _, p := range e.Sent {
		name, _ := p.Key.(string)
		raw, _ := e.Raw[Core219].Get(name)
		if _, isBool := p.Value.(bool); isBool && e.Form == FormKeyValue && strings.EqualFold(raw.(string), strconv.FormatBool(p.Value.(bool))) {
			continue
		}
		if name != "" && tagged(p.Value) != tagged(raw) {
			t.Errorf("%q: %s is sent as %v, raw %v", e.Text, name, p.Value, raw)
		}
	}
}

// content shows what stands in files.
func content(args ...string) string {
	var out []string
	for _, a := range args {
		if data, err := os.ReadFile(strings.TrimPrefix(a, "@")); err == nil && strings.HasPrefix(a, "@") {
			a = string(data)
		}
		out = append(out, strconv.Quote(a))
	}
	return strings.Join(out, " ")
}
