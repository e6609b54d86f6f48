package extravars

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// generator makes arguments of all forms: what people write, and what nobody does.
type generator struct {
	*rand.Rand
	clean bool // nothing that is surely refused
}

func (g generator) pick(words ...string) string { return words[g.IntN(len(words))] }

func (g generator) chance(percent int) bool { return g.IntN(100) < percent }

// several joins up to n pieces.
func (g generator) several(n int, sep string, piece func() string) string {
	parts := make([]string, g.IntN(n+1))
	for i := range parts {
		parts[i] = piece()
	}
	return strings.Join(parts, sep)
}

// noisy is pick with more words when the argument may be refused.
func (g generator) noisy(words []string, more ...string) string {
	if g.clean {
		return g.pick(words...)
	}
	return g.pick(append(words, more...)...)
}

func (g generator) argument() string {
	g.clean = g.chance(60)
	switch g.IntN(10) {
	case 0, 1:
		return g.keyValueNoise()
	case 2, 3:
		return g.keyValue()
	case 4, 5:
		return g.json(3, "{")
	case 6, 7, 8:
		return g.flow(3, "{")
	}
	return g.block(0)
}

// isFile tells apart what goes into a file: a block of lines is no argument.
func isFile(text string) bool { return strings.HasSuffix(text, "\n...\n") }

// keyValueNoise tries the grammar with what it is made of.
func (g generator) keyValueNoise() string {
	return g.several(9, "", func() string {
		return g.pick("a", "b=", "k=v", " ", "  ", "\n", "\t", `\`, ` \ `, " \\\n", `'`, `"`, `\'`, `\"`, "{{ v }}", "{{", "}}", "{%", "%}", "{#", "#}", "{", "}",
			`\n`, `\x41`, `\u00e9`, `\x4`, `\q`, `\101`, `\\`, "é", "=", "==", `\=`, "k='q r'", `k="q r"`, "x=[1, 2]", "\u00a0", "\r", "\x1c", "\U0001f600")
	})
}

func (g generator) keyValue() string {
	return g.several(4, g.pick(" ", " ", " ", "  ", "\n", " \\\n "), func() string {
		value := g.pick("true", "False", "yes", "off", "1", "0700", "1.30", "", "null", "~", "x,y", "a/b:c", "{{ x }}", "{{ x | default('p q') }}", "é", `C:\new`, "[1,2]",
			`{"a":1}`, "it's", "x\ty", "10.0.0.0/8", g.plain())
		if q := g.pick("", "", "'", `"`); q != "" {
			value = q + g.pick(value, value+" "+value, "", " ", `\n`, "l1\nl2") + q
		}
		return g.name() + "=" + value
	})
}

func (g generator) name() string {
	return g.pick("a", "b", "c", "helm_enabled", "kube_version", "a.b", "a-b", "1a", `"a"`, "é", fmt.Sprint("v", g.IntN(9)))
}

// json is nearly always valid JSON.
func (g generator) json(depth int, open string) string {
	blank := func() string { return g.pick("", "", " ", "\n", "\t") }
	item := func() string {
		switch {
		case depth > 0 && g.chance(30):
			return g.json(depth-1, g.pick("{", "["))
		case g.chance(60):
			return g.jsonText()
		}
		return g.noisy([]string{
			"1", "-1", "0", "-0", "1.0", "1.30", "1e3", "1E+3", "1.5e-7", "1e400", "123456789012345678901234567890", "true", "false", "null", "NaN", "Infinity",
			"-Infinity",
		}, "01", "1.", ".5", "+1", "nul", "True", "0x1f", "1_000", "yes")
	}
	sep := blank() + "," + blank()
	if open == "[" {
		return "[" + blank() + g.several(3, sep, item) + blank() + "]"
	}
	return "{" + blank() + g.several(3, sep, func() string {
		key := g.pick(`"a"`, `"b"`, `"c"`, `"a"`, g.jsonText())
		if g.chance(10) {
			return `"d":{` + g.pick(`"__ansible_unsafe"`, `"__ansible_vault"`) + ":" + g.jsonText() + "}"
		}
		return key + blank() + ":" + blank() + item()
	}) + g.noisy([]string{"", ""}, ",") + blank() + "}" + g.noisy([]string{"", "", " ", "\n"}, "x", " # c")
}

func (g generator) jsonText() string {
	return `"` + g.several(4, "", func() string {
		return g.noisy([]string{"a", "yes", " ", `\n`, `\"`, `\\`, `\/`, `\u00e9`, `\ud83d\ude00`, "é", "😀", "{{ x }}", "'", ":", "#", "%", "@", "$ANSIBLE_VAULT;1.1;AES256\\n33"},
			"\t", `\x41`, "\n", "\u0085", "\u2028", `\e`)
	}) + `"`
}

// flow is YAML in flow style.
func (g generator) flow(depth int, open string) string {
	item := func() string {
		if depth > 0 && g.chance(25) {
			return g.flow(depth-1, g.pick("{", "["))
		}
		return g.scalar()
	}
	sep := g.noisy([]string{", ", " , ", ",\n "}, ",")
	if open == "[" {
		return "[" + g.several(3, sep, item) + g.pick("", "", "", " ,") + "]"
	}
	return "{" + g.several(3, sep, func() string {
		if g.chance(5) {
			return "<<: " + g.pick("{a: 1, a: 2}", "[{a: 1}, {a: 2, '1': 3}]", "{<<: {b: 1}, b: 2}", g.flow(1, "{"))
		}
		key := g.noisy([]string{"a", "b", "c", "d", `"q"`, "'s'", "yes", "1", "=", "? e", "!!str 1", "2024-01-02", "1.0", "~"}, g.plain(), "&k f", "-", "[1]", "<<")
		return key + g.noisy([]string{": ", " : "}, ":", "") + item()
	}) + g.noisy([]string{"", " "}, " ,", ",") + "}" + g.noisy([]string{"", " ", "\n", " # c"}, "x")
}

func (g generator) scalar() string {
	n := g.IntN(12)
	if g.clean && n >= 2 && n <= 4 && g.chance(80) {
		n = 5
	}
	switch n {
	case 0:
		return g.jsonText()
	case 1:
		return "'" + strings.ReplaceAll(g.pick("yes", "it''s", "a b", "{{ x }}", `\n`, "l1\n l2", "", g.plain()), "\t", " ") + "'"
	case 2:
		return g.pick("!!str ", "!!int ", "!!float ", "!!bool ", "!!null ", "!!timestamp ", "!!binary ", "!unsafe ", "!vault ", "!!set ", "!!map ", "!!seq ", "!foo ", "!!python/none ") +
			g.pick("1", "yes", "1.5", "'x'", "", "aGk=", "2024-01-02", "0x1f", "{a, b}", "[a, b]", "1:30", "~", `"{{ x }}"`, "-1", "1e3", "+.inf")
	case 3:
		return g.pick("!vault '$ANSIBLE_VAULT;1.1;AES256 3330'", `!vault "$ANSIBLE_VAULT;1.1;AES256\n3330"`, "!unsafe '{{ x }}'", "!unsafe [a, '{{ b }}']", "!unsafe {a: '{{ b }}', c: 1}")
	case 4:
		return g.pick("&x 1", "*x", "&x {m: 1}", "&y [{m: 1}, {m: 2, n: 3}]", "*y", "[*x, *x]")
	}
	return g.plain()
}

// plain is a scalar without quotes: words that mean something in YAML 1.1 or 1.2, and
// strings of the characters that numbers and dates are made of.
func (g generator) plain() string {
	if g.chance(40) {
		return g.noisy([]string{"v"}, "", "", "", "", "") + g.several(7, "", func() string {
			return g.pick("0", "1", "5", "7", "8", "9", "_", ".", ":", "-", "+", "e", "E", "x", "b", "o", "f", "a", "60", "59", "00", "0x", "0b", "1.", ".e+", "inf", "nan")
		})
	}
	if g.chance(15) {
		return fmt.Sprintf("%04d-%0*d-%0*d%s%0*d:%02d:%02d%s%s", g.IntN(2100), 1+g.IntN(2), g.IntN(14), 1+g.IntN(2), g.IntN(32), g.pick("T", "t", " ", "  "), 1+g.IntN(2), g.IntN(25),
			g.IntN(61), g.IntN(61), g.pick("", ".", ".5", ".123456", ".1234567", ".000"), g.pick("", "Z", " Z", "+1", "-05:30", " +02:00", "+25:00", "-00:00", "z"))
	}
	return g.noisy([]string{
		"yes", "Yes", "YES", "yEs", "no", "No", "NO", "on", "On", "ON", "off", "Off", "true", "True", "TRUE", "tRUE", "false", "False", "FALSE", "y", "n", "Y", "N", "t", "f",
		"null", "Null", "NULL", "~", "nUll", "none", "None", "", "010", "0o17", "08", "0x1f", "0X1F", "0b101", "1_000", "1_0.5_0", "1:30", "12:30:45", "1:60", "-1:30", "1:30.5", "190:20:30.15",
		"1.30", "1.", ".5", "-.5", "+.5", "1e3", "1.0e3", "1.0e+3", "1.0E-3", "1.5e+400", ".inf", "-.inf", "+.INF", ".Inf", ".nan", ".NaN", "-.nan", "+1", "-0", "0", "00", "0_", "_1",
		"123456789012345678901234567890", "2024-01-02", "24-01-02", "2024-1-2", "a b", "a:b", "http://x", "http://x?a=b", "10.0.0.0/8", "v1.32.0", "x#y", "no? really", "x'y", "é",
	},
		"0x_", "0b_", "2024-13-02", "2024-02-30", "<<", "=", "a: b", "x #y", "a:?b", "{{ x }}", "@x", "`x", "%x", "&a", "*a", "!x", "|", ">", "-", "- x", "?", "? x", "é", "a\tb", "x'y", `x"y`, "\u00a0", "\u0085", "\ufeff", "a\n b", "#x")
}

// block is a file in block style.
func (g generator) block(indent int) string {
	pad := strings.Repeat("  ", indent)
	var b strings.Builder
	if indent == 0 {
		b.WriteString(g.pick("", "", "---\n", "# c\n", "\n", "%YAML 1.1\n---\n", "\ufeff", "--- # c\n"))
	}
	for range 1 + g.IntN(3) {
		b.WriteString(pad + g.pick("a", "b", "c", "d", "'e'", "<<", "yes", "1", "f g") + ":")
		switch {
		case indent < 2 && g.chance(25):
			b.WriteString("\n" + g.block(indent+1))
		case indent < 2 && g.chance(20):
			b.WriteString("\n" + pad + "- " + g.scalar() + "\n" + pad + "- " + g.flow(1, "{") + "\n")
		case g.chance(15):
			b.WriteString(" " + g.pick("|", ">", "|-", ">-", "|+", "!vault |", "!unsafe |", "!!str |", "|2") + "\n" + pad + "  " + g.pick("l1", "yes", "$ANSIBLE_VAULT;1.1;AES256", "{{ x }}") + "\n" +
				pad + g.pick("  l2\n", "    l2\n", "\n", ""))
		default:
			b.WriteString(g.pick(" ", " ", "  ") + g.pick(g.scalar(), g.flow(1, "{"), g.flow(1, "[")) + g.pick("", "", " # c") + "\n")
		}
	}
	if indent == 0 {
		b.WriteString("\n...\n")
	}
	return b.String()
}
