package settings

import (
	"strings"

	"gopkg.in/yaml.v3"
)

// hint says what to write in place of a key that is not known. A third of the letters
// wrong is a slip, more is another word.
func hint(key *yaml.Node, fields []field) string {
	best, least := "", len(key.Value)
	for _, f := range fields {
		d := distance(strings.ToLower(key.Value), f.name)
		if d <= max(1, len(f.name)/3) && d < least {
			best, least = f.name, d
		}
	}
	if best == "" {
		return "what may stand here: " + names(fields)
	}
	return "did you mean " + best + "?"
}

func names(fields []field) string {
	list := make([]string, len(fields))
	for i, f := range fields {
		list[i] = f.name
	}
	return strings.Join(list, ", ")
}

// distance counts the letters to insert, drop or replace. Keys are short: what is much
// longer is no slip of one, and not measured.
func distance(a, b string) int {
	if len(a) > 2*len(b) {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replace := diagonal
			if a[i] != b[j] {
				replace++
			}
			diagonal = row[j+1]
			row[j+1] = min(replace, diagonal+1, row[j]+1)
		}
	}
	return row[len(b)]
}
