package runner

import (
	"os"
	"os/user"
	"path/filepath"
	"strings"
)

// environ is the environment of ansible-playbook: the user's own, and what we need.
func (r *Runner) environ(p Plan, events string) []string {
	env := utf8Environ(append([]string(nil), r.Environ...))
	env = append(env, homeEnviron(env, r.private.Path)...)
	if p.SetConfig {
		env = append(env, "ANSIBLE_CONFIG="+p.Config)
	}
	plugins := append([]string{filepath.Join(r.private.Path, "plugins")}, callbackPath(env, p)...)
	return append(env, "ANSIBLE_CALLBACK_PLUGINS="+strings.Join(plugins, ":"), "SURESPRAY_EVENTS="+events)
}

// homeEnviron gives Ansible a place for its own files where the user's home is none: a
// container with an unknown user, or with a read-only root.
func homeEnviron(env []string, private string) []string {
	home := lookup(env, "HOME")
	if home == "" {
		if u, err := user.Current(); err == nil {
			home = u.HomeDir
		}
	}
	if info, err := os.Stat(home); home == "" || err != nil || !info.IsDir() {
		return []string{"HOME=" + private}
	}
	if writable(home) {
		return nil
	}
	var out []string
	for name, dir := range map[string]string{"ANSIBLE_LOCAL_TEMP": "tmp", "ANSIBLE_SSH_CONTROL_PATH_DIR": "cp"} {
		if lookup(env, name) == "" {
			out = append(out, name+"="+filepath.Join(private, dir))
		}
	}
	return out
}

// callbackPath is the path that our directory is put before: ANSIBLE_CALLBACK_PLUGINS
// replaces the configuration's own value, and that one Ansible's default.
func callbackPath(env []string, p Plan) []string {
	if path := lookup(env, "ANSIBLE_CALLBACK_PLUGINS"); path != "" {
		return []string{path}
	}
	if len(p.Callbacks) > 0 {
		return p.Callbacks
	}
	return []string{"~/.ansible/plugins/callback", "/usr/share/ansible/plugins/callback"}
}

// utf8Environ makes the locale UTF-8 where it is not: Ansible refuses to start otherwise.
func utf8Environ(env []string) []string {
	locale := ""
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale = lookup(env, name); locale != "" {
			break
		}
	}
	l := strings.ToUpper(strings.ReplaceAll(locale, "-", ""))
	if strings.HasSuffix(l, "UTF8") {
		return env
	}
	return append(env, "LC_ALL=C.UTF-8")
}

// lookup returns the value that a process with this environment would see.
func lookup(env []string, name string) string {
	for i := len(env) - 1; i >= 0; i-- {
		if v, ok := strings.CutPrefix(env[i], name+"="); ok {
			return v
		}
	}
	return ""
}
