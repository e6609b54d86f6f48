package extravars

import (
	"fmt"
	"strings"
)

// UsageError refuses an argument before anything starts. None of its texts holds a
// value whose name looks secret.
type UsageError struct {
	Arg     int    // index in Elements
	Text    string // the argument on one line, masked, and cut around the caret if long
	Caret   int    // the place of the trouble in Text, in characters; -1 for none
	Code    string // e.g. extra-var-leftover-token
	Key     string // the variable, if one is meant
	Message string // what is wrong
	Meaning string // what was probably meant; may be empty
	Next    string // what to write instead
	File    string // as the user wrote it, where the trouble is in a file
	Line    int    // from 1; 0 if not known
}

// Error is one line, for a log.
func (e *UsageError) Error() string {
	return fmt.Sprintf("-e %s: %s", ShellQuote(e.Text), e.Message)
}

// Detail is for people: the argument with a caret below it, the meaning, the next step.
func (e *UsageError) Detail() string {
	var b strings.Builder
	const option = "  -e "
	fmt.Fprintf(&b, "%s%s\n", option, e.Text)
	if e.Caret >= 0 {
		fmt.Fprintf(&b, "%s^\n", strings.Repeat(" ", len(option)+e.Caret))
	}
	b.WriteString(e.Message)
	for _, line := range []string{e.Meaning, e.Next} {
		if line != "" {
			b.WriteString("\n" + line)
		}
	}
	return b.String()
}

// ShellQuote writes an argument so that a shell reads it back; plain words stay bare.
func ShellQuote(s string) string {
	plain := s != "" && strings.IndexFunc(s, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("@%+=:,./_-", r)
	}) < 0
	if plain {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}
