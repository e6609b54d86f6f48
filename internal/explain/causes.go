package explain

import "slices"

// causes are the codes of roots that checks find.
func causes() []Entry {
	return slices.Concat(accessCauses(), groundCauses(), podCauses(), addonCauses(), metricsCauses(), kubeletCauses(), hpaCauses(), storageCauses())
}
