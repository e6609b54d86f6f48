// Package extravars reads what a user gives to Ansible with -e, and sends it with the
// types that the variables have.
//
// Ansible takes five forms: key=value, JSON, YAML, @file and nothing at all. In the first
// one every value is text, so "-e helm_enabled=false" hands over the text "false": true in a
// condition up to ansible-core 2.18, an error from 2.19 on. [Parse] knows from a [Schema]
// that the variable is a boolean, and sends one.
//
//	vars, err := extravars.Parse(args, schema, nil) // err may be a *UsageError
//	argv, err := vars.Write(privateDir)             // -e @/private/000.json -e @/home/me/vars.yml
//
// Three rules hold throughout:
//
//   - One argument is one [Element] and goes to Ansible at its own place. Arguments are never
//     merged: a vaulted file between two of them, hash_behaviour=merge and the order
//     would be lost.
//   - What has a type already (JSON, YAML, a file) is sent byte for byte as it was
//     written, and only looked at. What Ansible would read is decided by the rules of its own
//     readers: a JSON reader that is Python's, then YAML 1.1, then a grammar of quotes,
//     escapes and braces that is its own (kvsplit.go).
//   - What Ansible would silently ignore is refused before anything starts, with the place
//     and what was probably meant.
//
// The package is a leaf: it imports nothing of ours and starts no process. No error, note or
// finding holds a value whose name looks secret ([LooksSecret]).
package extravars
