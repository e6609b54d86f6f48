package cluster

import (
	"net/netip"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// Host is what an inventory says about one host, as far as it helps to recognise a node.
type Host struct {
	Name                 string // inventory_hostname
	KubeOverrideHostname string
	IP, AccessIP         string
	AnsibleHost          string
}

// Match is how the nodes of a cluster and the hosts of an inventory fit together.
type Match struct {
	Hosts []string // hosts that are nodes
	Nodes []string // nodes that are hosts
	// What is on one side only.
	HostsOnly, NodesOnly []string
}

// None reports whether not one host is a node: the cluster is not this inventory's.
func (m Match) None() bool { return len(m.Hosts) == 0 }

// MatchInventory compares nodes with hosts. A host is a node when its
// kube_override_hostname, name, ip, access_ip or ansible_host is the node's name, its
// hostname label or one of its addresses. Loopback never counts: it is everybody's.
func MatchInventory(nodes []corev1.Node, hosts []Host) Match {
	owner := map[string]string{}
	for _, n := range nodes {
		for _, word := range nodeWords(n) {
			owner[word] = n.Name
		}
	}
	var m Match
	for _, h := range hosts {
		node := ""
		for _, word := range h.words() {
			if node = owner[word]; node != "" {
				break
			}
		}
		if node == "" {
			m.HostsOnly = append(m.HostsOnly, h.Name)
			continue
		}
		m.Hosts = append(m.Hosts, h.Name)
		if !slices.Contains(m.Nodes, node) {
			m.Nodes = append(m.Nodes, node)
		}
	}
	for _, n := range nodes {
		if !slices.Contains(m.Nodes, n.Name) {
			m.NodesOnly = append(m.NodesOnly, n.Name)
		}
	}
	return m
}

func (h Host) words() []string {
	return known(h.KubeOverrideHostname, h.Name, h.IP, h.AccessIP, h.AnsibleHost)
}

func nodeWords(n corev1.Node) []string {
	words := []string{n.Name, n.Labels[corev1.LabelHostname]}
	for _, a := range n.Status.Addresses {
		words = append(words, a.Address)
	}
	return known(words...)
}

// known brings words to one form and leaves out what identifies nothing.
func known(words ...string) []string {
	var out []string
	for _, w := range words {
		w = strings.ToLower(strings.TrimSuffix(strings.TrimSpace(w), "."))
		if ip, err := netip.ParseAddr(strings.Trim(w, "[]")); err == nil {
			if ip = ip.Unmap(); ip.IsLoopback() || ip.IsUnspecified() {
				continue
			}
			w = ip.String()
		}
		if w != "" && w != "localhost" && !strings.HasPrefix(w, "localhost.") {
			out = append(out, w)
		}
	}
	return out
}
