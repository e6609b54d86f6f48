package kubespray

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// InventoryProblem is why Ansible would see no hosts in an inventory argument.
type InventoryProblem struct {
	Path string // the file or directory, as reached from the argument
	Code string // one of the constants below
	Text string // what is wrong
	Next string // what to do
}

// Codes of an InventoryProblem.
const (
	InventoryMissing    = "inventory-missing"
	InventoryUnreadable = "inventory-unreadable"
	InventoryEmpty      = "inventory-empty"
	InventoryIgnored    = "inventory-ignored"
	InventoryBOM        = "inventory-bom"
)

func (p *InventoryProblem) Error() string { return p.Path + ": " + p.Text + "; " + p.Next }

// InventoryProblems looks at inventory arguments (-i) before Ansible does. It finds
// what makes Ansible go on without hosts and without an error: nothing there, an
// empty or unreadable file, a directory of which every file is ignored, a byte
// order mark before an INI. Syntax is Ansible's business. core is the version of
// ansible-core, because the default of what is ignored changed with 2.19; "" is
// not known.
func InventoryProblems(args []string, cwd string, cfg Config, core string) []*InventoryProblem {
	cfg = cfg.defaulted(core)
	var out []*InventoryProblem
	for _, arg := range args {
		if strings.Contains(arg, ",") || strings.HasPrefix(arg, "@") {
			continue // a list of hosts
		}
		p := inventoryProblem(arg, below(cwd, arg), cfg)
		if p != nil && p.Code == InventoryEmpty && len(args) > 1 {
			continue // the hosts may be another one's: one that only groups them is fine
		}
		if p != nil {
			out = append(out, p)
		}
	}
	return out
}

func inventoryProblem(arg, path string, cfg Config) *InventoryProblem {
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &InventoryProblem{arg, InventoryMissing, "no such inventory", "give the path of the inventory file with -i"}
	case err != nil:
		return &InventoryProblem{arg, InventoryUnreadable, err.Error(), "make it readable for the user who runs Ansible"}
	case info.IsDir():
		return directoryProblem(arg, path, cfg)
	case !info.Mode().IsRegular():
		return nil // a pipe or a device: reading it here would eat it
	}
	return fileProblem(arg, path, info)
}

func fileProblem(arg, path string, info fs.FileInfo) *InventoryProblem {
	raw, err := os.ReadFile(path)
	if err != nil {
		return &InventoryProblem{arg, InventoryUnreadable, "cannot be read", "make it readable for the user who runs Ansible"}
	}
	body, marked := bytes.CutPrefix(raw, []byte("\ufeff"))
	switch {
	case len(bytes.TrimSpace(body)) == 0:
		return &InventoryProblem{arg, InventoryEmpty, "the inventory is empty", "add hosts to it, or give another with -i"}
	case marked && looksINI(path, body):
		return &InventoryProblem{
			arg, InventoryBOM, "a byte order mark stands before the first section, so Ansible reads no host from it",
			"save it as UTF-8 without BOM",
		}
	case info.Mode().Perm()&0o111 != 0 || !looksINI(path, body):
		return nil
	case !iniHasHost(string(body)):
		return &InventoryProblem{arg, InventoryEmpty, "it names no host: every line is a comment or a section", "add hosts to it, or give another with -i"}
	}
	return nil
}

// iniHasHost is true when a line stands where an INI inventory lists hosts: before
// the first section or in one that is neither :vars nor :children.
func iniHasHost(body string) bool {
	hosts := true
	for line := range strings.Lines(body) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#' || line[0] == ';':
		case line[0] == '[':
			hosts = !strings.Contains(line, ":vars]") && !strings.Contains(line, ":children]")
		case hosts:
			return true
		}
	}
	return false
}

func looksINI(path string, body []byte) bool {
	if ext := filepath.Ext(path); ext == ".yml" || ext == ".yaml" || ext == ".json" {
		return false
	}
	first := strings.TrimSpace(string(body[:min(len(body), 4096)]))
	return !strings.HasPrefix(first, "---") && !strings.HasPrefix(first, "{") && !strings.HasPrefix(first, "#!")
}

// directoryProblem says when Ansible ignores everything in a directory.
func directoryProblem(arg, path string, cfg Config) *InventoryProblem {
	entries, err := os.ReadDir(path)
	if err != nil {
		return &InventoryProblem{arg, InventoryUnreadable, "cannot be read", "make it readable for the user who runs Ansible"}
	}
	ignored := cfg.ignores()
	var passed []string
	for _, entry := range entries {
		name := entry.Name()
		if !ignored(name) {
			return nil
		}
		if ext := filepath.Ext(name); !entry.IsDir() && (ext == ".ini" || ext == ".cfg") {
			passed = append(passed, filepath.Join(arg, name))
		}
	}
	if len(passed) == 0 {
		return &InventoryProblem{arg, InventoryEmpty, "the directory holds no inventory file", "give the path of the inventory file with -i"}
	}
	by := "by default"
	if cfg.Path != "" {
		by = "(inventory_ignore_extensions; its configuration is " + cfg.Path + ")"
	}
	return &InventoryProblem{
		arg, InventoryIgnored,
		fmt.Sprintf("Ansible ignores %s in a directory %s, and would go on without hosts", strings.Join(baseNames(passed), ", "), by),
		"give the file itself: -i " + passed[0],
	}
}

// defaultIgnored are the endings that every release of Ansible passes over in an
// inventory directory. Up to 2.18 it also passes over .ini.
func defaultIgnored() []string {
	return []string{".pyc", ".pyo", ".swp", ".bak", "~", ".rpm", ".md", ".txt", ".rst", ".orig", ".cfg", ".retry"}
}

// defaulted is a configuration with the default of a core for what is ignored.
func (c Config) defaulted(core string) Config {
	if c.IgnoreExtensions == nil && core != "" && CompareVersions(core, "2.19") < 0 {
		c.IgnoreExtensions = append(defaultIgnored(), ".ini")
	}
	return c
}

// Ignores tells which names in an inventory directory a core passes over; "" is not
// known.
func (c Config) Ignores(core string) func(name string) bool { return c.defaulted(core).ignores() }

// ignores tells which names in an inventory directory Ansible passes over.
func (c Config) ignores() func(string) bool {
	extensions := c.IgnoreExtensions
	if extensions == nil {
		extensions = defaultIgnored()
	}
	var patterns []*regexp.Regexp
	for _, p := range c.IgnorePatterns {
		if re, err := regexp.Compile(p); err == nil {
			patterns = append(patterns, re)
		}
	}
	return func(name string) bool {
		return strings.HasPrefix(name, ".") || name == "host_vars" || name == "group_vars" || name == "vars_plugins" ||
			slices.ContainsFunc(extensions, func(ext string) bool { return strings.HasSuffix(name, ext) }) ||
			slices.ContainsFunc(patterns, func(re *regexp.Regexp) bool { return re.MatchString(name) })
	}
}

func baseNames(paths []string) []string {
	out := make([]string, len(paths))
	for i, p := range paths {
		out[i] = filepath.Base(p)
	}
	return out
}
