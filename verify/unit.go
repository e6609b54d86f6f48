package verify

import "time"

// unit is what is asked in one round: a single check, or those that are asked together.
type unit struct {
	members []*member
	needs   []*unit
	done    chan struct{}
}

// answered reports whether all members have their answers.
func (u *unit) answered() bool {
	select {
	case <-u.done:
		return true
	default:
		return false
	}
}

// member is a check within its unit, and what is known about it.
type member struct {
	check    Check
	needs    []*member
	start    time.Time
	findings []Finding
	attempts int
	took     time.Duration
	reason   string // the last "not yet" that was not the last answer
	stop     string // id of the check that stops what needs this one; "": none
}

// newUnits groups the checks and ties the units by what their members need. Units on a
// circle are answered here, so that nobody waits for them. Of two checks with one id,
// the first counts.
func newUnits(checks []Check) []*unit {
	byID := map[string]*member{}
	home := map[*member]*unit{}
	groups := map[string]*unit{}
	var units []*unit
	for _, c := range checks {
		if byID[c.ID] != nil {
			continue
		}
		u := groups[c.Together]
		if u == nil || c.Together == "" {
			u = &unit{done: make(chan struct{})}
			units = append(units, u)
			groups[c.Together] = u
		}
		m := &member{check: c}
		u.members = append(u.members, m)
		byID[c.ID], home[m] = m, u
	}
	for _, u := range units {
		for _, m := range u.members {
			for _, id := range m.check.Needs {
				if n := byID[id]; n != nil {
					m.needs = append(m.needs, n)
					if home[n] != u {
						u.needs = append(u.needs, home[n])
					}
				}
			}
		}
	}
	breakCircles(units)
	return units
}

// breakCircles answers every unit that can never start, and frees it of its needs.
func breakCircles(units []*unit) {
	ready := map[*unit]bool{}
	for progress := true; progress; {
		progress = false
		for _, u := range units {
			if !ready[u] && all(u.needs, func(n *unit) bool { return ready[n] }) {
				ready[u], progress = true, true
			}
		}
	}
	for _, u := range units {
		if ready[u] {
			continue
		}
		u.needs = nil
		for _, m := range u.members {
			m.findings = []Finding{Unknown("internal", "internal error: the needs of %s form a circle", m.check.ID)}
		}
	}
}

func all[T any](list []T, is func(T) bool) bool {
	for _, v := range list {
		if !is(v) {
			return false
		}
	}
	return true
}
