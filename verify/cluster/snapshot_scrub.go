package cluster

import (
	"regexp"
	"strings"
	"sync"
)

// mask stands for what is left out.
const mask = "***"

// Words of names whose values are secret, and endings of names that only lead to one.
var (
	secretName = regexp.MustCompile(`(?i)passw|passphrase|secret|token|credential|api[-_.]?key|access[-_.]?key|private[-_.]?key|encryption[-_.]?key|kubeconfig|htpasswd|bearer`)
	leadName   = regexp.MustCompile(`(?i)(file|path|dir|name|namespace|ttl|seconds|url|mode|enabled|repo|tag|class)$`)
)

// secretForm is a secret that can be told by its form, wherever it stands. The hint is a
// part of each, looked for first: most texts have none.
type secretForm struct {
	hint string
	form *regexp.Regexp
}

func secretForms() []secretForm {
	return []secretForm{
		{"PRIVATE KEY", regexp.MustCompile(`(?s)-----BEGIN [A-Z ]*PRIVATE KEY-----.*?(-----END [A-Z ]*PRIVATE KEY-----|$)`)},
		{"eyJ", regexp.MustCompile(`eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*`)}, // a ServiceAccount's token
		{"earer ", regexp.MustCompile(`(?i)\bbearer +[A-Za-z0-9._~+/=-]{16,}`)},
		{"asic ", regexp.MustCompile(`(?i)\bbasic +[A-Za-z0-9._~+/=-]{16,}`)},
		{"client-key-data", regexp.MustCompile(`"?client-key-data"?: *"?[^\s"',]+"?`)},
		{"token", regexp.MustCompile(`(?m)^[ \t-]*"?token"?: *\S+`)}, // of a kubeconfig; a log says it within a line
		{"password", regexp.MustCompile(`(?m)^[ \t-]*"?password"?: *\S+`)},
	}
}

// forms are compiled once.
var forms = sync.OnceValue(secretForms)

var (
	userInfo  = regexp.MustCompile(`([a-z][a-z0-9+.-]*://)[^/\s@"']+@`)
	secretArg = regexp.MustCompile(`^(--?([A-Za-z0-9_.-]+)=).+`)
)

// isSecretName reports whether a value under this name is to be left out.
func isSecretName(name string) bool {
	return secretName.MatchString(name) && !leadName.MatchString(name)
}

// scrubText takes secrets out of a text: what looks like one, and users in addresses.
func scrubText(s string) string {
	for _, f := range forms() {
		if strings.Contains(s, f.hint) {
			s = f.form.ReplaceAllLiteralString(s, mask)
		}
	}
	if strings.Contains(s, "://") {
		s = userInfo.ReplaceAllString(s, "${1}"+mask+"@")
	}
	if m := secretArg.FindStringSubmatch(s); m != nil && isSecretName(m[2]) {
		s = m[1] + mask
	}
	return s
}

// ScrubValues are variables without those whose names say that they are secret, and
// without what looks like a secret in the others.
func ScrubValues(values map[string]any) map[string]any {
	out, _ := scrubAny(values, true).(map[string]any)
	return out
}

// scrubObject takes secrets out of an object, and what only the API server needs. The
// names of what is left out stay.
func scrubObject(object map[string]any) map[string]any {
	out, _ := scrubAny(object, false).(map[string]any)
	if out["kind"] == "Secret" {
		for _, field := range []string{"data", "stringData"} {
			if data, ok := out[field].(map[string]any); ok {
				for name := range data {
					data[name] = ""
				}
			}
		}
	}
	if meta, ok := out["metadata"].(map[string]any); ok {
		if meta["namespace"] != nil && meta["namespace"] != "kube-system" {
			maskEnvironment(out)
		}
		delete(meta, "managedFields")
		if notes, ok := meta["annotations"].(map[string]any); ok {
			delete(notes, "kubectl.kubernetes.io/last-applied-configuration") // the object again, as text
		}
	}
	return out
}

// scrubAny copies a value without secrets. drop leaves secret names out altogether; else
// they are masked where names are people's own: in env, annotations and data.
func scrubAny(v any, drop bool) any {
	switch v := v.(type) {
	case string:
		return scrubText(v)
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = scrubAny(item, drop)
		}
		return out
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, value := range v {
			if drop && isSecretName(key) && !isSwitch(value) {
				continue
			}
			out[key] = scrubAny(value, drop)
			if key == "annotations" || key == "data" {
				maskNamed(out[key])
			}
		}
		if name, ok := out["name"].(string); ok && isSecretName(name) {
			if value, ok := out["value"].(string); ok && value != "" {
				out["value"] = mask
			}
		}
		return out
	}
	return v
}

// isSwitch is true for what cannot hold a secret.
func isSwitch(v any) bool {
	switch v.(type) {
	case bool, nil:
		return true
	}
	return false
}

// maskEnvironment masks the environment of what people run: it is nobody's business, and
// no check reads it but that of the control plane.
func maskEnvironment(v any) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			maskEnvironment(item)
		}
	case map[string]any:
		variables, _ := v["env"].([]any)
		for _, item := range variables {
			if one, ok := item.(map[string]any); ok && one["value"] != nil {
				one["value"] = mask
			}
		}
		for _, item := range v {
			maskEnvironment(item)
		}
	}
}

func maskNamed(v any) {
	named, _ := v.(map[string]any)
	for key, value := range named {
		if text, ok := value.(string); ok && text != "" && isSecretName(key[strings.LastIndex(key, "/")+1:]) {
			named[key] = mask
		}
	}
}
