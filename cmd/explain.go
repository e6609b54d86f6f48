package cmd

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/surespray/surespray/internal/explain"
	"github.com/surespray/surespray/internal/kubespray"
	"github.com/surespray/surespray/verify"
	"github.com/surespray/surespray/verify/checks"
)

func (a *app) explain() *cobra.Command {
	c := &cobra.Command{
		Use:   "explain ID|CODE...",
		Short: "Explain a check, the cause of a failure or a finding of the audit",
		Long: `Explains the id of a check (metrics-server.apiservice), the cause that a check names
(kubelet-cert-no-san) or the code of a finding (string-boolean): what it means, why it
happens, what to do. No cluster, checkout or network is needed.` + exitHelp("0 explained", "64 arguments, an unknown id or code"),
		Example: "  surespray explain kubelet-cert-no-san\n  surespray explain string-boolean metrics-server.apiservice",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usagef("surespray checks list", "name an id or a code")
			}
			return nil
		},
		RunE: func(_ *cobra.Command, names []string) error { return a.explainAll(names) },
	}
	a.output.bindFormat(c, "text", "json")
	return c
}

// explanation is what is told about one name.
type explanation struct {
	Name    string `json:"name"`
	Meaning string `json:"meaning"`
	Why     string `json:"why,omitempty"`
	Fix     string `json:"fix,omitempty"`
	Link    string `json:"link,omitempty"`
}

func (a *app) explainAll(names []string) error {
	list := checks.For(nil, checks.Facts{}, checks.Options{})
	var out []explanation
	for _, name := range names {
		name, _, _ = strings.Cut(name, "=") // hazard=cert-manager-namespace
		if i := slices.IndexFunc(list, func(c verify.Check) bool { return c.ID == name }); i >= 0 {
			help, link := splitLink(list[i].Help)
			out = append(out, explanation{Name: name, Meaning: list[i].Title, Why: help, Link: link})
			continue
		}
		e, ok := explain.Find(name)
		if !ok {
			next := "surespray checks list"
			if near := kubespray.Nearest(name, append(explain.Codes(), checkNames(list)...), 1); len(near) > 0 {
				next = "did you mean " + near[0] + "?"
			}
			return usagef(next, "no check, cause or code is called %q", name)
		}
		out = append(out, explanation{Name: e.Code, Meaning: e.Meaning, Why: e.Why, Fix: e.Fix, Link: e.Link})
	}
	a.output.own = func(w io.Writer) error { return printExplanations(w, a.output.format, out) }
	return nil
}

func checkNames(list []verify.Check) []string {
	var out []string
	for _, c := range list {
		out = append(out, c.ID)
	}
	return out
}

// splitLink takes the link from the end of a help text.
func splitLink(help string) (text, link string) {
	if i := strings.LastIndex(help, "https://"); i >= 0 && !strings.ContainsAny(help[i:], " \n") {
		return strings.TrimSpace(help[:i]), help[i:]
	}
	return help, ""
}

func printExplanations(w io.Writer, format string, list []explanation) error {
	if format == "json" {
		enc := json.NewEncoder(w)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(list)
	}
	for i, e := range list {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s\n  %s\n", e.Name, e.Meaning)
		for _, line := range [][2]string{{"why", e.Why}, {"fix", e.Fix}, {"see", e.Link}} {
			if line[1] != "" {
				fmt.Fprintf(w, "  %s: %s\n", line[0], line[1])
			}
		}
	}
	return nil
}
