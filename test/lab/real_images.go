package lab

import (
	"archive/tar"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"strings"
)

// Names of the images that every real node has. No registry is ever asked: what has
// another name cannot be pulled.
const (
	PauseImage         = "registry.k8s.io/pause:3.10.1"
	BusyboxImage       = "docker.io/library/busybox:latest"
	MetricsServerImage = "registry.k8s.io/metrics-server/metrics-server:v0.9.0"
	LocalPathImage     = "docker.io/rancher/local-path-provisioner:v0.0.30"
)

// Image is one that the lab made.
type Image struct {
	Name    string
	archive string // its file, in the form of docker save
}

// imageFile is a file in an image: a copy of source, or a link.
type imageFile struct{ path, source, link string }

// writeImages makes the images out of static programs: those of the lab and Debian's busybox.
func (l *Lab) writeImages() ([]Image, error) {
	busybox, err := exec.LookPath("busybox")
	if err != nil {
		return nil, err
	}
	applets, err := exec.Command(busybox, "--list").Output()
	if err != nil {
		return nil, fmt.Errorf("asking busybox what it can do: %w", err)
	}
	box := []imageFile{{path: "bin/busybox", source: busybox}}
	for _, applet := range strings.Fields(string(applets)) {
		if applet != "busybox" {
			box = append(box, imageFile{path: "bin/" + applet, link: "busybox"})
		}
	}
	tool := func(name string) string { return filepath.Join(l.tools, name) }
	dir := filepath.Join(l.Dir, "images")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	var images []Image
	for i, image := range []struct {
		name  string
		argv  []string
		files []imageFile
	}{
		{PauseImage, []string{"/pause"}, []imageFile{{path: "pause", source: tool("pause")}}},
		{BusyboxImage, []string{"sh"}, box},
		{MetricsServerImage, []string{"/metrics-server"}, []imageFile{{path: "metrics-server", source: tool("metrics-server")}}},
		{LocalPathImage, []string{"local-path-provisioner"}, []imageFile{{path: "usr/bin/local-path-provisioner", source: tool("local-path-provisioner")}}},
	} {
		archive := filepath.Join(dir, fmt.Sprintf("%d.tar", i))
		if err := writeImage(archive, image.name, image.argv, image.files); err != nil {
			return nil, fmt.Errorf("making the image %s: %w", image.name, err)
		}
		images = append(images, Image{Name: image.name, archive: archive})
	}
	return images, nil
}

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
