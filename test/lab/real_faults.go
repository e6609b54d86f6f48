package lab

import (
	"context"
	"fmt"
	"os/exec"
	"strings"
)

// ClaimRoot is the directory of local-path's volumes on every node.
const ClaimRoot = "/opt/local-path-provisioner"

// blockTable is the firewall's part that BlockPort makes.
func blockTable(port int) string { return fmt.Sprintf("inet surespray_block_%d", port) }

// BlockPort makes the node's firewall drop what comes to a TCP port from elsewhere: with
// 10250 the kubelet cannot be asked, while the node stays Ready.
func (n *Node) BlockPort(ctx context.Context, port int) error {
	_, err := n.Run(ctx, fmt.Sprintf("table %s {\n chain in {\n  type filter hook input priority -10;\n  iif != lo tcp dport %d drop\n }\n}\n",
		blockTable(port), port), "nft", "-f", "-")
	return err
}

// UnblockPort takes back BlockPort.
func (n *Node) UnblockPort(ctx context.Context, port int) error {
	_, err := n.Run(ctx, "", "nft", "delete", "table", "inet", strings.TrimPrefix(blockTable(port), "inet "))
	return err
}

// SetClaimRootReadOnly makes the directory of local-path's volumes read-only, or writable again.
func (n *Node) SetClaimRootReadOnly(ctx context.Context, readOnly bool) error {
	mode := "rw"
	if readOnly {
		mode = "ro"
	}
	_, err := n.Run(ctx, "", "mount", "-o", "remount,bind,"+mode, ClaimRoot)
	return err
}

// RemoveImage takes an image off the node, under all its names. No registry has it: pods
// that need it cannot pull it.
func (n *Node) RemoveImage(ctx context.Context, name string) error {
	names, err := n.imageNames(ctx, name)
	if err != nil {
		return err
	}
	_, err = n.ctr(ctx, append([]string{"images", "rm", "--sync"}, names...)...)
	return err
}

// imageNames are all names of the image that has this one.
func (n *Node) imageNames(ctx context.Context, name string) ([]string, error) {
	out, err := n.ctr(ctx, "images", "list")
	if err != nil {
		return nil, err
	}
	digests := map[string]string{} // of name
	for line := range strings.Lines(out) {
		if fields := strings.Fields(line); len(fields) > 2 { // REF TYPE DIGEST …
			digests[fields[0]] = fields[2]
		}
	}
	var names []string
	for other, digest := range digests {
		if digest == digests[name] {
			names = append(names, other)
		}
	}
	if len(names) == 0 {
		return nil, fmt.Errorf("%s has no image %s", n.Name, name)
	}
	return names, nil
}

// AddImage puts one of the lab's images back on the node.
func (n *Node) AddImage(ctx context.Context, name string) error {
	for _, image := range n.lab.images {
		if image.Name == name {
			return n.importImage(ctx, image)
		}
	}
	return fmt.Errorf("the lab has no image %s", name)
}

// TagImage gives an image of the node a second name, such as the one that a release pins.
func (n *Node) TagImage(ctx context.Context, name, second string) error {
	_, err := n.ctr(ctx, "images", "tag", "--force", name, second)
	return err
}

// SetCNIConfig writes the configuration of the node's network plugin, or takes it away.
// Without it the node is not Ready within seconds of a restart of containerd or a change.
func (n *Node) SetCNIConfig(ctx context.Context, present bool) error {
	if present {
		return n.write(cniFile, fmt.Sprintf(cniConfig, n.lab.network.podSubnet(n.index)), 0o644)
	}
	_, err := n.Run(ctx, "", "rm", "-f", cniFile)
	return err
}

// Taint gives the node a taint as kubectl says it, such as key=value:NoSchedule; with a
// "-" at the end it is taken away.
func (n *Node) Taint(ctx context.Context, taint string) error {
	_, err := n.lab.Kubectl(ctx, "", "taint", "--overwrite", "node", n.Name, taint)
	return err
}

func (n *Node) importImage(ctx context.Context, image Image) error {
	_, err := n.ctr(ctx, "images", "import", "--snapshotter="+snapshotter(n.dir()), image.archive)
	return err
}

// ctr asks the node's containerd about what is Kubernetes'.
func (n *Node) ctr(ctx context.Context, args ...string) (string, error) {
	args = append([]string{"--address=" + n.Path(containerdSocket), "--namespace=k8s.io"}, args...)
	out, err := exec.CommandContext(ctx, "ctr", args...).CombinedOutput()
	if err != nil {
		return string(out), fmt.Errorf("ctr %s: %w\n%s", strings.Join(args, " "), err, out)
	}
	return string(out), nil
}
