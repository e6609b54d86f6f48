package extravars

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

// The grammar: whatever comes, the argument is either refused with a place in it, or what is
// sent reads back as what it was meant to be.
func FuzzKeyValue(f *testing.F) {
	for _, v := range kvVectors(f) {
		f.Add(v.In)
	}
	f.Fuzz(func(t *testing.T, text string) {
		kv := splitKeyValue(text)
		if kv.raw() == nil {
			if kv.bad < 0 || kv.bad > len(text) {
				t.Fatalf("%q: the trouble is at %d", text, kv.bad)
			}
			return
		}
		for _, p := range kv.pairs {
			if p.pos < 0 || p.pos >= len(text) || trimSpace(p.key) != p.key {
				t.Fatalf("%q: %+v", text, p)
			}
		}
		checkParse(t, text)
	})
}

// Every form, and what is said about it.
func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "a=1", "{a: yes}", `{"a": [1.5, "\u00e9"]}`, "[a]", "/x", "{a: {{ b }}}", "{a: !vault x, b: *c}", "{<<: [{a: 1}], 1: 2}", "password='x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !strings.HasPrefix(text, "@") {
			checkParse(t, text)
		}
	})
}

func checkParse(t *testing.T, text string) {
	t.Helper()
	vars, err := Parse([]string{text}, testSchema, nil)
	e := vars.Elements[0]
	var usage *UsageError
	if errors.As(err, &usage) {
		if e.Sent != nil || usage.Caret > utf8.RuneCountInString(usage.Text) || strings.ContainsAny(usage.Error(), "\n\t") {
			t.Fatalf("%q: %+v", text, usage)
		}
		return
	}
	data, isJSON := e.Content()
	if data == nil {
		return
	}
	doc, err := readDocument(string(data))
	if err != nil || doc.json != isJSON {
		if strings.Contains(string(data), `\ud`) {
			return // a lone surrogate has no YAML form
		}
		t.Fatalf("%q is sent as %q: %v", text, data, err)
	}
	if got := tagged(doc.value); got != tagged(e.Sent) && !strings.Contains(string(data), `\ud`) {
		t.Fatalf("%q: sent %s, reads back %s", text, tagged(e.Sent), got)
	}
}

// The scalar rules: the type that a text has by its looks is the type of the value, and
// written out it reads back as the same.
func FuzzScalar(f *testing.F) {
	for _, s := range []string{"yes", "0755", "1:30", "1_000", "0x1f", "1e3", "1.0e+3", ".inf", "2024-01-02", "2024-01-02T03:04:05.6 +07:00", "~", "<<", "=", "190:20:30.15", "-0b1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		tag := implicitTag(text)
		v, err := scalarValue(tag, text)
		if err != nil {
			return
		}
		want := map[string]Type{tagNull: Null, tagBool: Bool, tagInt: Int, tagFloat: Float, tagString: String, tagTimestamp: Unknown}[tag]
		if TypeOf(v) != want {
			t.Fatalf("%q: %s, but %T", text, tag, v)
		}
		data, _ := encode(Mapping{{"a", v}})
		doc, err := readDocument(string(data))
		if err != nil {
			if utf8.ValidString(text) {
				t.Fatalf("%q as %q: %v", text, data, err)
			}
			return
		}
		if got := tagged(doc.value); got != tagged(Mapping{{"a", v}}) && !strings.Contains(string(data), `\ud`) { // surrogates join to a pair
			t.Fatalf("%q: %s reads back %s", text, data, got)
		}
	})
}
