package cluster

import (
	"context"
	"encoding/json"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	apiregistrationv1 "k8s.io/kube-aggregator/pkg/apis/apiregistration/v1"
	metricsv1beta1 "k8s.io/metrics/pkg/apis/metrics/v1beta1"

	"github.com/surespray/surespray/verify"
)

// UID is the cluster's identity: the UID of its namespace kube-system.
func (c *Cluster) UID(ctx context.Context) (string, error) {
	return get(ctx, c, access("", "namespaces", "get"), "", metav1.NamespaceSystem, func(ctx context.Context) (string, error) {
		ns, err := c.client.CoreV1().Namespaces().Get(ctx, metav1.NamespaceSystem, metav1.GetOptions{})
		if err != nil {
			return "", err
		}
		return string(ns.UID), nil
	})
}

// Nodes lists all nodes.
func (c *Cluster) Nodes(ctx context.Context) ([]corev1.Node, error) {
	return pages(ctx, c, access("", "nodes", "list"), "", "", func(ctx context.Context, o metav1.ListOptions) ([]corev1.Node, string, error) {
		l, err := c.client.CoreV1().Nodes().List(ctx, o)
		if err != nil {
			return nil, "", err
		}
		return l.Items, l.Continue, nil
	})
}

// APIService gets the registration of an aggregated API, such as v1beta1.metrics.k8s.io.
func (c *Cluster) APIService(ctx context.Context, name string) (*apiregistrationv1.APIService, error) {
	a := access("apiregistration.k8s.io", "apiservices", "get")
	return get(ctx, c, a, "", name, func(ctx context.Context) (*apiregistrationv1.APIService, error) {
		into := &apiregistrationv1.APIService{}
		return into, c.raw(ctx, "/apis/apiregistration.k8s.io/v1/apiservices/"+name, into)
	})
}

// Service gets a Service.
func (c *Cluster) Service(ctx context.Context, namespace, name string) (*corev1.Service, error) {
	return get(ctx, c, access("", "services", "get"), namespace, name, func(ctx context.Context) (*corev1.Service, error) {
		return c.client.CoreV1().Services(namespace).Get(ctx, name, metav1.GetOptions{})
	})
}

// EndpointSlices lists the slices of a Service.
func (c *Cluster) EndpointSlices(ctx context.Context, namespace, service string) ([]discoveryv1.EndpointSlice, error) {
	a := access("discovery.k8s.io", "endpointslices", "list")
	selector := labels.Set{discoveryv1.LabelServiceName: service}.String()
	return pages(ctx, c, a, namespace, selector, func(ctx context.Context, o metav1.ListOptions) ([]discoveryv1.EndpointSlice, string, error) {
		l, err := c.client.DiscoveryV1().EndpointSlices(namespace).List(ctx, o)
		if err != nil {
			return nil, "", err
		}
		return l.Items, l.Continue, nil
	})
}

// Deployment gets a Deployment.
func (c *Cluster) Deployment(ctx context.Context, namespace, name string) (*appsv1.Deployment, error) {
	return get(ctx, c, access("apps", "deployments", "get"), namespace, name, func(ctx context.Context) (*appsv1.Deployment, error) {
		return c.client.AppsV1().Deployments(namespace).Get(ctx, name, metav1.GetOptions{})
	})
}

// ReplicaSets lists the ReplicaSets of a namespace with these labels.
func (c *Cluster) ReplicaSets(ctx context.Context, namespace, selector string) ([]appsv1.ReplicaSet, error) {
	return pages(ctx, c, access("apps", "replicasets", "list"), namespace, selector, func(ctx context.Context, o metav1.ListOptions) ([]appsv1.ReplicaSet, string, error) {
		l, err := c.client.AppsV1().ReplicaSets(namespace).List(ctx, o)
		if err != nil {
			return nil, "", err
		}
		return l.Items, l.Continue, nil
	})
}

// Pods lists the pods of a namespace with these labels.
func (c *Cluster) Pods(ctx context.Context, namespace, selector string) ([]corev1.Pod, error) {
	return pages(ctx, c, access("", "pods", "list"), namespace, selector, func(ctx context.Context, o metav1.ListOptions) ([]corev1.Pod, string, error) {
		l, err := c.client.CoreV1().Pods(namespace).List(ctx, o)
		if err != nil {
			return nil, "", err
		}
		return l.Items, l.Continue, nil
	})
}

// NodeMetrics lists what the metrics API says about nodes. It asks the server behind the
// API, so it fails as soon as that server does not answer.
func (c *Cluster) NodeMetrics(ctx context.Context) ([]metricsv1beta1.NodeMetrics, error) {
	return pages(ctx, c, access("metrics.k8s.io", "nodes", "list"), "", "", func(ctx context.Context, _ metav1.ListOptions) ([]metricsv1beta1.NodeMetrics, string, error) {
		var l metricsv1beta1.NodeMetricsList // metrics-server knows no pages
		err := c.raw(ctx, "/apis/metrics.k8s.io/v1beta1/nodes", &l)
		return l.Items, "", err
	})
}

// raw gets a path as JSON, for APIs that the clientset does not have.
func (c *Cluster) raw(ctx context.Context, path string, into any) error {
	body, err := c.client.CoreV1().RESTClient().Get().AbsPath(path).SetHeader("Accept", "application/json").DoRaw(ctx)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(body, into); err != nil {
		return fmt.Errorf("reading the answer: %w", err)
	}
	return nil
}

func access(group, resource, verb string) verify.Access {
	return verify.Access{Group: group, Resource: resource, Verb: verb}
}
