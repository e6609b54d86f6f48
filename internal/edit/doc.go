// Package edit changes text files that people wrote: a few bytes on named lines.
//
// All else stays as it was: comments, order, line endings (LF, CRLF, mixed), a byte
// order mark, a missing final newline, the file's mode, and a symbolic link that
// leads to the file. A file is replaced whole or not at all.
//
//	set, err := edit.Plan(changes)  // reads and checks; writes nothing
//	err = set.Diff(os.Stdout, hide) // for people to look at
//	err = set.Write()
//
// What is not kept: access control lists and other extended attributes, and hard
// links (the other names of the file keep its old content, as after sed -i).
package edit
