package cluster

import (
	"regexp"
	"strings"
)

// RefusedBy names who refused to let an object be made: a policy, a quota, a webhook.
// False: it was something else, such as a missing right.
func RefusedBy(err error) (who string, ok bool) {
	if err == nil {
		return "", false
	}
	said := err.Error()
	for _, known := range []struct{ pattern, before string }{
		{`(violates PodSecurity "[^"]+")`, ""},
		{`admission webhook "([^"]+)" denied`, "the webhook "},
		{`failed calling webhook "([^"]+)"`, "the webhook (it does not answer) "},
		{`(?:Validating|Mutating)AdmissionPolicy '([^']+)'`, "the admission policy "},
		{`exceeded quota: ([^,\s]+)`, "the quota "},
		{`failed quota: ([^:\s]+)`, "the quota "},
		{`(?:maximum|minimum) (\S+) usage per (?:Container|Pod|PersistentVolumeClaim)`, "a LimitRange for "},
		{`(unable to validate against any (?:pod security policy|security context constraint))`, ""},
	} {
		if m := regexp.MustCompile(known.pattern).FindStringSubmatch(said); m != nil {
			return known.before + strings.TrimPrefix(m[1], "violates "), true
		}
	}
	return "", false
}
