package checks

import (
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// reference is a container image taken apart.
type reference struct {
	base        string // the last element of its path: what a mirror keeps
	tag, digest string
}

// splitReference takes REGISTRY:PORT/PATH/NAME:TAG@DIGEST apart.
func splitReference(image string) reference {
	var r reference
	image, r.digest, _ = strings.Cut(image, "@")
	name := image[strings.LastIndexByte(image, '/')+1:]
	r.base, r.tag, _ = strings.Cut(name, ":")
	return r
}

// containerImages are those of a pod's containers; never nil.
func containerImages(spec corev1.PodSpec) []string {
	out := []string{}
	for _, c := range spec.Containers {
		out = append(out, c.Image)
	}
	return out
}
