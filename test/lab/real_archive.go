package lab

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"runtime"
)

// writeImage writes an image of one layer as docker save would.
func writeImage(archive, name string, argv []string, files []imageFile) error {
	layer, err := writeLayer(files)
	if err != nil {
		return err
	}
	config, err := json.Marshal(map[string]any{
		"architecture": runtime.GOARCH, "os": "linux",
		"config": map[string]any{"Entrypoint": argv, "Env": []string{"PATH=/bin:/usr/bin"}, "WorkingDir": "/"},
		"rootfs": map[string]any{"type": "layers", "diff_ids": []string{fmt.Sprintf("sha256:%x", sha256.Sum256(layer))}},
	})
	if err != nil {
		return err
	}
	manifest, err := json.Marshal([]map[string]any{{"Config": "config.json", "RepoTags": []string{name}, "Layers": []string{"layer.tar"}}})
	if err != nil {
		return err
	}
	out := &bytes.Buffer{}
	w := tar.NewWriter(out)
	for _, part := range []struct {
		name    string
		content []byte
	}{{"layer.tar", layer}, {"config.json", config}, {"manifest.json", manifest}} {
		if err := addFile(w, part.name, part.content, 0o644); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(archive, out.Bytes(), 0o600)
}

func writeLayer(files []imageFile) ([]byte, error) {
	out := &bytes.Buffer{}
	w := tar.NewWriter(out)
	made := map[string]bool{"tmp/": true}
	if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: "tmp/", Mode: 0o1777}); err != nil {
		return nil, err
	}
	for _, f := range files {
		if err := addParents(w, f.path, made); err != nil {
			return nil, err
		}
		if f.link != "" {
			if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeSymlink, Name: f.path, Linkname: f.link, Mode: 0o777}); err != nil {
				return nil, err
			}
			continue
		}
		content, err := os.ReadFile(f.source)
		if err != nil {
			return nil, err
		}
		if err := addFile(w, f.path, content, 0o755); err != nil {
			return nil, err
		}
	}
	err := w.Close()
	return out.Bytes(), err
}

func addParents(w *tar.Writer, file string, made map[string]bool) error {
	dir := path.Dir(file) + "/"
	if dir == "./" || made[dir] {
		return nil
	}
	if err := addParents(w, path.Dir(file), made); err != nil {
		return err
	}
	made[dir] = true
	return w.WriteHeader(&tar.Header{Typeflag: tar.TypeDir, Name: dir, Mode: 0o755})
}

func addFile(w *tar.Writer, name string, content []byte, mode int64) error {
	if err := w.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: name, Size: int64(len(content)), Mode: mode}); err != nil {
		return err
	}
	_, err := w.Write(content)
	return err
}
