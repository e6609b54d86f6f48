package inventory

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/surespray/surespray/extravars"
)

// Read reads inventory arguments (-i) in their order, and the vars files beside them.
// What cannot be read becomes a [Problem].
func Read(args []string, o Options) *Inventory {
	inv := &Inventory{Hosts: map[string]*Host{}, Groups: map[string]*Group{}}
	inv.group("all", Place{})
	inv.group("ungrouped", Place{})
	var dirs []varsDir
	for _, arg := range args {
		if isHostList(arg, o.Dir) {
			inv.hostList(arg)
			continue
		}
		path := absolute(o.Dir, arg)
		info, err := os.Stat(path)
		if err != nil {
			continue // whoever looks at the arguments says so
		}
		base := varsDir{shown: arg, path: path}
		if info.IsDir() {
			inv.directory(arg, path, o, 10)
		} else {
			base = varsDir{shown: filepath.Dir(arg), path: filepath.Dir(path)}
			inv.file(arg, path, info)
		}
		if !slices.ContainsFunc(dirs, func(d varsDir) bool { return d.path == base.path }) {
			dirs = append(dirs, base)
		}
	}
	for _, dir := range o.Playbooks {
		if !slices.ContainsFunc(dirs, func(d varsDir) bool { return d.path == filepath.Clean(dir) }) {
			dirs = append(dirs, varsDir{shown: shorter(o.Dir, dir), path: filepath.Clean(dir), play: true})
		}
	}
	inv.link()
	inv.apply(o.Rules)
	for _, dir := range dirs {
		inv.varsFiles(dir)
	}
	return inv
}

// hostList reads "a,b,": names, or one name with a comma behind it.
func (inv *Inventory) hostList(arg string) {
	for name := range strings.SplitSeq(arg, ",") {
		if name = strings.TrimSpace(name); name != "" {
			for _, h := range expand(name) {
				inv.host(h, "", Place{})
			}
		}
	}
}

func isHostList(arg, dir string) bool {
	if !strings.Contains(arg, ",") {
		return false
	}
	_, err := os.Stat(absolute(dir, arg))
	return err != nil
}

// directory reads the files of a directory in the order of their names.
func (inv *Inventory) directory(shown, path string, o Options, depth int) {
	entries, err := os.ReadDir(path)
	if err != nil || depth == 0 {
		return
	}
	for _, e := range entries {
		name := e.Name()
		if strings.HasPrefix(name, ".") || name == "group_vars" || name == "host_vars" || name == "vars_plugins" || o.Ignores != nil && o.Ignores(name) {
			continue
		}
		inner, below := filepath.Join(path, name), filepath.Join(shown, name)
		info, err := os.Stat(inner)
		switch {
		case err != nil:
		case info.IsDir():
			inv.directory(below, inner, o, depth-1)
		default:
			inv.file(below, inner, info)
		}
	}
}

// file reads one inventory file in the format that Ansible would find in it.
func (inv *Inventory) file(shown, path string, info os.FileInfo) {
	if !info.Mode().IsRegular() {
		inv.Dynamic = true // a pipe: reading it here would eat it
		inv.problem(Problem{Code: "not-audited-stream", Place: Place{shown, 1}, Message: shown + " is no regular file, so nothing in it was checked"})
		return
	}
	inv.Files = append(inv.Files, shown)
	raw, err := os.ReadFile(path)
	if err != nil {
		return // whoever looks at the arguments says so
	}
	ext := filepath.Ext(path)
	yamlExt := slices.Contains([]string{".yml", ".yaml", ".json"}, ext)
	switch {
	case extravars.Encrypted(raw):
		inv.Dynamic = true
		inv.problem(Problem{Code: "not-audited-encrypted", Place: Place{shown, 1}, Message: shown + " is encrypted as a whole, so nothing in it was checked"})
	case isScript(raw, info.Mode()):
		inv.Dynamic = true
	case ext == ".toml":
		inv.Dynamic = true
	case yamlExt && !beginsINI(raw):
		inv.yamlFile(shown, raw)
	case ext == "" && inv.looksYAML(raw):
		inv.yamlFile(shown, raw)
	default:
		inv.iniFile(shown, raw)
	}
}

// isScript is true for what Ansible runs and takes the output of. A text without a first
// line for an interpreter is none, whatever its mode says: it fails to run, and is read.
func isScript(raw []byte, mode os.FileMode) bool {
	return mode.Perm()&0o111 != 0 && (bytes.HasPrefix(raw, []byte("#!")) || !utf8.Valid(raw))
}

// beginsINI is true for an INI under another name: what fails as YAML is tried as INI.
func beginsINI(raw []byte) bool {
	for line := range bytes.Lines(raw) {
		if line = bytes.TrimSpace(line); len(line) > 0 && line[0] != '#' {
			return iniSection.Match(line)
		}
	}
	return false
}

// looksYAML is true for a mapping: Ansible tries YAML first where a name has no ending.
func (inv *Inventory) looksYAML(raw []byte) bool {
	first := bytes.TrimSpace(raw)
	if bytes.HasPrefix(first, []byte("[")) {
		return false
	}
	entries, _, err := extravars.ReadVars(raw)
	return err == nil && len(entries) > 0
}

func absolute(dir, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(dir, path)
}

// shorter is a path relative to dir where that is inside it.
func shorter(dir, path string) string {
	if rel, err := filepath.Rel(dir, path); err == nil && filepath.IsLocal(rel) {
		return rel
	}
	return path
}
