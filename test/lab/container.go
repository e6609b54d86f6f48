package lab

import (
	"context"
	"crypto/tls"
	"fmt"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// containerProc is the real program of a container.
type containerProc struct {
	name          string
	procs         *procs
	proc          *proc
	containerPort int    // the one in the pod
	address       string // the one on loopback that stands for it
}

// startContainer runs the container's program with its own arguments and what a program
// outside a pod needs besides: a kubeconfig of its ServiceAccount, a port on loopback.
func (r *podRunner) startContainer(ctx context.Context, pod *corev1.Pod) (*containerProc, error) {
	kubeconfig, err := r.kubeconfigFor(ctx, pod)
	if err != nil {
		return nil, err
	}
	ports, err := freePorts(1)
	if err != nil {
		return nil, err
	}
	c := &containerProc{name: "pod-" + pod.Name, procs: r.lab.procs, containerPort: 443, address: "127.0.0.1:" + strconv.Itoa(ports[0])}
	argv := []string{filepath.Join(r.lab.tools, "metrics-server")}
	container := pod.Spec.Containers[0]
	for _, arg := range append(append([]string(nil), container.Command...), container.Args...) {
		switch name, value, _ := strings.Cut(arg, "="); name {
		case "--secure-port":
			c.containerPort, _ = strconv.Atoi(value)
		case "--cert-dir", "/metrics-server":
		default:
			argv = append(argv, arg)
		}
	}
	argv = append(argv, "--secure-port="+strconv.Itoa(ports[0]), "--bind-address=127.0.0.1", "--cert-dir="+filepath.Join(r.lab.Dir, "certs-"+pod.Name),
		"--kubeconfig="+kubeconfig, "--authentication-kubeconfig="+kubeconfig, "--authorization-kubeconfig="+kubeconfig)
	log, err := r.lab.openPodLog(ctx, pod)
	if err != nil {
		return nil, err
	}
	c.proc, err = c.procs.startTo(c.name, log, argv...)
	return c, err
}

// kubeconfigFor writes a kubeconfig with a token of the pod's ServiceAccount, so that
// its rights are the real ones.
func (r *podRunner) kubeconfigFor(ctx context.Context, pod *corev1.Pod) (string, error) {
	request := &authenticationv1.TokenRequest{}
	token, err := r.client.CoreV1().ServiceAccounts(pod.Namespace).CreateToken(ctx, pod.Spec.ServiceAccountName, request, metav1.CreateOptions{})
	if err != nil {
		return "", fmt.Errorf("making a token for %s: %w", pod.Spec.ServiceAccountName, err)
	}
	path := filepath.Join(r.lab.Dir, "pod-"+pod.Name+".conf")
	return path, r.lab.writeKubeconfig(path, user{token: token.Status.Token})
}

// ended reports whether the program has ended, and its exit code.
func (c *containerProc) ended() (int32, bool) {
	select {
	case <-c.proc.done:
		code := c.proc.cmd.ProcessState.ExitCode()
		if code < 0 {
			code = 137 // as a runtime tells a kill
		}
		return int32(code), true
	default:
		return 0, false
	}
}

func (c *containerProc) kill() {
	if c != nil {
		c.procs.stop(c.name, 0)
	}
}

// get asks a probe's path as a kubelet does: without checking the certificate.
func (c *containerProc) get(ctx context.Context, path string) bool {
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "https://"+c.address+path, nil)
	if err != nil {
		return false
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, DisableKeepAlives: true} //nolint:gosec // as a kubelet does
	res, err := (&http.Client{Transport: transport}).Do(req)
	if err != nil {
		return false
	}
	defer res.Body.Close()
	return res.StatusCode >= 200 && res.StatusCode < 400
}
