package checks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surespray/surespray/verify"
)

// HelmBinary is what was seen of Helm on one control plane.
type HelmBinary struct {
	Host    string
	Path    string // "": it is not there
	Version string // as it says itself; "": it did not run
	SHA256  string
	Arch    string // of the host, as Kubespray calls it; "": not known
	// Archive is what Kubespray unpacked it from, where it is still there.
	Archive, ArchiveSHA256 string
	Err                    string // why the host could not be looked at
}

// judgeHelmBinaries returns one finding for each control plane with trouble, or one for
// all.
func judgeHelmBinaries(binaries seen[[]HelmBinary], f Facts, applied bool) []verify.Finding {
	if !binaries.ok() {
		return []verify.Finding{verify.Unknown("hosts-unseen", "the control planes could not be looked at: %v", binaries.err).
			Mend("surespray verify helm.binary -i INVENTORY, with the connection flags that a run needs")}
	}
	all := binaries.value
	var out []verify.Finding
	for _, b := range all {
		if g := judgeHelmBinary(b, f, applied); g.Verdict != verify.VerdictPass {
			g.Subject, g.Of = b.Host, len(all)
			out = append(out, g)
		}
	}
	switch {
	case len(out) > 0:
		return out
	case len(all) == 0:
		return []verify.Finding{verify.Unknown("hosts-unseen", "no control plane was looked at")}
	}
	if g, odd := differentBuilds(all); odd {
		return []verify.Finding{g}
	}
	g := verify.Pass("Helm %s is on all %d control planes", all[0].Version, len(all))
	for _, b := range all {
		g.Details = append(g.Details, fmt.Sprintf("%s: %s sha256:%s", b.Host, b.Path, b.SHA256))
	}
	return []verify.Finding{g}
}

func judgeHelmBinary(b HelmBinary, f Facts, applied bool) verify.Finding {
	want := plainVersion(f.text("helm_version"))
	switch {
	case b.Err != "":
		return verify.Unknown("host-unreachable", "%s could not be looked at: %s", b.Host, b.Err).Mend("surespray verify helm.binary -i INVENTORY -l " + b.Host)
	case b.Path == "" && yes(f.asked(helmAddon)):
		return verify.Fail("helm-missing", "there is no Helm on %s", b.Host).Mend("surespray addon apply helm")
	case b.Path == "":
		return verify.Skip("there is no Helm on %s, and it is not known whether it is asked for", b.Host)
	case b.Version == "":
		return verify.Fail("helm-broken", "%s on %s does not run", b.Path, b.Host).Seen("sha256:"+b.SHA256).
			Mend("on "+b.Host+": "+b.Path+" version", "surespray addon apply helm")
	case want != "" && plainVersion(b.Version) != want:
		return drifted(helmAddon, applied, "Helm on %s is %s, this checkout installs %s", b.Host, b.Version, want).Seen(b.Path + " sha256:" + b.SHA256)
	case b.ArchiveSHA256 != "" && len(f.HelmChecksums) > 0 && !slices.ContainsFunc(f.HelmChecksums, func(sum string) bool { return plainSum(sum) == plainSum(b.ArchiveSHA256) }):
		return verify.Fail("helm-archive-checksum", "the archive that Helm on %s comes from is not the one that this checkout pins", b.Host).
			Seen(b.Archive+" sha256:"+plainSum(b.ArchiveSHA256), "pinned: "+some(f.HelmChecksums, 6)).
			Mend("on "+b.Host+": rm "+b.Archive+"; then surespray addon apply helm", "with an own mirror: set helm_archive_checksum to its archive's")
	}
	return verify.Pass("%s", b.Version)
}

// differentBuilds compares the binaries of control planes of the same kind: the same
// version should be the same file.
func differentBuilds(all []HelmBinary) (verify.Finding, bool) {
	first := map[string]HelmBinary{}
	for _, b := range all {
		key := b.Arch + " " + plainVersion(b.Version)
		a, there := first[key]
		if !there {
			first[key] = b
			continue
		}
		if a.SHA256 != "" && b.SHA256 != "" && a.SHA256 != b.SHA256 {
			return verify.Warn("helm-binaries-differ", "Helm on %s and on %s have the same version and are different files", a.Host, b.Host).
				Seen(a.Host+": sha256:"+a.SHA256, b.Host+": sha256:"+b.SHA256).Mend("surespray addon apply helm"), true
		}
	}
	return verify.Finding{}, false
}

// plainVersion leaves out the v, and what a build adds after a plus.
func plainVersion(v string) string {
	v, _, _ = strings.Cut(strings.TrimPrefix(strings.TrimSpace(v), "v"), "+")
	return v
}

func plainSum(s string) string { return strings.ToLower(strings.TrimPrefix(s, "sha256:")) }
