package lab

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// The kubelets' endpoint is kwok's. It serves the log of a pod from the files that a Logs
// object with the pod's name says, so each pod of the runner gets one. The object belongs
// to the pod and goes with it.
const (
	logsPath = "/apis/kwok.x-k8s.io/v1alpha1"
	crdPath  = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions"
	logsCRD  = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: logs.kwok.x-k8s.io}
spec:
  group: kwok.x-k8s.io
  names: {kind: Logs, listKind: LogsList, plural: logs, singular: logs}
  scope: Namespaced
  versions:
  - name: v1alpha1
    served: true
    storage: true
    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
`
	logsObject = `apiVersion: kwok.x-k8s.io/v1alpha1
kind: Logs
metadata:
  name: %[1]s
  namespace: %[2]s
  ownerReferences: [{apiVersion: v1, kind: Pod, name: %[1]s, uid: %[3]s}]
spec:
  logs: [{logsFile: %[4]q, previousLogsFile: %[5]q}]
`
)

// prepareLogs makes the kind of the Logs objects, and waits until the API server knows it.
func (l *Lab) prepareLogs(ctx context.Context) error {
	if err := l.post(ctx, crdPath, logsCRD); err != nil {
		return fmt.Errorf("making the kind of kwok's logs: %w", err)
	}
	return l.procs.await(ctx, l.procs.get(APIServer), "the kind of kwok's logs", func(ctx context.Context) error {
		return l.client.CoreV1().RESTClient().Get().AbsPath(logsPath, "logs").Do(ctx).Error()
	})
}

// post creates an object from YAML.
func (l *Lab) post(ctx context.Context, path, object string) error {
	return l.client.CoreV1().RESTClient().Post().AbsPath(path).SetHeader("Content-Type", "application/yaml").Body([]byte(object)).Do(ctx).Error()
}

// openPodLog starts a new log for the pod's container; the one before becomes the
// previous one.
func (l *Lab) openPodLog(ctx context.Context, pod *corev1.Pod) (io.WriteCloser, error) {
	file := filepath.Join(l.Dir, "logs", "pods", pod.Namespace+"_"+pod.Name+".log")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, err
	}
	object := fmt.Sprintf(logsObject, pod.Name, pod.Namespace, pod.UID, file, file+".previous")
	if err := l.post(ctx, logsPath+"/namespaces/"+pod.Namespace+"/logs", object); err != nil && !apierrors.IsAlreadyExists(err) {
		return nil, fmt.Errorf("telling kwok where the log of %s is: %w", pod.Name, err)
	}
	if err := os.Rename(file, file+".previous"); err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	return newCRILog(file)
}

// criLog writes lines in the form of a container runtime, which kubelets read.
type criLog struct {
	file *os.File
	pipe *io.PipeWriter
	done sync.WaitGroup
}

func newCRILog(path string) (*criLog, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o644)
	if err != nil {
		return nil, err
	}
	reader, writer := io.Pipe()
	l := &criLog{file: file, pipe: writer}
	l.done.Go(func() {
		lines := bufio.NewReader(reader)
		for {
			line, err := lines.ReadString('\n')
			if line = strings.TrimSuffix(line, "\n"); line != "" || err == nil {
				fmt.Fprintf(file, "%s stderr F %s\n", time.Now().UTC().Format(time.RFC3339Nano), line)
			}
			if err != nil {
				return
			}
		}
	})
	return l, nil
}

func (l *criLog) Write(p []byte) (int, error) { return l.pipe.Write(p) }

// Close ends the log when the program has ended.
func (l *criLog) Close() error {
	_ = l.pipe.Close()
	l.done.Wait()
	return l.file.Close()
}
