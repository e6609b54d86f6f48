package audit

import (
	"fmt"
	"slices"

	"github.com/surespray/surespray/extravars"
	"github.com/surespray/surespray/internal/kubespray"
)

// consequence says what a text in the place of a boolean does on this core, and how bad
// that is. shown is the text for people.
func (a *auditor) consequence(name, text string) (extravars.Severity, string) {
	means, isWord := extravars.MeansFalse(text)
	wrong := text != "" && (means || !isWord) // it counts as true, and was not meant so
	if x, ok := a.assertions[name]; ok {
		return extravars.SeverityError, fmt.Sprintf("the checkout's own check stops the run (%s:%d)%s", x.File, x.Line, also(wrong, "; elsewhere it counts as true"))
	}
	condition, silent, elsewhere := a.readers(name)
	switch {
	case condition == nil && silent == nil && !elsewhere:
		return extravars.SeverityInfo, "nothing of this release tests it as a condition, so the text does no harm"
	case condition == nil && silent == nil:
		return extravars.SeverityWarning, "nothing that this run does tests it" + also(wrong, "; elsewhere it counts as true")
	}
	place := func(r *kubespray.Read) string { return fmt.Sprintf("%s:%d", r.File, r.Line) }
	first := condition
	if first == nil {
		first = silent
	}
	switch {
	case a.core == extravars.Core219 && condition != nil:
		return extravars.SeverityError, fmt.Sprintf("ansible-core 2.19 and later stop at %s, where a condition must be a boolean%s", place(condition), also(wrong, "; up to 2.18 it counts as true"))
	case wrong:
		return extravars.SeverityError, fmt.Sprintf("a text that is not empty counts as true (%s)%s", place(first), also(condition != nil, ", and stops the run from ansible-core 2.19 on"))
	case text == "":
		return extravars.SeverityWarning, fmt.Sprintf("an empty text counts as false%s", also(condition != nil, ", and stops the run from ansible-core 2.19 on"))
	case condition != nil:
		return extravars.SeverityWarning, fmt.Sprintf("it stops the run from ansible-core 2.19 on (%s)", place(condition))
	}
	return extravars.SeverityWarning, fmt.Sprintf("it works here only because every text counts as true (%s)", place(silent))
}

func also(yes bool, text string) string {
	if yes {
		return text
	}
	return ""
}

// readers returns a place where the run reads a variable as a bare condition, one where a
// text counts as true without an error, and whether what is no part of this run reads it
// in one of these ways.
func (a *auditor) readers(name string) (condition, silent *kubespray.Read, elsewhere bool) {
	reads := a.Checkout.Reads(name)
	for i := range reads {
		r := &reads[i]
		bad := slices.Contains([]kubespray.How{kubespray.ReadCondition, kubespray.ReadNegated, kubespray.ReadTemplate}, r.How)
		switch {
		case !bad:
		case a.Touches != nil && !a.Touches(*r):
			elsewhere = true
		case r.How == kubespray.ReadCondition && condition == nil:
			condition = r
		case r.How != kubespray.ReadCondition && silent == nil:
			silent = r
		}
	}
	return condition, silent, elsewhere
}

// booleanWord is the boolean that a text means; ok is false for any other text.
func booleanWord(text string) (value, ok bool) {
	means, ok := extravars.MeansFalse(text)
	return !means, ok
}
