package edit

import (
	"errors"
	"fmt"
	"strings"
)

// Change puts New where Old stands.
//
// A line feed (or CR LF) in Old or New stands for a line ending as the file has them,
// so that nobody has to know which: Old matches either, New is written with that of
// the line it stands on. As the last byte of Old it also matches the end of a file
// without final newline. Thus Old "text\n" at Column 1 with New "" removes a line.
//
// An empty Old inserts whole lines before Line, which may be one past the last:
// Column is 1 and New ends with a line feed. They get the ending of the line above;
// a final newline that is missing there is added. Line 1 of a file that does not
// exist makes the file; its directory has to exist.
type Change struct {
	File string // as the user reaches it
	// Line and Column count from 1. Lines end with a line feed, and with nothing
	// else. Column counts bytes; those of a byte order mark do not count.
	Line, Column int
	Old, New     string
}

// insertion is true for a change that adds whole lines.
func (c Change) insertion() bool { return c.Old == "" }

// check says what is wrong with a change, whatever the file holds. That is a mistake
// of the caller.
func (c Change) check() error {
	switch {
	case c.File == "":
		return errors.New("a change names no file")
	case c.Line < 1 || c.Column < 1:
		return fmt.Errorf("change %s: line %d, column %d: both count from 1", c.File, c.Line, c.Column)
	case c.insertion() && (c.Column != 1 || !strings.HasSuffix(c.New, "\n")):
		return fmt.Errorf("change %s:%d:%d: what is inserted has to be whole lines: from column 1, with a line feed at the end",
			c.File, c.Line, c.Column)
	}
	return nil
}

// ConflictError says that a file does not hold what a change goes by: it changed since
// somebody looked. It never quotes the file, which may hold secrets.
type ConflictError struct {
	File string
	Line int // 0: the file changed between Plan and Write
}

func (e *ConflictError) Error() string {
	place := e.File
	if e.Line > 0 {
		place = fmt.Sprintf("%s:%d", e.File, e.Line)
	}
	return place + " is not as it was when it was read; nothing in it was changed; run the command again to see what it needs now"
}

// OverlapError says that two changes want the same bytes of a file.
type OverlapError struct {
	File         string
	Line, Second int // where the two begin
}

func (e *OverlapError) Error() string {
	return fmt.Sprintf("two changes of %s want the same text (they begin on lines %d and %d); nothing was changed; make one of them, then look again",
		e.File, e.Line, e.Second)
}
