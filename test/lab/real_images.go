package lab

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// Names of the images that every real node has. No registry is ever asked: what has
// another name cannot be pulled.
const (
	PauseImage         = "registry.k8s.io/pause:3.10.1"
	BusyboxImage       = "docker.io/library/busybox:latest"
	MetricsServerImage = "registry.k8s.io/metrics-server/metrics-server:v0.9.0"
	LocalPathImage     = "docker.io/rancher/local-path-provisioner:v0.0.30"
	CoreDNSImage       = "registry.k8s.io/coredns/coredns:v1.15.0"
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
		{CoreDNSImage, []string{"/coredns"}, []imageFile{{path: "coredns", source: tool("coredns")}}},
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
