package lab

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"sync"
	"time"
)

// egress is the way from the API server to pods, Services and nodes: an HTTP CONNECT
// proxy on a Unix socket. It maps the addresses of pods, which exist nowhere, to ports
// on loopback, so that real Services and EndpointSlices work without root and on any
// system. Nothing but loopback is ever dialled.
type egress struct {
	listener net.Listener

	mu   sync.Mutex
	pods map[string]string // pod address with port -> address on loopback
}

func newEgress(socket string) (*egress, error) {
	l, err := net.Listen("unix", socket)
	if err != nil {
		return nil, fmt.Errorf("listening for the API server's traffic: %w", err)
	}
	e := &egress{listener: l, pods: map[string]string{}}
	go e.serve()
	return e, nil
}

func (e *egress) serve() {
	for {
		conn, err := e.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err == nil {
			go e.connect(conn)
		}
	}
}

// set maps a pod's address to a port on loopback; an empty target takes it away.
func (e *egress) set(pod, target string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if target == "" {
		delete(e.pods, pod)
		return
	}
	e.pods[pod] = target
}

func (e *egress) target(address string) string {
	if host, _, err := net.SplitHostPort(address); err == nil && host == "127.0.0.1" {
		return address // a simulated node
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.pods[address]
}

func (e *egress) connect(client net.Conn) {
	defer client.Close()
	in := bufio.NewReader(client)
	req, err := http.ReadRequest(in)
	if err != nil || req.Method != http.MethodConnect {
		return
	}
	target := e.target(req.Host)
	if target == "" {
		fmt.Fprintf(client, "HTTP/1.1 502 connection refused\r\n\r\n")
		return
	}
	server, err := net.DialTimeout("tcp", target, 5*time.Second)
	if err != nil {
		fmt.Fprintf(client, "HTTP/1.1 502 connection refused\r\n\r\n")
		return
	}
	defer server.Close()
	fmt.Fprintf(client, "HTTP/1.1 200 OK\r\n\r\n")
	go func() {
		_, _ = io.Copy(server, in)
		_ = server.(*net.TCPConn).CloseWrite()
	}()
	_, _ = io.Copy(client, server)
}

// freePorts returns ports on loopback that nobody listens on.
func freePorts(n int) ([]int, error) {
	ports := make([]int, n)
	for i := range ports {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return nil, fmt.Errorf("looking for a free port: %w", err)
		}
		defer l.Close() // all at the end, so that they differ
		ports[i] = l.Addr().(*net.TCPAddr).Port
	}
	return ports, nil
}
