package kubespray

import (
	"maps"
	"path/filepath"
	"slices"
)

// checksumFiles are where releases have kept their checksums.
func checksumFiles() []string {
	return []string{"vars/main/checksums.yml", "defaults/main/checksums.yml"}
}

// KubeVersions are the versions of Kubernetes that the checkout can install: those with a
// checksum of the kubelet, sorted as text.
func (c *Checkout) KubeVersions() []string {
	found := map[string]bool{}
	c.checksums("kubelet_checksums", func(_, version, _ string) { found[version] = true })
	return slices.Sorted(maps.Keys(found))
}

// ArchiveChecksums are those of one version in a table of checksums, such as
// helm_archive_checksums, of every architecture: which one counts is the host's matter.
func (c *Checkout) ArchiveChecksums(table, version string) []string {
	var out []string
	c.checksums(table, func(_, v, sum string) {
		if v == version {
			out = append(out, sum)
		}
	})
	return out
}

// checksums tells the entries of a table: architecture, version, checksum.
func (c *Checkout) checksums(table string, tell func(arch, version, sum string)) {
	for _, file := range checksumFiles() {
		doc := c.docs.get(filepath.Join(c.RolesPath(), "kubespray_defaults", filepath.FromSlash(file)))
		pairs(field(doc.root, table), func(arch, versions *node) {
			pairs(versions, func(version, sum *node) { tell(arch.Value, version.Value, text(sum)) })
		})
	}
}
