package kubespray

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Config is what an ansible.cfg says about the things that a checkout needs. Paths
// are absolute: Ansible reads them relative to the file.
type Config struct {
	Path string // "" for Ansible's built-in defaults

	RolesPath []string
	Library   []string
	// Inventory is used where no -i is given.
	Inventory []string
	// IgnoreExtensions and IgnorePatterns are for directories given as inventory.
	// Nil means Ansible's default.
	IgnoreExtensions []string
	IgnorePatterns   []string
	CallbackPlugins  []string
	CallbacksEnabled []string
	StdoutCallback   string
	FactCache        string // where facts of earlier runs are kept, if they are
	PrivateKeyFile   string
	VaultPassword    string
	VaultIdentities  bool // vault_identity_list names some
}

// ReadConfig reads an ansible.cfg.
func ReadConfig(path string) (Config, error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return Config{}, fmt.Errorf("read Ansible's configuration: %w", err)
	}
	cfg := Config{Path: path}
	dir := filepath.Dir(path)
	for _, e := range readINI(raw) {
		cfg.set(e, dir)
	}
	return cfg, nil
}

func (c *Config) set(e iniEntry, dir string) {
	switch e.section + "." + e.key {
	case "defaults.roles_path":
		c.RolesPath = paths(e.value, dir, ":")
	case "defaults.library":
		c.Library = paths(e.value, dir, ":")
	case "defaults.inventory":
		c.Inventory = inventories(e.value, dir)
	case "defaults.callback_plugins":
		c.CallbackPlugins = paths(e.value, dir, ":")
	case "defaults.callbacks_enabled", "defaults.callback_whitelist":
		c.CallbacksEnabled = list(e.value)
	case "defaults.inventory_ignore_extensions", "inventory.ignore_extensions":
		c.IgnoreExtensions = list(e.value)
	case "defaults.inventory_ignore_patterns", "inventory.ignore_patterns":
		c.IgnorePatterns = list(e.value)
	case "defaults.stdout_callback":
		c.StdoutCallback = e.value
	case "defaults.fact_caching_connection":
		c.FactCache = e.value
	case "defaults.private_key_file":
		c.PrivateKeyFile = onePath(e.value, dir)
	case "defaults.vault_identity_list":
		c.VaultIdentities = strings.TrimSpace(e.value) != ""
	case "defaults.vault_password_file":
		c.VaultPassword = onePath(e.value, dir)
	}
}

// LacksCheckout names what a configuration does not give that the checkout's own
// does: "roles_path" and "library".
func (c Config) LacksCheckout(checkout *Checkout) []string {
	var lacks []string
	if !holds(c.RolesPath, checkout.RolesPath()) {
		lacks = append(lacks, "roles_path")
	}
	library := checkout.Library()
	found := len(library) == 0
	for _, dir := range library {
		found = found || holds(c.Library, dir)
	}
	if !found {
		lacks = append(lacks, "library")
	}
	return lacks
}

// holds is true when dir is in the list, links followed.
func holds(list []string, dir string) bool {
	for _, have := range list {
		if have == dir || sameFile(have, dir) {
			return true
		}
	}
	return false
}

func sameFile(a, b string) bool {
	x, errA := os.Stat(a)
	y, errB := os.Stat(b)
	return errA == nil && errB == nil && os.SameFile(x, y)
}

func list(value string) []string {
	out := []string{}
	for w := range strings.SplitSeq(value, ",") {
		if w = strings.Trim(strings.TrimSpace(w), `'"`); w != "" {
			out = append(out, w)
		}
	}
	return out
}

func paths(value, dir, separator string) []string {
	var out []string
	for p := range strings.SplitSeq(value, separator) {
		if p = onePath(p, dir); p != "" {
			out = append(out, p)
		}
	}
	return out
}

// onePath expands a path as Ansible does: {{CWD}}, variables, ~, relative to the
// file.
func onePath(p, dir string) string {
	p = strings.Trim(strings.TrimSpace(p), `'"`)
	if p == "" {
		return ""
	}
	if rest, ok := strings.CutPrefix(p, "{{CWD}}"); ok {
		cwd, err := os.Getwd()
		if err != nil {
			return ""
		}
		p = cwd + rest
	}
	p = os.Expand(p, func(name string) string {
		if value, ok := os.LookupEnv(name); ok {
			return value
		}
		return "$" + name
	})
	if rest, ok := strings.CutPrefix(p, "~/"); ok {
		if home, err := os.UserHomeDir(); err == nil {
			p = filepath.Join(home, rest)
		}
	}
	return below(dir, p)
}

// inventories splits a list of inventories; one with a host list stays whole.
func inventories(value, dir string) []string {
	var out []string
	for _, p := range list(value) {
		out = append(out, onePath(p, dir))
	}
	return out
}
