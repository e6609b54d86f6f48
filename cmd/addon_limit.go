package cmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surespray/surespray/internal/kubespray"
)

// checkLimit refuses a limit that leaves out the host where an addon is installed.
func (s *session) checkLimit() error {
	if s.values == nil || s.values.ControlPlane == nil || s.values.ControlPlane.First == "" {
		return nil
	}
	cp := s.values.ControlPlane
	limit := s.plan.Flags.Last("limit")
	for _, c := range s.chosen {
		onControlPlane := !slices.ContainsFunc(c.addon.Uses, func(u *kubespray.Use) bool { return u.Play.Hosts != cp.Group && u.Play.Hosts != "kube_control_plane" })
		var what, host string
		switch {
		case c.addon.NeedsFirstControlPlane && onControlPlane && !cp.HasFirst():
			what, host = "the first control-plane host, "+cp.First+",", cp.Group+"[0]"
		case onControlPlane && len(cp.Left) == 0:
			what, host = "the control plane,", cp.Group
		case c.addon.NeedsFirstControlPlane && !cp.HasFirst():
			s.app.output.warn("%s also acts on the first control-plane host, %s, which --limit %s leaves out: only what it does on each host is done", c.addon.Name, cp.First, limit)
			continue
		default:
			continue
		}
		return exitError{
			code: exitAudit,
			what: fmt.Sprintf("addon %s is installed from %s which --limit %s leaves out: applying it would do nothing", c.addon.Name, what, limit),
			next: fmt.Sprintf("--limit '%s'", widened(limit, host)),
		}
	}
	return nil
}

// widened is a limit with one more pattern. Exclusions and intersections hold for the
// whole limit, so that a pattern with them can only be replaced.
func widened(limit, pattern string) string {
	switch {
	case strings.ContainsAny(limit, "!&"):
		return pattern
	case strings.Contains(limit, ","):
		return limit + "," + pattern
	}
	return limit + ":" + pattern
}
