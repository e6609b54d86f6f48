package kubespray

import (
	"os"
	"regexp"
	"strings"
)

// manifest is one YAML document of a template, by its text: before Ansible has filled
// it in, it is no YAML.
type manifest struct {
	apiVersion string
	kind       string
	namespace  string
	names      []string // several where a condition chooses one
	images     []string
	file       string
	line       int
}

// readManifests scans a file for documents with apiVersion, kind and metadata.name. A
// file that cannot be read has none.
func readManifests(path, rel string) []manifest {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil
	}
	var out []manifest
	s := scan{}
	end := func() {
		if s.m.apiVersion != "" && s.m.kind != "" && len(s.m.names) > 0 {
			s.m.file = rel
			out = append(out, s.m)
		}
		s = scan{}
	}
	line := 0
	for text := range strings.Lines(string(raw)) {
		line++
		text = strings.TrimRight(text, " \r\n")
		if strings.HasPrefix(text, "---") {
			end()
			continue
		}
		s.take(text, line)
	}
	end()
	return out
}

// scan reads one document line by line.
type scan struct {
	m        manifest
	metadata bool // inside metadata
	indent   int  // of its fields
	literal  int  // indent of a block of text that is passed over, plus one
}

var (
	yamlField = regexp.MustCompile(`^( *)(- +)?("?[A-Za-z][A-Za-z0-9_./-]*"?):(?: +(.*))?$`)
	flowName  = regexp.MustCompile(`\bname: *("[^"]*"|'[^']*'|[^,}]+)`)
	flowSpace = regexp.MustCompile(`\bnamespace: *("[^"]*"|'[^']*'|[^,}]+)`)
)

func (s *scan) take(text string, line int) {
	trimmed := strings.TrimSpace(text)
	if trimmed == "" || strings.HasPrefix(trimmed, "#") || strings.HasPrefix(trimmed, "{%") || strings.HasPrefix(trimmed, "{#") {
		return
	}
	indent := len(text) - len(strings.TrimLeft(text, " "))
	if s.literal > 0 && indent >= s.literal {
		return
	}
	s.literal = 0
	f := yamlField.FindStringSubmatch(text)
	if f == nil {
		return
	}
	key, value := strings.Trim(f[3], `"`), plain(f[4])
	if strings.HasPrefix(value, "|") || strings.HasPrefix(value, ">") {
		s.literal = indent + 1
		return
	}
	switch {
	case indent == 0 && f[2] == "":
		s.top(key, value, line)
	case key == "image" && value != "":
		s.m.images = append(s.m.images, value)
	case s.metadata:
		if s.indent == 0 {
			s.indent = indent
		}
		if indent == s.indent {
			s.field(key, value)
		}
	}
}

// top takes a field of the document itself. The first of two counts, which a condition
// may tell apart.
func (s *scan) top(key, value string, line int) {
	s.metadata = false
	switch key {
	case "apiVersion":
		if s.m.apiVersion == "" {
			s.m.apiVersion = value
		}
	case "kind":
		if s.m.kind == "" {
			s.m.kind, s.m.line = value, line
		}
	case "metadata":
		s.metadata = value == ""
		if name := flowName.FindStringSubmatch(value); name != nil {
			s.field("name", plain(name[1]))
		}
		if space := flowSpace.FindStringSubmatch(value); space != nil {
			s.field("namespace", plain(space[1]))
		}
	}
}

func (s *scan) field(key, value string) {
	switch {
	case key == "name" && value != "":
		s.m.names = append(s.m.names, value)
	case key == "namespace" && s.m.namespace == "":
		s.m.namespace = value
	}
}

// plain is a scalar's text without its quotes and without a comment after it.
func plain(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 1 && (s[0] == '"' || s[0] == '\'') {
		if end := strings.IndexByte(s[1:], s[0]); end >= 0 {
			return s[1 : 1+end]
		}
	}
	if i := strings.Index(s, " #"); i >= 0 {
		s = strings.TrimSpace(s[:i])
	}
	return s
}

// objects fills in the names.
func (m manifest) objects(r *resolver) []Object {
	space, known := "", true
	if m.namespace != "" {
		space, known = r.expand(m.namespace)
	}
	images := make([]Image, 0, len(m.images))
	for _, text := range m.images {
		if image, ok := r.image(text); ok {
			images = append(images, image)
		}
	}
	var out []Object
	for _, name := range m.names {
		o := Object{APIVersion: m.apiVersion, Kind: m.kind, Namespace: space, File: m.file, Line: m.line}
		ok := false
		if o.Name, ok = r.expand(name); !ok || !known || strings.Contains(o.APIVersion+o.Kind, "{") {
			continue
		}
		if o.Workload() {
			o.Images = images
		}
		out = append(out, o)
	}
	return out
}
