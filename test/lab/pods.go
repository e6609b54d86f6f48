package lab

import (
	"context"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
)

// podRunner stands for the kubelet of the pods that the lab runs for real: those of
// metrics-server. It starts the real program with the container's own arguments and
// the real token of the pod's ServiceAccount, probes it, restarts it, and sets the
// pod's status as a kubelet would.
//
// It is a stand-in: no liveness probe, no resources, no volumes, one container, and an
// image is judged by its name.
type podRunner struct {
	lab    *Lab
	client kubernetes.Interface

	mu   sync.Mutex
	held bool // programs that end are not started again
	pods map[string]*runningPod
}

// runningPod is what the runner knows of a pod.
type runningPod struct {
	ip       string
	proc     *containerProc
	started  time.Time
	restarts int32
	last     *corev1.ContainerStateTerminated
	retryAt  time.Time
	ready    bool
	probedAt time.Time
}

const (
	podSelector    = "app.kubernetes.io/name=metrics-server"
	runnerInterval = 200 * time.Millisecond
	backoffLimit   = 10 * time.Second
)

// run looks at the pods until ctx ends, then ends their programs.
func (r *podRunner) run(ctx context.Context) {
	tick := time.NewTicker(runnerInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			r.stopAll()
			return
		case <-tick.C:
			r.look(ctx)
		}
	}
}

func (r *podRunner) stopAll() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, p := range r.pods {
		p.proc.kill()
	}
}

// look brings every pod one step further. With the API server away nothing changes, as
// with a kubelet.
func (r *podRunner) look(ctx context.Context) {
	list, err := r.client.CoreV1().Pods("").List(ctx, metav1.ListOptions{LabelSelector: podSelector})
	if err != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	present := map[string]bool{}
	for _, pod := range list.Items {
		present[string(pod.UID)] = true
		if pod.Spec.NodeName == "" {
			continue
		}
		r.step(ctx, &pod)
	}
	for uid, p := range r.pods {
		if !present[uid] {
			r.forget(uid, p)
		}
	}
}

func (r *podRunner) forget(uid string, p *runningPod) {
	p.proc.kill()
	r.lab.egress.set(p.address(), "")
	delete(r.pods, uid)
}

func (r *podRunner) step(ctx context.Context, pod *corev1.Pod) {
	uid := string(pod.UID)
	p := r.pods[uid]
	if pod.DeletionTimestamp != nil {
		if p != nil {
			r.forget(uid, p)
		}
		now := int64(0)
		_ = r.client.CoreV1().Pods(pod.Namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{GracePeriodSeconds: &now})
		return
	}
	if p == nil {
		p = &runningPod{ip: r.nextIP()}
		r.pods[uid] = p
	}
	if image := pod.Spec.Containers[0].Image; !knownImage(image) {
		r.setStatus(ctx, pod, p, cannotPull(image))
		return
	}
	r.keepRunning(ctx, pod, p)
	r.probe(ctx, pod, p)
	r.setStatus(ctx, pod, p, nil)
}

// knownImage judges by the name: REGISTRY/metrics-server/metrics-server:v0.9.0. A tag
// "missing" is one that no registry has.
func knownImage(image string) bool {
	return strings.Contains(image, "metrics-server") && !strings.HasSuffix(image, ":missing")
}

func cannotPull(image string) *corev1.ContainerStateWaiting {
	return &corev1.ContainerStateWaiting{Reason: "ImagePullBackOff", Message: fmt.Sprintf(
		"Back-off pulling image %q: ErrImagePull: failed to pull and unpack image %q: failed to resolve reference %q: %s: not found", image, image, image, image)}
}

// nextIP gives each pod an address of the pods' range; the lower half is ours, the upper
// kwok's.
func (r *podRunner) nextIP() string {
	r.lab.podCount++
	return fmt.Sprintf("10.244.%d.%d", r.lab.podCount/250, 2+r.lab.podCount%250)
}

// address is where the API server reaches the pod: its address and the container's port.
func (p *runningPod) address() string {
	if p.proc == nil {
		return ""
	}
	return net.JoinHostPort(p.ip, strconv.Itoa(p.proc.containerPort))
}

// keepRunning starts the program, and again when it has ended, with growing pauses.
func (r *podRunner) keepRunning(ctx context.Context, pod *corev1.Pod, p *runningPod) {
	if p.proc != nil {
		state, ended := p.proc.ended()
		if !ended {
			return
		}
		p.ready = false
		p.last = &corev1.ContainerStateTerminated{
			ExitCode: state, Reason: "Error", StartedAt: metav1.NewTime(p.started), FinishedAt: metav1.Now(),
		}
		r.lab.egress.set(p.address(), "")
		p.proc = nil
		p.retryAt = time.Now().Add(min(time.Second<<min(p.restarts, 6), backoffLimit))
		p.restarts++
	}
	if r.held || time.Now().Before(p.retryAt) {
		return
	}
	proc, err := r.startContainer(ctx, pod)
	if err != nil {
		p.retryAt = time.Now().Add(time.Second)
		return
	}
	p.proc, p.started = proc, time.Now()
	r.lab.egress.set(p.address(), proc.address)
}

// probe asks the container's readiness probe when it is due.
func (r *podRunner) probe(ctx context.Context, pod *corev1.Pod, p *runningPod) {
	probe := pod.Spec.Containers[0].ReadinessProbe
	if p.proc == nil {
		return
	}
	if probe == nil || probe.HTTPGet == nil {
		p.ready = true
		return
	}
	delay := time.Duration(probe.InitialDelaySeconds) * time.Second
	period := time.Duration(max(probe.PeriodSeconds, 1)) * time.Second
	if time.Since(p.started) < delay || time.Since(p.probedAt) < period {
		return
	}
	p.probedAt = time.Now()
	p.ready = p.proc.get(ctx, probe.HTTPGet.Path)
}
