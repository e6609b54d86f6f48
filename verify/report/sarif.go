package report

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/surespray/surespray/verify"
)

// renderSARIF writes SARIF 2.1.0, which code scanning and editors read: what the audit
// found, and what the verification could not confirm.
func renderSARIF(w io.Writer, d Document, _ Options) error {
	run := sarifRun{Tool: sarifTool{Driver: sarifDriver{Name: "surespray", Rules: []sarifRule{}}}, Results: []sarifResult{}}
	for _, f := range d.Findings {
		run.add(sarifRule{ID: f.Code}, sarifFinding(f))
	}
	for _, r := range d.Results {
		switch r.Verdict {
		case verify.VerdictFail, verify.VerdictWarn, verify.VerdictUnknown:
			run.add(sarifRule{ID: r.ID, ShortDescription: sarifText(r.Title)}, sarifCheck(r))
		}
	}
	run.suppress(d.Findings)
	run.locate(d.Cluster.Inventory)
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(sarifLog{Schema: sarifSchema, Version: "2.1.0", Runs: []sarifRun{run}})
}

// add appends a result, and its rule when it is the first of it.
func (run *sarifRun) add(rule sarifRule, r sarifResult) {
	rules := &run.Tool.Driver.Rules
	r.RuleID = rule.ID
	r.RuleIndex = slices.IndexFunc(*rules, func(have sarifRule) bool { return have.ID == rule.ID })
	if r.RuleIndex < 0 {
		r.RuleIndex = len(*rules)
		*rules = append(*rules, rule)
	}
	run.Results = append(run.Results, r)
}

// suppress marks what is accepted. The standard wants the property on all results of a
// run or on none; findings are the first of them.
func (run *sarifRun) suppress(findings []Finding) {
	if !slices.ContainsFunc(findings, func(f Finding) bool { return f.Accepted != "" }) {
		return
	}
	for i := range run.Results {
		run.Results[i].Suppressions = []sarifSuppression{}
		if i < len(findings) && findings[i].Accepted != "" {
			run.Results[i].Suppressions = []sarifSuppression{{Kind: "external", Justification: findings[i].Accepted}}
		}
	}
}

// locate puts what has no file of its own at the inventory: code scanning refuses a report
// with a result that is nowhere.
func (run *sarifRun) locate(inventory string) {
	if inventory == "" {
		return
	}
	file, _, _ := strings.Cut(inventory, ",")
	at := &sarifPhysical{ArtifactLocation: sarifArtifact{URI: sarifURI(file)}, Region: &sarifRegion{StartLine: 1}}
	for i := range run.Results {
		r := &run.Results[i]
		if len(r.Locations) == 0 {
			r.Locations = []sarifLocation{{}}
		}
		if r.Locations[0].PhysicalLocation == nil {
			r.Locations[0].PhysicalLocation = at
		}
	}
}

func sarifFinding(f Finding) sarifResult {
	r := sarifResult{Level: "note", PartialFingerprints: sarifFingerprint(f.Code, f.File, f.Key, f.Detail)}
	if f.Severity == "error" || f.Severity == "warning" {
		r.Level = f.Severity
	}
	r.Message.Text = f.Message
	if f.Fix != "" {
		r.Message.Text += "\nFix: " + f.Fix
	}
	switch {
	case f.File != "":
		at := &sarifPhysical{ArtifactLocation: sarifArtifact{URI: sarifURI(f.File)}}
		if f.Line > 0 {
			at.Region = &sarifRegion{StartLine: f.Line}
		}
		r.Locations = []sarifLocation{{PhysicalLocation: at}}
	case f.Arg != nil:
		r.Locations = sarifLogicals(fmt.Sprintf("-e argument %d", *f.Arg+1)) // people count from 1
	}
	return r
}

func sarifCheck(v verify.Result) sarifResult {
	r := sarifResult{Level: "warning", PartialFingerprints: sarifFingerprint(v.ID, v.Subject)}
	if v.Verdict == verify.VerdictFail {
		r.Level = "error"
	}
	r.Message.Text = v.Summary
	if v.Cause != "" {
		r.Message.Text = v.Cause + ": " + v.Summary
	}
	if len(v.Fix) > 0 {
		r.Message.Text += "\nFix: " + strings.Join(v.Fix, "\nor: ")
	}
	if v.Subject != "" {
		r.Locations = sarifLogicals(v.Subject)
	} else {
		r.Locations = sarifLogicals(v.On...)
	}
	return r
}

func sarifLogicals(names ...string) []sarifLocation {
	var out []sarifLocation
	for _, name := range names {
		out = append(out, sarifLocation{LogicalLocations: []sarifLogical{{Name: name}}})
	}
	return out
}

// sarifURI is a file as a URI reference: relative as it is shown, or file:///….
func sarifURI(file string) string {
	u := url.URL{Path: filepath.ToSlash(filepath.Clean(file))}
	if filepath.IsAbs(file) {
		u.Scheme = "file"
	}
	return u.String()
}

// sarifFingerprint tells the same finding in two reports. Lines shift, so they are not in
// it. The name is our own: under the one that code scanning computes from the line,
// another value would be called inconsistent.
func sarifFingerprint(parts ...string) map[string]string {
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return map[string]string{"surespray/v1": hex.EncodeToString(sum[:16])}
}
