package extravars

// Judge compares a value with the type that its variable has in the checkout. plain is
// how a plain scalar is written, or "". The finding has a severity, a code, a message, a
// fix and the cores that get it wrong; ok is false when there is nothing to say.
func Judge(name string, value any, plain string, t Type) (f Finding, ok bool) {
	f = lintValue(name, value, plain, t)
	f.Key = name
	return f, f.Code != ""
}

// MeansFalse reports whether a text is a word for false, which a core up to 2.18 takes
// for true. boolean is false when it is a word for neither.
func MeansFalse(text string) (means, boolean bool) {
	means, boolean = boolWord(text)
	return !means, boolean
}
