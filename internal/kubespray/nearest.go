package kubespray

import (
	"slices"
	"strings"
)

// Nearest returns up to n candidates that look like what was meant, best first.
// Case and the difference between - and _ do not count.
func Nearest(name string, candidates []string, n int) []string {
	type scored struct {
		text  string
		score int
	}
	want := kebab(name)
	var close []scored
	for _, c := range candidates {
		have := kebab(c)
		score := Distance(want, have)
		if len(want) > 2 && strings.Contains(have, want) {
			score = min(score, 2)
		}
		if score <= max(2, len(want)/4) {
			close = append(close, scored{c, score})
		}
	}
	slices.SortStableFunc(close, func(a, b scored) int {
		if a.score != b.score {
			return a.score - b.score
		}
		return strings.Compare(a.text, b.text)
	})
	var out []string
	for _, s := range close {
		if len(out) < n && !slices.Contains(out, s.text) {
			out = append(out, s.text)
		}
	}
	return out
}

// kebab writes a name in lower case with hyphens.
func kebab(s string) string { return strings.ReplaceAll(strings.ToLower(s), "_", "-") }

// Distance counts the letters to insert, drop, replace or swap with a neighbour.
func Distance(a, b string) int {
	before, last, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			row[j+1] = min(last[j]+cost, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last, row = last, row, before
	}
	return last[len(b)]
}
