package cmd

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/surespray/surespray/internal/kubespray"
	"github.com/surespray/surespray/verify/cluster"
)

func TestInstalled(t *testing.T) {
	shop := kubespray.Pinned{Version: "v2", Image: kubespray.Image{Repo: "hub/shop", Tag: "v2"}, Main: &kubespray.Object{Name: "shop"}}
	here := func(name string, images ...string) cluster.State {
		return cluster.State{Ref: cluster.Ref{Name: name}, Present: true, Images: images}
	}
	absent, forbidden := cluster.State{}, cluster.State{Err: errors.New("forbidden")}
	for _, c := range []struct {
		what               string
		states             []cluster.State
		installed, running string
	}{
		{"nothing to tell by", nil, "-", ""},
		{"absent", []cluster.State{absent, absent}, "no", ""},
		{"there", []cluster.State{absent, here("shop", "mirror/shop:v1", "side:v9")}, "yes", "v1"},
		{"the main workload counts", []cluster.State{here("worker", "hub/shop:v0"), here("shop", "hub/shop:v1"), here("later", "hub/shop:v3")}, "yes", "v1"},
		{"another workload has the image", []cluster.State{here("other", "hub/shop:v1")}, "yes", "v1"},
		{"could not be looked at", []cluster.State{forbidden, absent}, "-", ""},
		{"some could be", []cluster.State{forbidden, here("shop", "hub/shop@sha256:00")}, "yes", ""},
	} {
		l := listed{pinned: shop}
		l.take(c.states)
		if got := yesNo(l.Installed); got != c.installed || l.Running != c.running {
			t.Errorf("%s: installed %s, running %q; want %s, %q", c.what, got, l.Running, c.installed, c.running)
		}
	}
}

func TestAddonTable(t *testing.T) {
	yes, no := true, false
	list := []listed{
		{Addon: kubespray.Addon{Name: "asked", Switch: []string{"a_enabled"}, Tag: "a", AskedFor: &yes, Installed: &no}, Pinned: "v1", Trades: []kubespray.Trade{{Name: "cheap", Text: "it is", Way: "-e a=1"}}},
		{Addon: kubespray.Addon{Name: "left", Tag: "l", AskedFor: &no, Installed: &yes}, Pinned: "v1", Running: "v0", Hazards: []kubespray.Hazard{{Name: "not-told", Text: "x"}}},
	}
	var b strings.Builder
	if err := printAddons(&b, list, true, true); err != nil {
		t.Fatal(err)
	}
	want := `ADDON  ASKED FOR  INSTALLED  PINNED  RUNNING  SWITCH     TAG
asked  yes        no         v1      -        a_enabled  a
left   no         yes        v1      v0                  l

left is switched off and still installed: Kubespray removes nothing.

asked
  trade   cheap: it is
          instead: -e a=1
`
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	b.Reset()
	if err := printAddons(&b, list[:1], false, false); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("ADDON  ASKED FOR  SWITCH     TAG\nasked  yes        a_enabled  a\n", b.String()); diff != "" {
		t.Errorf("without a cluster (-want +got):\n%s", diff)
	}
}
