package cmd

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"sigs.k8s.io/yaml"

	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/checks"
)

func (a *app) checksRBAC() *cobra.Command {
	probe := false
	c := &cobra.Command{
		Use:   "rbac [NAME...]",
		Short: "Print the least ClusterRoles that the checks need",
		Long: `Prints ClusterRoles with the rights that the checks (all, or those of the ids and areas
named) need to read, and nothing more. What reads Secrets (Helm's releases) is a role of
its own: without it the check concerned is skipped with that reason. --probe adds a role
with what probes need besides, which make objects in a namespace of their own.` + exitHelp("0 printed", "64 arguments, an unknown NAME"),
		Example: "  surespray checks rbac | kubectl apply -f -\n  surespray checks rbac metrics-server",
		RunE: func(_ *cobra.Command, names []string) error {
			list, err := verify.Select(checks.For(nil, checks.Facts{}, checks.Options{}), names)
			if err != nil {
				return usageError{err: err, next: "surespray checks list"}
			}
			var probing []verify.Check
			if probe {
				if probing, err = verify.Select(checks.For(nil, checks.Facts{}, checks.Options{Probe: true}), names); err != nil {
					return usageError{err: err, next: "surespray checks list"}
				}
			}
			a.output.own = func(w io.Writer) error { return printRoles(w, list, probing) }
			return nil
		},
	}
	c.Flags().BoolVar(&probe, "probe", false, "also print what probes need")
	a.output.bindFormat(c, "text")
	return c
}

// rule is a rule of a ClusterRole; the fields stand in the order in which people write
// them.
type rule struct {
	APIGroups       []string `json:"apiGroups,omitempty"`
	Resources       []string `json:"resources,omitempty"`
	NonResourceURLs []string `json:"nonResourceURLs,omitempty"`
	Verbs           []string `json:"verbs"`
}

func printRoles(w io.Writer, list, probing []verify.Check) error {
	base, optional := needed(list)
	if err := printRole(w, "surespray-verify", base); err != nil {
		return err
	}
	more, _ := needed(probing)
	more = slices.DeleteFunc(more, func(a verify.Access) bool { return slices.Contains(base, a) })
	for _, role := range []struct {
		name   string
		access []verify.Access
	}{{"surespray-verify-secrets", optional}, {"surespray-probe", more}} {
		if len(role.access) == 0 {
			continue
		}
		fmt.Fprintln(w, "---")
		if err := printRole(w, role.name, role.access); err != nil {
			return err
		}
	}
	return nil
}

// needed is what checks need, and what they can do without.
func needed(list []verify.Check) (base, optional []verify.Access) {
	for _, c := range list {
		for _, access := range c.Access {
			if access.Optional {
				optional = append(optional, access)
			} else {
				base = append(base, access)
			}
		}
	}
	return base, optional
}

func printRole(w io.Writer, name string, access []verify.Access) error {
	role := map[string]any{
		"apiVersion": "rbac.authorization.k8s.io/v1", "kind": "ClusterRole", "metadata": map[string]any{"name": name}, "rules": rulesOf(access),
	}
	out, err := yaml.Marshal(role)
	if err != nil {
		return err
	}
	_, err = w.Write(out)
	return err
}

// rulesOf joins rights that differ only in the resource.
func rulesOf(access []verify.Access) []rule {
	verbs := map[[2]string][]string{} // group and resource -> verbs
	for _, a := range access {
		key := [2]string{a.Group, a.Resource}
		if !slices.Contains(verbs[key], a.Verb) {
			verbs[key] = append(verbs[key], a.Verb)
		}
	}
	byVerbs := map[[2]string][]string{} // group and verbs -> resources
	for key, v := range verbs {
		slices.Sort(v)
		id := [2]string{key[0], strings.Join(v, ",")}
		if strings.HasPrefix(key[1], "/") {
			id[0] = "/"
		}
		byVerbs[id] = append(byVerbs[id], key[1])
	}
	var rules []rule
	for _, id := range slices.SortedFunc(maps.Keys(byVerbs), func(a, b [2]string) int { return strings.Compare(a[0]+a[1], b[0]+b[1]) }) {
		resources := byVerbs[id]
		slices.Sort(resources)
		r := rule{Verbs: strings.Split(id[1], ",")}
		if id[0] == "/" {
			r.NonResourceURLs = resources
		} else {
			r.APIGroups, r.Resources = []string{id[0]}, resources
		}
		rules = append(rules, r)
	}
	return rules
}
