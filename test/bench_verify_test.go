package test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/tools/clientcmd"

	"github.com/surespray/surespray/test/lab"
)

// BenchmarkVerify times all read-only checks on 1,000 simulated nodes with 10,000 pods
// beside one paged list of the objects that they read, in one run. `make bench-verify`
// runs it; the cluster takes minutes to make.
func BenchmarkVerify(b *testing.B) {
	const nodes, podsPerNode = 1000, 10
	if os.Getenv("SURESPRAY_BENCH_VERIFY") == "" {
		b.Skip("makes a large cluster: run it with make bench-verify")
	}
	l, err := lab.Start(b.Context(), lab.Options{Nodes: nodes, Log: os.Stderr})
	if err != nil {
		b.Fatal(err)
	}
	defer func() {
		if err := l.Stop(); err != nil {
			b.Error(err)
		}
	}()
	client := patient(b, l.Kubeconfig())
	fill(b, client, nodes, podsPerNode)
	surespray := filepath.Join(binary(b), "surespray")

	b.Run("list", func(b *testing.B) {
		for b.Loop() {
			listAll(b, client)
		}
	})
	b.Run("verify", func(b *testing.B) {
		var peak int64
		for b.Loop() {
			cmd := exec.Command(surespray, "verify", "--kubeconfig", l.Kubeconfig(), "--within", "1s", "-o", "json")
			out, err := cmd.Output()
			if len(out) == 0 {
				b.Fatal(err)
			}
			if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
				peak = max(peak, usage.Maxrss)
			}
		}
		b.ReportMetric(float64(peak)/1024, "MiB-peak")
	})
}

// patient is a client that waits for no limit of its own.
func patient(b *testing.B, kubeconfig string) kubernetes.Interface {
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		b.Fatal(err)
	}
	config.QPS, config.Burst = -1, 0
	client, err := kubernetes.NewForConfig(config)
	if err != nil {
		b.Fatal(err)
	}
	return client
}

// fill makes pods that are bound already; kwok lets them run.
func fill(b *testing.B, client kubernetes.Interface, nodes, each int) {
	work := make(chan int)
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			for i := range work {
				pod := &corev1.Pod{
					ObjectMeta: metav1.ObjectMeta{Name: fmt.Sprintf("load-%05d", i), Namespace: "default", Labels: map[string]string{"app": "load"}},
					Spec: corev1.PodSpec{
						NodeName: fmt.Sprintf("node%d", 1+i%nodes), AutomountServiceAccountToken: new(bool),
						Containers: []corev1.Container{{Name: "c", Image: "registry.invalid/load:1"}},
					},
				}
				if _, err := client.CoreV1().Pods("default").Create(b.Context(), pod, metav1.CreateOptions{}); err != nil {
					b.Error(err)
				}
			}
		})
	}
	for i := range nodes * each {
		work <- i
	}
	close(work)
	wg.Wait()
	for end := time.Now().Add(5 * time.Minute); time.Now().Before(end); time.Sleep(2 * time.Second) {
		list, err := client.CoreV1().Pods("default").List(b.Context(), metav1.ListOptions{FieldSelector: "status.phase!=Running", Limit: 1})
		if err == nil && len(list.Items) == 0 {
			return
		}
	}
	b.Log("some pods do not run yet")
}

// listAll reads, page by page, what the checks read.
func listAll(b *testing.B, client kubernetes.Interface) {
	ctx := b.Context()
	for _, list := range []func(context.Context, metav1.ListOptions) (metav1.ListInterface, error){
		func(ctx context.Context, o metav1.ListOptions) (metav1.ListInterface, error) {
			return client.CoreV1().Nodes().List(ctx, o)
		},
		func(ctx context.Context, o metav1.ListOptions) (metav1.ListInterface, error) {
			return client.CoreV1().Pods("").List(ctx, o)
		},
		func(ctx context.Context, o metav1.ListOptions) (metav1.ListInterface, error) {
			return client.CoreV1().Events("").List(ctx, o)
		},
		func(ctx context.Context, o metav1.ListOptions) (metav1.ListInterface, error) {
			return client.AppsV1().Deployments("").List(ctx, o)
		},
		func(ctx context.Context, o metav1.ListOptions) (metav1.ListInterface, error) {
			return client.AppsV1().DaemonSets("").List(ctx, o)
		},
		func(ctx context.Context, o metav1.ListOptions) (metav1.ListInterface, error) {
			return client.CertificatesV1().CertificateSigningRequests().List(ctx, o)
		},
	} {
		o := metav1.ListOptions{Limit: 500}
		for {
			page, err := list(ctx, o)
			if err != nil {
				b.Fatal(err)
			}
			if o.Continue = page.GetContinue(); o.Continue == "" {
				break
			}
		}
	}
}
