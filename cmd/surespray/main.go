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
	kill := make(chan struct{})
	go obey(listen(), cancel, kill)
	os.Exit(cmd.Main(ctx, os.Args[1:], cmd.System{
		In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Environ: os.Environ(), Kill: kill,
	}))
}

// listen returns the signals that end the program. One that was ignored from the start
// stays so (nohup).
func listen() <-chan os.Signal {
	signals := make(chan os.Signal, 4)
	for _, s := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGQUIT, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			signal.Notify(signals, s)
		}
	}
	// A reader that goes away must not end us in the middle: writing fails instead.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	return signals
}

// obey asks for an orderly end at the first signal, does not wait for it at the second,
// and leaves at the third.
func obey(signals <-chan os.Signal, cancel context.CancelCauseFunc, kill chan<- struct{}) {
	cancel(runner.Interrupted{Signal: <-signals})
	<-signals
	close(kill)
	<-signals
	os.Exit(cmd.ExitInterrupted)
}
