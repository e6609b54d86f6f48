// Command lab starts and ends the test cluster by hand: lab up, lab down.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/surespray/surespray/test/lab"
)

const usage = `usage: lab COMMAND [--dir DIR]
  tools   build the parts of the lab into the cache, or only the ones named: lab tools kubectl helm;
            --real 1: those of a lab with real nodes
  up      start a lab in DIR and go to the background
            [--nodes N | --real N] [--metrics-server] [--local-path]
  down    end the lab in DIR
  serve   start a lab in DIR and stay; takes what up takes
  status  tell what runs in the lab of DIR
  env     print shell lines for kubectl and helm: eval "$(lab env)"`

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	err := run(ctx, os.Args[1:])
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "lab:", err)
		os.Exit(1)
	}
}

type options struct {
	dir           string
	nodes         int
	real          int
	metricsServer bool
	localPath     bool
}

func run(ctx context.Context, args []string) error {
	if len(args) == 0 {
		return errors.New(usage)
	}
	var o options
	flags := flag.NewFlagSet("lab", flag.ContinueOnError)
	flags.StringVar(&o.dir, "dir", filepath.Join(os.TempDir(), "surespray-lab-manual"), "the lab's directory")
	flags.IntVar(&o.nodes, "nodes", 3, "simulated nodes")
	flags.IntVar(&o.real, "real", 0, "real nodes, one to three, instead of simulated ones")
	flags.BoolVar(&o.localPath, "local-path", false, "install local-path-provisioner")
	flags.BoolVar(&o.metricsServer, "metrics-server", false, "install metrics-server")
	if err := flags.Parse(args[1:]); err != nil {
		return err
	}
	switch args[0] {
	case "tools":
		dir, err := lab.BuildTools(ctx, os.Stderr, append(o.lab().Tools(), flags.Args()...)...)
		if err == nil {
			fmt.Println(dir)
		}
		return err
	case "up":
		return up(ctx, args, o)
	case "serve":
		return serve(ctx, o)
	case "down":
		return down(ctx, o.dir)
	case "status":
		return status(ctx, o.dir)
	case "env":
		return env(ctx, o.dir)
	}
	return errors.New(usage)
}

func (o options) lab() lab.Options {
	return lab.Options{Dir: o.dir, Nodes: o.nodes, RealNodes: o.real, Log: os.Stderr}
}

const (
	pidFile   = "serve.pid"
	readyFile = "ready"
)

// serve runs a lab until it is told to end.
func serve(ctx context.Context, o options) error {
	l, err := lab.Start(ctx, o.lab())
	if err != nil {
		return err
	}
	defer func() { _ = l.Stop() }()
	if o.metricsServer {
		if err := l.InstallMetricsServer(ctx); err != nil {
			return err
		}
	}
	if o.localPath {
		if err := l.InstallLocalPath(ctx); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(l.Dir, pidFile), []byte(strconv.Itoa(os.Getpid())), 0o600); err != nil {
		return err
	}
	if err := os.WriteFile(filepath.Join(l.Dir, readyFile), nil, 0o600); err != nil {
		return err
	}
	fmt.Fprintf(os.Stderr, "lab: up. KUBECONFIG=%s, inventory %s, programs %s\n", l.Kubeconfig(), l.Inventory(), l.Tools())
	<-ctx.Done()
	return nil
}

// up starts serve in the background and waits until it is ready.
func up(ctx context.Context, args []string, o options) error {
	if _, err := lab.BuildTools(ctx, os.Stderr, o.lab().Tools()...); err != nil {
		return err
	}
	if !lab.SweepDir(o.dir) {
		return fmt.Errorf("a lab runs in %s already; lab down ends it", o.dir)
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	log, err := os.CreateTemp("", "surespray-lab-*.log")
	if err != nil {
		return err
	}
	defer log.Close()
	defer func() { _ = os.Remove(log.Name()) }() // the process keeps it open; what matters is told below
	cmd := exec.Command(self, append([]string{"serve"}, args[1:]...)...)
	cmd.Stdout, cmd.Stderr = log, log
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	if err := wait(ctx, ended, func() bool { return exists(filepath.Join(o.dir, readyFile)) }); err != nil {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		content, _ := os.ReadFile(log.Name())
		return fmt.Errorf("%w\n%s", err, content)
	}
	content, err := os.ReadFile(log.Name())
	fmt.Print(string(content[strings.LastIndex(strings.TrimSpace(string(content)), "\n")+1:]))
	return err
}

// down ends the lab of a directory, alive or dead.
func down(ctx context.Context, dir string) error {
	content, err := os.ReadFile(filepath.Join(dir, pidFile))
	if err != nil {
		if lab.SweepDir(dir) {
			return nil
		}
		return fmt.Errorf("no lab to end in %s", dir)
	}
	if pid, err := strconv.Atoi(string(content)); err == nil && !lab.SweepDir(dir) {
		if err := syscall.Kill(pid, syscall.SIGTERM); err != nil {
			return err
		}
	}
	return wait(ctx, nil, func() bool { return !exists(dir) })
}

func wait(ctx context.Context, ended <-chan error, until func() bool) error {
	ctx, cancel := context.WithTimeoutCause(ctx, 2*time.Minute, errors.New("not within two minutes"))
	defer cancel()
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for !until() {
		select {
		case <-tick.C:
		case err := <-ended:
			return errors.Join(errors.New("the lab ended before it was ready"), err)
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
