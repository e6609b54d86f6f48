package kubespray

import (
	"regexp"
	"strings"
)

var kubectlDelete = regexp.MustCompile(`\bkubectl\b.*\bdelete\b`)

// deletion returns the command of a task that deletes with kubectl.
func deletion(action string, args *node) string {
	if action != "command" && action != "shell" && action != "raw" {
		return ""
	}
	command := text(args)
	if command == "" {
		command = text(field(args, "cmd", "_raw_params"))
	}
	if argv := field(args, "argv"); command == "" && argv != nil {
		command = strings.Join(words(argv), " ")
	}
	command = strings.Join(strings.Fields(command), " ")
	if !kubectlDelete.MatchString(command) {
		return ""
	}
	return command
}

// mentions is true when one of the texts stands anywhere below a node.
func mentions(n *node, texts ...string) bool {
	n = resolveAlias(n)
	if n == nil {
		return false
	}
	for _, t := range texts {
		if strings.Contains(n.Value, t) {
			return true
		}
	}
	for _, child := range n.Content {
		if child != n && child.Alias == nil && mentions(child, texts...) {
			return true
		}
	}
	return false
}

// sideEffects looks at the tasks of a way to a role: whether it needs files that
// another role downloads, and what it deletes.
func sideEffects(u *Use) (needsDownload bool, deletes []Task) {
	fetches := false
	for _, t := range u.task {
		needsDownload = needsDownload || t.Released
		fetches = fetches || strings.HasPrefix(t.File, "roles/download/")
		if t.Deletes != "" {
			deletes = append(deletes, t)
		}
	}
	return needsDownload && !fetches, deletes
}
