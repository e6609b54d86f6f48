package explain

// causes are the codes of roots that checks find.
func causes() []Entry { return groundCauses() }
