package cluster

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// podsResource is where logs are asked for.
func podsResource() schema.GroupVersionResource {
	return schema.GroupVersionResource{Version: "v1", Resource: "pods"}
}

// logName is the file of a container's log. Without a container it is that of the pod's
// first one. No namespace and no pod has an underscore in its name.
func logName(namespace, pod, container string, previous bool) string {
	name := namespace + "_" + pod
	if container != "" {
		name += "_" + container
	}
	if previous {
		return name + ".previous.log"
	}
	return name + ".log"
}

// log answers for a container's log, as far as the folder has it.
func (m moment) log(q request, query url.Values) (int, []byte, error) {
	container, previous := query.Get("container"), query.Get("previous") == "true"
	text, ok := m.logs[logName(q.namespace, q.name, container, previous)]
	if first := firstContainer(m.objects[podsResource()].get(q.namespace, q.name)); !ok && (container == "" || first == "" || container == first) {
		text, ok = m.logs[logName(q.namespace, q.name, "", previous)]
	}
	if !ok {
		return 0, nil, &NotCapturedError{What: "the log of pod " + q.key()}
	}
	if lines, err := strconv.Atoi(query.Get("tailLines")); err == nil {
		text = lastLines(text, lines)
	}
	if limit, err := strconv.Atoi(query.Get("limitBytes")); err == nil && limit < len(text) {
		text = text[:limit]
	}
	return http.StatusOK, []byte(text), nil
}

// firstContainer is the name of the container that a pod is there for; "": not known.
func firstContainer(pod map[string]any) string {
	for _, path := range [][]string{{"spec", "containers"}, {"status", "containerStatuses"}} {
		list, _, _ := unstructured.NestedSlice(pod, path...)
		for _, item := range list {
			if c, ok := item.(map[string]any); ok {
				name, _ := c["name"].(string)
				return name
			}
		}
	}
	return ""
}

func lastLines(text string, n int) string {
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return strings.Join(lines[max(0, len(lines)-n):], "")
}
