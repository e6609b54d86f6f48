package kubespray

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

var releaseName = regexp.MustCompile(`^v[0-9]+\.[0-9]+\.[0-9]+$`)

// Version says which release the checkout is, as well as files can tell: a tag
// that git has checked out, else the number in galaxy.yml (on a branch that is the
// release being prepared), with the commit where there is one. "unknown" is a
// possible answer. Git is not run.
func (c *Checkout) Version() string {
	commit, tag := c.head()
	if tag != "" {
		return tag
	}
	version := ""
	if n := field(c.docs.get(filepath.Join(c.Dir, "galaxy.yml")).root, "version"); text(n) != "" {
		version = "v" + strings.TrimPrefix(text(n), "v")
	}
	switch {
	case version == "" && commit == "":
		return "unknown"
	case version == "":
		return "commit " + commit[:9]
	case commit == "":
		return version
	}
	return version + " (commit " + commit[:9] + ")"
}

// head reads the commit that is checked out, and a release tag that names it.
func (c *Checkout) head() (commit, tag string) {
	dir := gitDir(c.Dir)
	if dir == "" {
		return "", ""
	}
	head := firstLine(filepath.Join(dir, "HEAD"))
	common := dir
	if path := firstLine(filepath.Join(dir, "commondir")); path != "" {
		common = below(dir, path)
	}
	packed, _ := os.ReadFile(filepath.Join(common, "packed-refs"))
	if ref, ok := strings.CutPrefix(head, "ref: "); ok {
		if head = firstLine(filepath.Join(common, filepath.FromSlash(ref))); head == "" {
			head = packedRef(string(packed), ref)
		}
	}
	if len(head) < 40 {
		return "", ""
	}
	return head, releaseTag(head, string(packed), filepath.Join(common, "refs", "tags"))
}

func gitDir(dir string) string {
	path := filepath.Join(dir, ".git")
	if isDir(path) {
		return path
	}
	if link, ok := strings.CutPrefix(firstLine(path), "gitdir: "); ok {
		return below(dir, link)
	}
	return ""
}

func packedRef(packed, ref string) string {
	for line := range strings.Lines(packed) {
		if hash, name, _ := strings.Cut(strings.TrimSpace(line), " "); name == ref {
			return hash
		}
	}
	return ""
}

// releaseTag finds a tag like v2.31.0 on a commit. An annotated tag has a hash of
// its own; packed-refs names its commit on the next line after a ^.
func releaseTag(commit, packed, tags string) string {
	last := ""
	for line := range strings.Lines(packed) {
		line = strings.TrimSpace(line)
		hash, name, _ := strings.Cut(line, " ")
		if name, ok := strings.CutPrefix(name, "refs/tags/"); ok {
			last = name
		} else if hash != "^"+commit {
			last = ""
		}
		if releaseName.MatchString(last) && strings.TrimPrefix(hash, "^") == commit {
			return last
		}
	}
	loose, _ := os.ReadDir(tags)
	for _, entry := range loose {
		if releaseName.MatchString(entry.Name()) && firstLine(filepath.Join(tags, entry.Name())) == commit {
			return entry.Name()
		}
	}
	return ""
}

func firstLine(path string) string {
	raw, err := os.ReadFile(path)
	if err != nil {
		return ""
	}
	line, _, _ := strings.Cut(string(raw), "\n")
	return strings.TrimSpace(line)
}
