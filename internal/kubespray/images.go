package kubespray

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

var imageLine = regexp.MustCompile(`^\s*(?:- )?image:\s*["']?([^"'#\s].*?)["']?\s*$`)

// notDownloaded are the images of a role's templates, as they stand there, that no entry
// of the list of downloads fetches: nodes pull them when a pod starts. A line inside a
// text counts, such as that of a helper pod in a ConfigMap.
func (c *Checkout) notDownloaded(role string) []string {
	listed := c.downloadedRepos()
	var out []string
	for _, sub := range []string{"files", "templates"} {
		root := filepath.Join(c.RolesPath(), filepath.FromSlash(role), sub)
		_ = filepath.WalkDir(root, func(file string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || !isManifest(file) {
				return nil // a role without templates has no images
			}
			raw, err := os.ReadFile(file)
			if err != nil {
				return nil
			}
			for line := range strings.Lines(string(raw)) {
				m := imageLine.FindStringSubmatch(strings.TrimRight(line, "\r\n"))
				if m == nil || strings.HasPrefix(m[1], "|") || strings.Contains(m[1], "{%") || slices.Contains(out, m[1]) {
					continue
				}
				if !slices.ContainsFunc(templateNames(m[1]), func(name string) bool { return listed[name] }) {
					out = append(out, m[1])
				}
			}
			return nil
		})
	}
	return out
}

// downloadedRepos are the variables that the entries of the list of downloads take
// images from.
func (c *Checkout) downloadedRepos() map[string]bool {
	repos := map[string]bool{}
	types, err := c.Types()
	if err != nil {
		return repos
	}
	for _, d := range types.Defaults("downloads") {
		pairs(field(c.docs.get(filepath.Join(c.Dir, filepath.FromSlash(d.File))).root, "downloads"), func(_, entry *node) {
			for _, name := range templateNames(text(field(entry, "repo"))) {
				repos[name] = true
			}
		})
	}
	return repos
}

var templateExpression = regexp.MustCompile(`\{\{(.*?)\}\}`)

// templateNames are the variables in the templates of a text.
func templateNames(s string) []string {
	var out []string
	for _, m := range templateExpression.FindAllStringSubmatch(s, -1) {
		out = append(out, identifiers(m[1])...)
	}
	return out
}
