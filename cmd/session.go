package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/surespray/surespray/extravars"
	"github.com/surespray/surespray/internal/edit"
	"github.com/surespray/surespray/internal/inventory"
	"github.com/surespray/surespray/internal/kubespray"
	"github.com/surespray/surespray/internal/settings"
	"github.com/surespray/surespray/runner"
	"github.com/surespray/surespray/verify/checks"
)

// session is what the commands that need a checkout and Ansible have in common.
type session struct {
	app     *app
	ansible ansibleFlags

	kubespray  string // --kubespray
	choice     string // --ansible-playbook
	lenient    bool
	accept     []string // what --accept says
	auditMode  string   // --audit
	applyNames []string // addons to apply, as the user named them
	looks      bool     // the addons' objects are looked at: their names must be known
	versions   bool     // and the versions that are pinned

	cwd         string
	checkout    *kubespray.Checkout
	types       *kubespray.Types
	config      kubespray.Config
	plan        runner.Plan
	chosen      []chosen              // what addon apply re-installs, with the tags to run it by
	applyAddons []kubespray.Addon     // the same addons
	companions  []kubespray.Companion // tags that these need beside their own
	verifyNames []string              // what verify is to look at, asked for by being named
	values      *runner.Values        // nil: Ansible could not be asked

	settings  settings.Settings // of .surespray.yml
	saved     *checks.Facts     // what a snapshot was told; nil: nothing
	accepts   []settings.Accept // of the flags and of the settings, the flags first
	inventory *inventory.Inventory
	fixes     []edit.Change // what the audit can mend mechanically
}

// bind adds the flags of a session; keep says which of Ansible's.
func (s *session) bind(c *cobra.Command, keep func(runner.Flag) bool) {
	s.ansible.bind(c, keep)
	f := c.Flags()
	f.StringVar(&s.kubespray, "kubespray", "", kubesprayUsage)
	f.StringVar(&s.choice, "ansible-playbook", "", "the ansible-playbook to use: a `PATH`, or \"managed\" (default: an in-range one on PATH, else the managed one)")
	f.StringArrayVar(&s.accept, "accept", nil, "do not stop at findings with this `CODE`, or CODE=KEY, repeatable")
	f.BoolVar(&s.lenient, "lenient-extra-vars", false, "pass by what Ansible would silently ignore in -e, with a warning")
}

// open reads what the user has: checkout, types, extra vars, inventory, configuration.
// It starts no process. playbook, as the user wrote it, helps to find the checkout.
func (s *session) open(playbooks []string) (err error) {
	if err := s.openTypes(playbooks); err != nil {
		return err
	}
	vars, err := s.parseExtraVars(s.types)
	if err != nil {
		return err
	}
	s.plan = runner.Plan{Dir: s.cwd, Checkout: s.checkout.Dir, Flags: s.ansible.args, ExtraVars: vars}
	for _, name := range playbooks {
		path, err := s.checkout.Playbook(name, s.cwd)
		if err != nil {
			return err
		}
		s.plan.Playbooks = append(s.plan.Playbooks, path)
	}
	return s.openConfig()
}

// openTypes finds the checkout and reads the types of its variables.
func (s *session) openTypes(playbooks []string) (err error) {
	if s.cwd, err = os.Getwd(); err != nil {
		return fmt.Errorf("reading the current directory: %w", err)
	}
	if err := s.openCheckout(playbooks); err != nil {
		return err
	}
	if s.types, err = s.checkout.Types(); err != nil {
		return fmt.Errorf("reading the checkout's defaults: %w", err)
	}
	return nil
}

// parseExtraVars reads the -e arguments, and shows the one that is refused.
func (s *session) parseExtraVars(types extravars.Schema) (*extravars.Vars, error) {
	vars, err := extravars.ParseArgs(s.ansible.extraVars, extravars.Options{Schema: types, Lenient: s.lenient, Dir: s.cwd, Getenv: s.app.sys.Getenv})
	if vars != nil {
		s.app.output.doc.Findings = reportFindings(vars.Findings)
	}
	var usage *extravars.UsageError
	if errors.As(err, &usage) {
		fmt.Fprintln(s.app.sys.Err, usage.Detail())
	}
	return vars, err
}

func (s *session) openCheckout(playbooks []string) error {
	first := ""
	if len(playbooks) > 0 {
		first = playbooks[0]
	}
	dir, how, err := kubespray.Find(kubespray.FindOptions{
		Flag: s.kubespray, Env: s.app.sys.Getenv("KUBESPRAY_DIR"), Playbook: first, Cwd: s.cwd,
	})
	if err != nil {
		return err
	}
	if s.checkout, err = kubespray.Open(dir); err != nil {
		return err
	}
	s.app.output.note("checkout %s (%s)", dir, how)
	return nil
}

// openConfig chooses ansible.cfg and looks at the inventories before Ansible does.
func (s *session) openConfig() error {
	config, err := kubespray.EffectiveConfig(s.app.sys.Getenv, s.cwd, s.checkout)
	if err != nil {
		return &runner.PreflightError{Err: err, Next: "mend ansible.cfg, or name another with ANSIBLE_CONFIG"}
	}
	s.app.output.note("configuration %s", config.How)
	for _, note := range config.Notes {
		s.app.output.note("%s", note)
	}
	if lacks := config.LacksCheckout(s.checkout); len(lacks) > 0 {
		s.app.output.warn("%s lacks the checkout's %s: a role or module of Kubespray may not be found; add them, or leave the file out",
			config.Path, strings.Join(lacks, " and "))
	}
	s.plan.Config, s.plan.SetConfig, s.plan.Callbacks = config.Path, config.Export, config.CallbackPlugins
	s.config = config.Config
	return s.readSettings()
}

// findAnsible chooses the ansible-playbook and looks at the inventories as that one would.
func (s *session) findAnsible(ctx context.Context) error {
	versions, _, _, err := s.checkout.AnsibleRange()
	if err != nil {
		if s.choice == "" {
			return &runner.PreflightError{Err: err, Next: "name an Ansible with --ansible-playbook PATH"}
		}
		s.app.output.warn("%v", err)
	}
	versions = versions.With(s.literal(kubespray.MinimalAnsibleVersion), s.literal(kubespray.MaximalAnsibleVersion))
	managed := ""
	if requirements, _, err := s.checkout.Requirements(); err == nil {
		if env, ok := runner.FindEnvironment(runner.CacheDir(), requirements); ok {
			managed = env.AnsiblePlaybook()
		}
	}
	if s.plan.Ansible, err = runner.FindAnsible(ctx, s.choice, versions, managed); err != nil {
		return err
	}
	s.app.output.note("ansible-core %s, %s (%s)", orUnknown(s.plan.Ansible.Version), s.plan.Ansible.Path, s.plan.Ansible.Why)
	return nil
}

// literal returns an extra var's value where it is plain text or a number.
func (s *session) literal(name string) string {
	switch v, _ := s.plan.ExtraVars.Lookup(name); v := v.(type) {
	case string:
		return v
	case int, int64, float64:
		return fmt.Sprint(v)
	}
	return ""
}

// inventories are the user's -i, else what the environment or the configuration names.
func (s *session) inventories() []string {
	if given := s.plan.Flags["inventory"]; len(given) > 0 {
		return given
	}
	if env := s.app.sys.Getenv("ANSIBLE_INVENTORY"); env != "" {
		return strings.Split(env, ",")
	}
	return s.config.Inventory
}

func (s *session) checkInventories() error {
	if s.plan.Flags.Has("version") {
		return nil
	}
	inventories := s.inventories()
	if len(inventories) == 0 {
		return &runner.PreflightError{What: "no inventory: no -i, no ANSIBLE_INVENTORY and none in the configuration", Next: "give it with -i, e.g. -i inventory/mycluster/inventory.ini"}
	}
	if slices.Contains(inventories, "") {
		return usagef("give the path of an inventory", "-i is empty: Ansible would take the whole current directory for an inventory")
	}
	for _, p := range kubespray.InventoryProblems(inventories, s.cwd, s.config, s.plan.Ansible.Version) {
		return &runner.PreflightError{What: fmt.Sprintf("inventory %s: %s", p.Path, p.Text), Next: p.Next}
	}
	return nil
}

func orUnknown(s string) string {
	if s == "" {
		return "of unknown version"
	}
	return s
}

const kubesprayUsage = "the Kubespray checkout `DIR` (env KUBESPRAY_DIR; default: found from the playbook and the current directory)"
