package kubespray

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func TestChecksums(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "roles", "kubespray_defaults", "vars", "main", "checksums.yml")
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	text := "kubelet_checksums:\n  arm64:\n    1.35.0: sha256:a\n  amd64:\n    1.35.0: sha256:b\n    1.34.3: sha256:c\n" +
		"helm_archive_checksums:\n  arm64:\n    3.18.4: sha256:d\n  amd64:\n    3.18.4: sha256:e\n    3.17.0: sha256:f\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c := &Checkout{Dir: dir}
	if got := c.KubeVersions(); !slices.Equal(got, []string{"1.34.3", "1.35.0"}) {
		t.Errorf("versions %v", got)
	}
	if got := c.ArchiveChecksums("helm_archive_checksums", "3.18.4"); !slices.Equal(got, []string{"sha256:d", "sha256:e"}) {
		t.Errorf("checksums %v", got)
	}
	if got := c.ArchiveChecksums("none", "3.18.4"); len(got) != 0 {
		t.Errorf("checksums %v", got)
	}
}
