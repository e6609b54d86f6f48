package cmd

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/surespray/surespray/extravars"
	"github.com/surespray/surespray/internal/edit"
	"github.com/surespray/surespray/internal/inventory"
	"github.com/surespray/surespray/internal/kubespray"
	"github.com/surespray/surespray/runner"
)

// addonSwitch is addon enable or addon disable.
func (a *app) addonSwitch(word string, on bool) *cobra.Command {
	s := &session{app: a}
	write := false
	c := &cobra.Command{
		Use:   word + " NAME...",
		Short: fmt.Sprintf("Switch addons %s in the inventory's files", map[bool]string{true: "on", false: "off"}[on]),
		Long: fmt.Sprintf(`Shows, as a diff, the line of the inventory that switches each addon %s: the one that
decides now, or a new one in group_vars/k8s_cluster. --write applies it. Comments, order and
line endings stay as they are. Nothing is installed or removed: addon apply does the first,
and Kubespray never does the second.`, map[bool]string{true: "on", false: "off"}[on]) + exitHelp(
			"0 shown, written, or nothing to change",
			"64 arguments, an unknown addon, one without a switch of its own",
			"69 no checkout or inventory, or a file that cannot be changed",
			"70 error of surespray"),
		Example: fmt.Sprintf("  surespray addon %s metrics-server -i inventory/mycluster/inventory.ini\n  surespray addon %s helm -i inventory/mycluster/inventory.ini --write", word, word),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("surespray addon list", "name the addons to %s", word)
			}
			return nil
		},
		RunE: func(_ *cobra.Command, names []string) error { return a.switchAddons(s, names, on, write) },
	}
	s.bind(c, func(f runner.Flag) bool { return f.Name == "inventory" })
	c.Flags().BoolVar(&write, "write", false, "write the change to the file")
	a.output.bindFormat(c, "text")
	return c
}

func (a *app) switchAddons(s *session, names []string, on, write bool) error {
	if err := s.open([]string{"cluster.yml"}); err != nil {
		return err
	}
	if err := s.checkInventories(); err != nil {
		return err
	}
	catalogue, err := s.checkout.Catalogue("")
	if err != nil {
		return fmt.Errorf("reading the addons of the checkout: %w", err)
	}
	if err := s.readInventory(); err != nil {
		return err
	}
	var changes []edit.Change
	for _, name := range names {
		addon, _, err := catalogue.Resolve(name)
		if err != nil {
			return err
		}
		more, err := s.switchAddon(name, addon, on)
		if err != nil {
			return err
		}
		changes = append(changes, more...)
	}
	return a.change(changes, write)
}

// switchAddon returns the changes that switch one addon.
func (s *session) switchAddon(asked string, addon kubespray.Addon, on bool) ([]edit.Change, error) {
	names := s.ownSwitches(addon, on)
	if len(names) == 0 {
		hangs := "it always runs"
		if len(addon.Switch) > 0 {
			hangs = "it hangs on " + strings.Join(addon.Switch, ", ")
		}
		return nil, usagef("surespray addon list", "%s has no switch of its own; %s", asked, hangs)
	}
	var changes []edit.Change
	for _, name := range names {
		setting := s.inEffect(name)
		if setting == nil && addon.Default[name] == on {
			s.app.output.note("%s: %s is %t already, by the checkout's default", addon.Name, name, on)
			continue
		}
		more, err := s.inventory.Assign(setting, "k8s_cluster", name, on, s.cwd)
		var cannot *inventory.AssignError
		if errors.As(err, &cannot) {
			return nil, &runner.PreflightError{What: cannot.What, Next: cannot.Next}
		}
		if err != nil {
			return nil, err
		}
		if len(more) == 0 {
			s.app.output.note("%s: %s is %t already (%s:%d)", addon.Name, name, on, setting.File, setting.Line)
		}
		changes = append(changes, more...)
	}
	return changes, nil
}

// ownSwitches are the booleans that must be true for an addon; off takes only the one that
// has its name, because others need the rest.
func (s *session) ownSwitches(addon kubespray.Addon, on bool) []string {
	var all, own []string
	for _, name := range addon.Switch {
		if s.types.TypeOf(name) != extravars.Bool {
			continue
		}
		all = append(all, name)
		if short := strings.TrimSuffix(name, "_enabled"); strings.Contains(addon.Role, short) || strings.Contains(strings.ReplaceAll(addon.Name, "-", "_"), short) {
			own = append(own, name)
		}
	}
	if on || len(own) == 0 {
		return all
	}
	return own
}

// inEffect is the setting that decides on the first control plane, or nil.
func (s *session) inEffect(name string) *inventory.Setting {
	hosts := s.inventory.HostsOf("kube_control_plane")
	if len(hosts) > 0 {
		if setting, ok := s.inventory.Effective(hosts[0], name); ok {
			return setting
		}
		return nil
	}
	setting, _ := s.inventory.EffectiveIn([]string{"k8s_cluster", "kube_control_plane"}, name)
	return setting
}

// change shows changes as a diff, and writes them where that is asked for.
func (a *app) change(changes []edit.Change, write bool) error {
	var once []edit.Change // several findings, or several names, may ask for the same one
	for _, c := range changes {
		c.File = filepath.Clean(c.File)
		if !slices.Contains(once, c) {
			once = append(once, c)
		}
	}
	set, err := edit.Plan(once)
	if err != nil {
		return &runner.PreflightError{Err: err, Next: "run it again"}
	}
	if err := set.Diff(a.sys.Out, hideSecrets(set.Files())); err != nil {
		return err
	}
	switch {
	case set.Empty():
		a.output.note("there is nothing to change")
		return nil
	case !write:
		a.output.note("this is what would change; --write writes it")
		return nil
	}
	if err := set.Write(); err != nil {
		return &runner.PreflightError{Err: err, Next: "mend the cause and run it again"}
	}
	a.output.note("changed: %s", strings.Join(set.Files(), ", "))
	return nil
}

// hideSecrets masks what looks secret on the lines of a diff. A diff may begin in the middle
// of a block, so the files are read for the lines of blocks below such a name.
func hideSecrets(files []string) func(string) string {
	hidden := map[string]bool{}
	for _, file := range files {
		raw, _ := os.ReadFile(file) // one that is new has no secrets yet
		block := -1                 // the indentation of the name whose block is hidden
		for line := range strings.Lines(string(raw)) {
			line = strings.TrimRight(line, "\r\n")
			indent := len(line) - len(strings.TrimLeft(line, " \t"))
			if block >= 0 && indent > block {
				hidden[line] = true
				continue
			}
			block = -1
			name, value, ok := strings.Cut(strings.TrimSpace(line), ":")
			value = strings.TrimSpace(value)
			if ok && extravars.LooksSecret(name) && (value == "" || value[0] == '|' || value[0] == '>') {
				block = indent
			}
		}
	}
	return func(line string) string {
		if hidden[strings.TrimRight(line, "\r\n")] {
			return extravars.Mask
		}
		return extravars.MaskLine(line)
	}
}
