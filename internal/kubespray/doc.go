// Package kubespray reads what a Kubespray checkout says about itself.
//
// Nothing here knows a release. The addons, their switches and their tags come
// from the playbooks and from the roles' meta and tasks; the type of a variable
// comes from the roles' defaults; the range of Ansible from the playbook that
// checks it. So the same code serves a release, a fork and a tree with local
// changes.
//
//	dir, how, err := kubespray.Find(kubespray.FindOptions{Flag: flag, Playbook: "cluster.yml", Cwd: cwd})
//	checkout, err := kubespray.Open(dir)
//	types, err := checkout.Types()                  // helm_enabled is a boolean
//	catalogue, err := checkout.Catalogue("")        // addons and tags of cluster.yml
//	addon, tag, err := catalogue.Resolve("local-path")
//
// The package only reads files. It never writes, starts no process and connects
// to nothing. Where a value can only be known by asking Ansible (a template, a
// vault), it says "unknown" instead of guessing.
//
// Three ideas carry most of the code:
//
//   - A [Use] is one way by which a play comes to a role: the tags and the
//     conditions are collected along that way, as Ansible collects them.
//   - A dynamic include has a gate: its own tags decide whether it is entered, and
//     only what its tasks inherit decides whether they run. A tag is usable when
//     it opens every gate and selects a task behind it.
//   - A default counts as text when any default of that name is text, and as a
//     boolean only when all of them are.
package kubespray
