package lab

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"io/fs"
	"os"
	"os/exec"
	"strconv"
	"strings"
)

// The ranges of a lab with real nodes, as in many clusters. Each lab has a /24 of its own
// for the nodes; pods and Services are known only inside of its namespaces.
const (
	podRange     = "10.244.0.0/16"
	serviceRange = "10.96.0.0/16"
	maxLabs      = 100 // at once on a machine
)

// network is the lab's own: a switch and router in a network namespace (the hub), to
// which the nodes and, by one link, the machine are connected. No address but those on
// this link can be reached from the machine, and nothing of the machine's own network
// from the nodes: the router knows no way out.
type network struct {
	Number int    `json:"number"` // of the range
	Metric int    `json:"metric"` // of our routes, by which they are known as ours
	Cgroup string `json:"cgroup"`
	hub    int    // the process that holds the namespace
}

// unclaimed is the number before a range is the lab's.
const unclaimed = -1

func (n *network) claimed() bool { return n.Number != unclaimed }

// newNetwork names what belongs to the lab in dir.
func newNetwork(dir string) *network {
	h := fnv.New32a()
	_, _ = h.Write([]byte(dir)) // never fails
	return &network{Number: unclaimed, Metric: 4096 + int(h.Sum32()&0xffff), Cgroup: fmt.Sprintf("surespray-%08x", h.Sum32())}
}

func (n *network) subnet() string           { return fmt.Sprintf("10.240.%d.0/24", n.Number) }
func (n *network) address(host int) string  { return fmt.Sprintf("10.240.%d.%d", n.Number, host) }
func (n *network) nodeAddress(i int) string { return n.address(11 + i) }
func (n *network) podSubnet(i int) string   { return fmt.Sprintf("10.244.%d.0/24", i+1) }
func (n *network) link() string             { return fmt.Sprintf("surelab%d", n.Number) }
func (n *network) unreachable() [3]string   { return [3]string{n.subnet(), podRange, serviceRange} }
func (n *network) route(range_ string) string {
	return "unreachable " + range_ + " metric " + strconv.Itoa(n.Metric)
}

// start makes the hub and connects the machine to it. save is called when the names of
// all that it will make are known.
func (n *network) start(ctx context.Context, hub int, save func() error) error {
	n.hub = hub
	if err := n.claim(ctx); err != nil {
		return err
	}
	if err := save(); err != nil {
		return err
	}
	// First of all: a packet to an address of the lab that is gone must not leave the machine.
	var host []string
	for _, r := range n.unreachable() {
		host = append(host, "route replace "+n.route(r))
	}
	host = append(host, "addr add "+n.address(254)+"/24 dev "+n.link(), "link set "+n.link()+" up")
	if err := ip(ctx, 0, host...); err != nil {
		return err
	}
	if err := ip(ctx, hub, "link set lo up", "link add br0 type bridge", "addr add "+n.address(1)+"/24 dev br0",
		"link set br0 up", "link set machine master br0", "link set machine up"); err != nil {
		return err
	}
	// Forwarding, so that a packet with no way to go is answered at once.
	return enter(ctx, hub, "--net", "sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward").Run()
}

// claim takes the first range that neither another lab has nor the machine uses. The
// kernel gives the name of the link to one lab only.
func (n *network) claim(ctx context.Context) error {
	err := errors.New("no range is free")
	for number := range maxLabs {
		want := network{Number: number}
		used, failed := exec.CommandContext(ctx, "ip", "-4", "route", "show", "to", "match", want.subnet()).Output()
		if failed != nil {
			return fmt.Errorf("reading the machine's routes: %w", failed)
		}
		if foreign(string(used)) {
			continue
		}
		if err = ip(ctx, 0, fmt.Sprintf("link add %s type veth peer name machine netns %d", want.link(), n.hub)); err == nil {
			n.Number = number
			return nil
		}
		if _, statErr := os.Stat("/sys/class/net/" + want.link()); statErr != nil {
			break // not because another lab has it
		}
	}
	return fmt.Errorf("connecting the machine to the lab's nodes: %w", err)
}

// foreign reports whether one of the routes is more than the default one.
func foreign(routes string) bool {
	for line := range strings.Lines(routes) {
		if !strings.HasPrefix(line, "default ") && !strings.HasPrefix(line, "unreachable ") {
			return true
		}
	}
	return false
}

// connect gives a node its link, addresses and the ways to the pods of the others.
func (n *network) connect(ctx context.Context, i, count, pid int) error {
	port := fmt.Sprintf("node%d", i+1)
	if err := ip(ctx, n.hub, fmt.Sprintf("link add %s type veth peer name eth0 netns %d", port, pid), "link set "+port+" master br0",
		"link set "+port+" up", "route add "+n.podSubnet(i)+" via "+n.nodeAddress(i)); err != nil {
		return err
	}
	lines := []string{"link set lo up", "addr add " + n.nodeAddress(i) + "/24 dev eth0", "link set eth0 up", "route add default via " + n.address(1)}
	for j := range count {
		if j != i {
			lines = append(lines, "route add "+n.podSubnet(j)+" via "+n.nodeAddress(j))
		}
	}
	return ip(ctx, pid, lines...)
}

// stop takes away what is on the machine; the rest went with the namespaces.
func (n *network) stop() error {
	ctx := context.Background() // cleaning up is not to be cancelled
	if n.claimed() {
		_ = ip(ctx, 0, "link del "+n.link()) // or gone with the hub
		for _, r := range n.unreachable() {
			_ = ip(ctx, 0, "route del "+n.route(r)) // or not yet made
		}
	}
	return removeCgroups(n.Cgroup)
}

// sweepNetwork takes away what a dead lab with real nodes left on the machine.
func sweepNetwork(path string) error {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // its nodes were simulated
	}
	if err != nil {
		return err
	}
	n := &network{}
	if err := json.Unmarshal(content, n); err != nil {
		return err
	}
	return n.stop()
}
