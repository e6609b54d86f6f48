package kubespray

import (
	"fmt"
	"os"
	"path/filepath"
)

// ConfigChoice is the ansible.cfg of a run, and why it is this one.
type ConfigChoice struct {
	Config
	How string // one line for people
	// Export is true when the run must set ANSIBLE_CONFIG to it: Ansible would not
	// find it by itself.
	Export bool
	// Notes say what was passed over.
	Notes []string
}

// EffectiveConfig chooses Ansible's configuration: what ANSIBLE_CONFIG names, else
// ./ansible.cfg unless everybody may write to the directory (Ansible ignores it
// then), else the checkout's own. Those of the home directory and of the machine are
// passed over for the checkout's, which raw Ansible in the checkout would take too.
func EffectiveConfig(env func(string) string, cwd string, checkout *Checkout) (ConfigChoice, error) {
	if named := env("ANSIBLE_CONFIG"); named != "" {
		path := onePath(named, cwd)
		if isDir(path) {
			path = filepath.Join(path, "ansible.cfg")
		}
		cfg, err := ReadConfig(path)
		return ConfigChoice{Config: cfg, How: path + " (from ANSIBLE_CONFIG)"}, err
	}
	var notes []string
	local := filepath.Join(cwd, "ansible.cfg")
	if isFile(local) {
		if !worldWritable(cwd) {
			cfg, err := ReadConfig(local)
			return ConfigChoice{Config: cfg, How: local + " (in the current directory)"}, err
		}
		notes = append(notes, fmt.Sprintf("%s is not used: everybody may write to %s, so Ansible ignores it there; chmod o-w %s, or set ANSIBLE_CONFIG", local, cwd, cwd))
	}
	others := machineConfigs(env)
	if own := checkout.ConfigFile(); own != "" {
		for _, path := range others {
			notes = append(notes, path+" is not used: the checkout's own comes first, as it does inside the checkout")
		}
		cfg, err := ReadConfig(own)
		return ConfigChoice{Config: cfg, How: own + " (the checkout's)", Export: true, Notes: notes}, err
	}
	for _, path := range others {
		cfg, err := ReadConfig(path)
		return ConfigChoice{Config: cfg, How: path + " (no other found)", Notes: notes}, err
	}
	return ConfigChoice{How: "none found: Ansible's built-in defaults", Notes: notes}, nil
}

// machineConfigs lists the configurations of the home directory and the machine.
func machineConfigs(env func(string) string) []string {
	var found []string
	if home := env("HOME"); home != "" && isFile(filepath.Join(home, ".ansible.cfg")) {
		found = append(found, filepath.Join(home, ".ansible.cfg"))
	}
	if isFile("/etc/ansible/ansible.cfg") {
		found = append(found, "/etc/ansible/ansible.cfg")
	}
	return found
}

func worldWritable(dir string) bool {
	info, err := os.Stat(dir)
	return err == nil && info.Mode().Perm()&0o002 != 0
}
