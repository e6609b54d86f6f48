package extravars

import "fmt"

// Type is the type that a variable has by its defaults in a checkout.
type Type int

// The types of a variable. Unknown is also the type of one that nobody declares.
const (
	Unknown Type = iota
	Bool
	Int
	Float
	String
	List
	Dict
	Null
)

// String returns the word for people: "boolean", "integer", "text"…
func (t Type) String() string {
	switch t {
	case Unknown:
		return "unknown"
	case Bool:
		return "boolean"
	case Int:
		return "integer"
	case Float:
		return "number"
	case String:
		return "text"
	case List:
		return "list"
	case Dict:
		return "mapping"
	case Null:
		return "null"
	}
	return fmt.Sprintf("Type(%d)", int(t))
}

// Schema says which type a variable has.
type Schema interface {
	// TypeOf returns Unknown for a variable that has none, or several.
	TypeOf(name string) Type
	// Names returns every declared variable, for hints about typing errors. It may
	// be nil.
	Names() []string
}

// Core is a generation of ansible-core: what it makes of extra vars, and of a value
// in a condition, changed with 2.19.
type Core string

// The generations. Core218 stands for every core up to 2.18, Core219 for 2.19 and newer.
const (
	Core218 Core = "2.18"
	Core219 Core = "2.19"
)

// Cores returns the generations, oldest first.
func Cores() []Core { return []Core{Core218, Core219} }
