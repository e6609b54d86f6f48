package report

import (
	"encoding/json"
	"io"

	"github.com/surespray/surespray/verify"
)

// renderJSON writes one JSON document and a line feed.
func renderJSON(w io.Writer, d Document, _ Options) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(d)
}

// complete fills what follows from the rest: the schema and the counts. Lists are empty,
// never null.
func complete(d Document) Document {
	d.Schema = Schema
	d.Summary = verify.Count(d.Results)
	d.Results = orEmpty(d.Results)
	d.Findings = orEmpty(d.Findings)
	if d.Plan != nil {
		p := *d.Plan
		p.Argv, p.Tags = orEmpty(p.Argv), orEmpty(p.Tags)
		d.Plan = &p
	}
	if d.Ansible != nil {
		a := *d.Ansible
		a.Failures, a.Plays = orEmpty(a.Failures), orEmpty(a.Plays)
		if a.Hosts == nil {
			a.Hosts = map[string]Host{}
		}
		d.Ansible = &a
	}
	return d
}

func orEmpty[T any](list []T) []T {
	if list == nil {
		return []T{}
	}
	return list
}
