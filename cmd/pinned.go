package cmd

import (
	"slices"

	"github.com/surespray/surespray/internal/kubespray"
	"github.com/surespray/surespray/verify/checks"
)

// resolve adds what the checkout makes of the values: the versions that it installs. What
// a snapshot has kept of them stays.
func (s *session) resolve(f *checks.Facts) {
	if s.checkout == nil || s.values == nil || f.Pinned != nil {
		return
	}
	addons, err := s.checkout.Addons()
	if err != nil {
		return // whoever needs the addons says so; here versions are not compared
	}
	f.Pinned = map[string]checks.Pinned{}
	for _, addon := range addons {
		if asked, known := s.asked(addon); !known || !asked {
			continue
		}
		if p, ok := s.pinnedWorkload(addon); ok {
			f.Pinned[addon.Name] = p
		}
	}
	f.KubeVersions = s.checkout.KubeVersions()
	if version, ok := f.Values["helm_version"].(string); ok {
		f.HelmChecksums = s.checkout.ArchiveChecksums("helm_archive_checksums", version)
	}
}

// pinnedWorkload is what an addon runs; false for one that runs nothing, or whose image
// is not known.
func (s *session) pinnedWorkload(addon kubespray.Addon) (checks.Pinned, bool) {
	pinned := s.checkout.Pinned(addon, s.told)
	if pinned.Image.Repo == "" || pinned.Image.Tag == "" || pinned.Main == nil {
		return checks.Pinned{}, false
	}
	p := checks.Pinned{Image: pinned.Image.Repo + ":" + pinned.Image.Tag, Version: pinned.Version}
	for _, o := range append([]kubespray.Object{*pinned.Main}, kubespray.Telling(s.checkout.Objects(addon, s.told))...) {
		ref := refs([]kubespray.Object{o})[0]
		if slices.Contains([]string{"Deployment", "DaemonSet", "StatefulSet"}, o.Kind) && !slices.Contains(p.Workloads, ref) {
			p.Workloads = append(p.Workloads, ref)
		}
	}
	return p, len(p.Workloads) > 0
}
