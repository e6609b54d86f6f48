package cluster

import (
	"bytes"
	"context"
	"io"
	"strconv"

	corev1 "k8s.io/api/core/v1"
)

// Bounds of a log that is read.
const (
	logLines = 400
	logBytes = 256 << 10
)

// Log reads the end of a container's log: at most 400 lines and 256 KiB. previous asks
// for the container that ran before the last restart. The kubelet of the pod's node
// serves it: an error may mean that the API server does not reach that kubelet.
func (c *Cluster) Log(ctx context.Context, namespace, pod, container string, previous bool) (string, error) {
	lines := int64(logLines)
	o := &corev1.PodLogOptions{Container: container, Previous: previous, TailLines: &lines}
	a := access("", "pods/log", "get")
	name := pod + " " + container + " " + strconv.FormatBool(previous)
	return get(ctx, c, a, namespace, name, func(ctx context.Context) (string, error) {
		stream, err := c.client.CoreV1().Pods(namespace).GetLogs(pod, o).Stream(ctx)
		if err != nil {
			return "", err
		}
		defer stream.Close()
		return tail(stream)
	})
}

// tail keeps the last logBytes of what it reads; limitBytes of the API would keep the
// first ones. What is read in all is bounded, too.
func tail(r io.Reader) (string, error) {
	body, err := io.ReadAll(io.LimitReader(r, 16*logBytes))
	if err != nil {
		return "", err
	}
	if len(body) > logBytes {
		body = body[len(body)-logBytes:]
		if i := bytes.IndexByte(body, '\n'); i >= 0 {
			body = body[i+1:]
		}
	}
	return string(body), nil
}
