package cluster

import "strings"

// IsProbe reports whether a namespace is one of our probes.
func IsProbe(namespace string) bool { return strings.HasPrefix(namespace, "surespray-probe-") }
