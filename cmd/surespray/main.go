// Command surespray runs Kubespray's playbooks with typed extra vars and proves on the
// live cluster that what was switched on works.
package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"

	"github.com/surespray/surespray/cmd"
	"github.com/surespray/surespray/runner"
)

func main() {
	ctx, cancel := context.WithCancelCause(context.Background())
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGINT, syscall.SIGTERM)
	if !signal.Ignored(syscall.SIGHUP) { // nohup
		signal.Notify(signals, syscall.SIGHUP)
	}
	kill := make(chan struct{})
	go func() {
		// The first signal asks for an orderly end, the second does not wait for it.
		cancel(runner.Interrupted{Signal: <-signals})
		<-signals
		close(kill)
	}()
	os.Exit(cmd.Main(ctx, os.Args[1:], cmd.System{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Environ: os.Environ(), Kill: kill,
	}))
}
