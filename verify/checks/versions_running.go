package checks

import (
	"context"
	"fmt"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/surespray/surespray/verify/cluster"
)

// workload is something that runs pods, as far as its images are in question.
type workload struct {
	ref    cluster.Ref
	images []string
}

// runningWorkloads reads those of refs that are there, by one list for each kind and
// namespace.
func runningWorkloads(ctx context.Context, c *cluster.Cluster, refs []cluster.Ref) ([]workload, error) {
	var out []workload
	for _, ref := range refs {
		namespace := ref.Namespace
		if namespace == "" {
			namespace = metav1.NamespaceDefault
		}
		images, err := imagesOf(ctx, c, ref.Kind, namespace, ref.Name)
		if err != nil {
			return nil, err
		}
		if images != nil {
			out = append(out, workload{ref: ref, images: images})
		}
	}
	return out, nil
}

func imagesOf(ctx context.Context, c *cluster.Cluster, kind, namespace, name string) ([]string, error) {
	switch kind {
	case "Deployment":
		list, err := c.Deployments(ctx, namespace)
		for _, d := range list {
			if d.Name == name {
				return containerImages(d.Spec.Template.Spec), nil
			}
		}
		return nil, err
	case "DaemonSet":
		list, err := c.DaemonSets(ctx, namespace)
		for _, d := range list {
			if d.Name == name {
				return containerImages(d.Spec.Template.Spec), nil
			}
		}
		return nil, err
	case "StatefulSet":
		list, err := c.StatefulSets(ctx, namespace)
		for _, d := range list {
			if d.Name == name {
				return containerImages(d.Spec.Template.Spec), nil
			}
		}
		return nil, err
	}
	return nil, nil
}

func refName(refs []cluster.Ref) string {
	if len(refs) == 0 {
		return "workload of it"
	}
	return strings.TrimSpace(fmt.Sprintf("%s %s/%s", refs[0].Kind, refs[0].Namespace, refs[0].Name))
}
