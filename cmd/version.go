package cmd

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"
)

// buildVersion is set by the linker.
var buildVersion = "dev"

func (a *app) version() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print surespray's version",
		Long:    "Prints surespray's version, its Go version and its platform." + exitHelp("0 always"),
		Example: "  surespray version",
		Args:    noArgs,
		RunE: func(*cobra.Command, []string) error {
			fmt.Fprintf(a.sys.Out, "surespray %s (%s %s/%s)\n", buildVersion, runtime.Version(), runtime.GOOS, runtime.GOARCH)
			return nil
		},
	}
}
