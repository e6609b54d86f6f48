package cmd

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// Every command line that documents and help texts show is one that the program takes.
func TestDocumentedCommandsParse(t *testing.T) {
	files, err := filepath.Glob("../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, file := range append(files, "../README.md") {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts[file] = string(content)
	}
	all(root(), func(c *cobra.Command) { texts[c.CommandPath()] = c.Example })
	shown := regexp.MustCompile("(?m)(?:^ *|`)(surespray (?:run|addon|audit|verify|vars|setup|version|snapshot|explain|checks|probes)\\b[^`\n]*)")
	count := 0
	for where, text := range texts {
		for _, m := range shown.FindAllStringSubmatch(text, -1) {
			line, _, _ := strings.Cut(m[1], "  #")
			line, _, _ = strings.Cut(line, " | ")
			line, _, _ = strings.Cut(line, " > ")
			count++
			if err := takes(words(line)[1:]); err != nil {
				t.Errorf("%s: %s: %v", where, line, err)
			}
		}
	}
	if count < 20 {
		t.Errorf("only %d command lines were found", count)
	}
}

// takes parses arguments without running anything.
func takes(args []string) error {
	c, rest, err := root().Find(args)
	if err != nil {
		return err
	}
	if err := c.ParseFlags(rest); err != nil {
		return err
	}
	return c.ValidateArgs(c.Flags().Args())
}

// words splits as a shell does, as far as the documents need it.
func words(line string) []string {
	var out []string
	for _, m := range regexp.MustCompile(`'([^']*)'|(\S+)`).FindAllStringSubmatch(line, -1) {
		out = append(out, m[1]+m[2])
	}
	return out
}
