package cmd

import (
	"fmt"
	"slices"
	"strings"

	"github.com/surespray/surespray/internal/kubespray"
)

// chosen is one addon to apply.
type chosen struct {
	addon   kubespray.Addon
	tag     string
	pattern string // the pattern that it fits, "" where it was named
}

// resolveAddons turns the addons named into tags of the plan.
func (s *session) resolveAddons() error {
	if len(s.applyNames) == 0 {
		return nil
	}
	catalogue, err := s.checkout.Catalogue("")
	if err != nil {
		return fmt.Errorf("reading the addons of the checkout: %w", err)
	}
	for _, name := range s.applyNames {
		found, err := choose(catalogue, name)
		if err != nil {
			return err
		}
		for _, c := range found {
			if !slices.ContainsFunc(s.chosen, func(other chosen) bool { return other.addon.Role == c.addon.Role && other.tag == c.tag }) {
				s.chosen = append(s.chosen, c)
			}
		}
	}
	s.setTags(catalogue)
	return nil
}

// choose finds the addons that a name or a pattern stands for.
func choose(catalogue *kubespray.Catalogue, name string) ([]chosen, error) {
	if !kubespray.IsPattern(name) {
		addon, tag, err := catalogue.Resolve(name)
		if err == nil && tag == "" {
			err = usagef("surespray run --tags …", "addon %s has no tag of its own in this checkout", addon.Name)
		}
		return []chosen{{addon: addon, tag: tag}}, err
	}
	var found []chosen
	for _, addon := range catalogue.Match(name) {
		if addon.Tag != "" {
			found = append(found, chosen{addon, addon.Tag, name})
		}
	}
	if len(found) == 0 {
		return nil, &kubespray.UnknownAddonError{Name: name, Nearest: catalogue.NearestAddons(name)}
	}
	return found, nil
}

// setTags makes the plan select the chosen addons and what they need beside them. A tag
// that the user skips is not added: it would select nothing.
func (s *session) setTags(catalogue *kubespray.Catalogue) {
	var tags []string
	s.applyAddons, s.companions = nil, nil
	for _, c := range s.chosen {
		s.applyAddons = append(s.applyAddons, c.addon)
		if !slices.Contains(tags, c.tag) {
			tags = append(tags, c.tag)
		}
	}
	skipped := s.plan.Flags.Tags("skip-tags")
	for _, c := range s.chosen {
		for _, more := range catalogue.Companions(c.addon, c.tag) {
			if !slices.Contains(tags, more.Tag) && !slices.Contains(skipped, more.Tag) {
				tags = append(tags, more.Tag)
				s.companions = append(s.companions, more)
			}
		}
	}
	s.plan.Flags["tags"] = []string{strings.Join(tags, ",")}
}

// tellCompanions says on stderr which tags nobody named.
func (s *session) tellCompanions() {
	for _, c := range s.companions {
		s.app.output.note("adds --tags %s: %s", c.Tag, c.Reason)
	}
}
