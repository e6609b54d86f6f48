package settings

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// reader reads one file.
type reader struct {
	file     string
	now      time.Time
	singles  map[string]single
	accepted []Accept
	wanted   string // the scope
	skipped  []string
	problems []*Error
}

func (r *reader) read() {
	const fix = "make it readable for the user who runs surespray, or remove it"
	// A pipe would be waited for.
	if info, err := os.Stat(r.file); err == nil && !info.Mode().IsRegular() {
		r.problem(1, CodeInvalid, "put a file there, or remove it", "it is no regular file")
		return
	}
	raw, err := os.ReadFile(r.file)
	if err != nil {
		if path := new(os.PathError); errors.As(err, &path) {
			err = path.Err
		}
		r.problem(1, CodeInvalid, fix, "it cannot be read: %s", err)
		return
	}
	r.parse(raw)
}

// parse reads the one document of a file.
func (r *reader) parse(raw []byte) {
	body := bytes.TrimPrefix(raw, []byte("\ufeff"))
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("$ANSIBLE_VAULT")) {
		r.problem(1, CodeInvalid, "ansible-vault decrypt "+r.file+": nothing in it needs to be secret", "it is encrypted, and surespray reads it without a password")
		return
	}
	d := yaml.NewDecoder(bytes.NewReader(body))
	var doc, more yaml.Node
	switch err := d.Decode(&doc); {
	case errors.Is(err, io.EOF):
		return // empty, or comments only
	case err != nil:
		r.syntax(err)
		return
	}
	r.root(doc.Content[0])
	switch err := d.Decode(&more); {
	case errors.Is(err, io.EOF):
	case err != nil:
		r.syntax(err)
	case !isNull(more.Content[0]): // after a last --- there may be nothing
		r.problem(more.Line, CodeInvalid, "keep one of them", "a second document begins here, which would not be read")
	}
}

// syntax turns an error of the YAML library into one with a line.
func (r *reader) syntax(err error) {
	line, text := 1, strings.TrimPrefix(err.Error(), "yaml: ")
	if m := regexp.MustCompile(`^line (\d+): `).FindStringSubmatch(text); m != nil {
		if n, convErr := strconv.Atoi(m[1]); convErr == nil {
			line = n
		}
		text = strings.TrimPrefix(text, m[0])
	}
	r.problem(line, CodeInvalid, "mend the YAML at or above this line", "it is no YAML: %s", text)
}

func (r *reader) root(n *yaml.Node) {
	r.mapping(n, "the file", []field{
		{keyCluster, func(n *yaml.Node) { r.single(keyCluster, n) }},
		{keyKubeconfig, r.kubeconfig},
		{keyContext, func(n *yaml.Node) { r.single(keyContext, n) }},
		{"accept", func(n *yaml.Node) { r.list(n, "accept", "[{code: CODE, reason: WHY}]", r.accept) }},
		{"verify", func(n *yaml.Node) { r.mapping(n, "verify", []field{{"scope", r.scope}, {"skip", r.skip}}) }},
	})
}

func (r *reader) single(key string, n *yaml.Node) {
	if text, ok := r.text(n, key); ok {
		r.singles[key] = single{text, r.file, n.Line}
	}
}

// kubeconfig is relative to the file.
func (r *reader) kubeconfig(n *yaml.Node) {
	path, ok := r.text(n, keyKubeconfig)
	if !ok || path == "" {
		return
	}
	path, err := home(path)
	if err != nil {
		r.problem(n.Line, CodeInvalid, "write the path out", "kubeconfig: %s", err)
		return
	}
	r.singles[keyKubeconfig] = single{below(filepath.Dir(r.file), path), r.file, n.Line}
}

func (r *reader) scope(n *yaml.Node) {
	value, _ := r.text(n, "scope")
	if value != "" && !slices.Contains(Scopes(), value) {
		r.problem(n.Line, CodeInvalid, "write scope: auto, all, report or off", "scope %s is not one of %s", shown(value), strings.Join(Scopes(), ", "))
		return
	}
	r.wanted = value
}

func (r *reader) skip(n *yaml.Node) {
	r.list(n, "skip", "[nodes.ready]", func(n *yaml.Node) {
		if id, _ := r.text(n, "an entry of skip"); id != "" {
			r.skipped = append(r.skipped, id)
		}
	})
}
