package cmd

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

func writeJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}

// printAddons writes the table, with what the cluster says where it was looked at.
func printAddons(w io.Writer, list []listed, looked, verbose bool) error {
	table := tabwriter.NewWriter(w, 0, 4, 2, ' ', 0)
	row := func(name, asked, installed, pinned, running, switches, tag string) {
		columns := []string{name, asked, installed, pinned, running, switches, tag}
		if !looked {
			columns = []string{name, asked, switches, tag}
		}
		fmt.Fprintln(table, strings.Join(columns, "\t"))
	}
	row("ADDON", "ASKED FOR", "INSTALLED", "PINNED", "RUNNING", "SWITCH", "TAG")
	for _, l := range list {
		row(l.Name, yesNo(l.AskedFor), yesNo(l.Installed), cmp.Or(l.Pinned, "-"), cmp.Or(l.Running, "-"), strings.Join(l.Switch, ","), l.Tag)
	}
	if err := table.Flush(); err != nil {
		return err
	}
	for _, l := range list {
		if l.leftOver() {
			fmt.Fprintf(w, "\n%s is switched off and still installed: Kubespray removes nothing.\n", l.Name)
		}
	}
	for _, l := range list {
		if verbose && (l.AskedFor == nil || *l.AskedFor) {
			l.printDetails(w)
		}
	}
	return nil
}

func yesNo(b *bool) string {
	switch {
	case b == nil:
		return "-"
	case *b:
		return "yes"
	}
	return "no"
}

// leftOver is true for what is installed and not asked for.
func (l listed) leftOver() bool {
	return l.AskedFor != nil && !*l.AskedFor && l.Installed != nil && *l.Installed
}

// printDetails writes what there is to know before applying an addon.
func (l listed) printDetails(w io.Writer) {
	if len(l.Hazards)+len(l.Trades) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", l.Name)
	tell := func(kind, name, text, way string) {
		fmt.Fprintf(w, "  %-6s  %s: %s\n", kind, name, text)
		if way != "" {
			fmt.Fprintf(w, "          instead: %s\n", way)
		}
	}
	for _, h := range l.Hazards {
		tell("hazard", h.Name, h.Text, h.Way)
	}
	for _, t := range l.Trades {
		tell("trade", t.Name, t.Text, t.Way)
	}
}
