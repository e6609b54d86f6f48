package cluster

import (
	"fmt"
	"regexp"
	"strings"
	"time"
)

// newest is the latest time that the objects and logs tell; zero: they tell none.
func (s *Snapshot) newest() time.Time {
	latest := time.Time{}
	see := func(t time.Time) {
		if t.After(latest) {
			latest = t
		}
	}
	for _, sh := range s.objects {
		for _, o := range sh.objects {
			times(o, see)
		}
	}
	year := latest.Year()
	if latest.IsZero() {
		year = time.Now().UTC().Year()
	}
	for _, text := range s.logs {
		for line := range strings.Lines(text) {
			see(lineTime(line, year))
		}
	}
	return latest.UTC()
}

// times tells the moments that an object notes. When something will end or is asked to
// end is none of them.
func times(v any, see func(time.Time)) {
	switch v := v.(type) {
	case []any:
		for _, item := range v {
			times(item, see)
		}
	case map[string]any:
		for key, value := range v {
			text, ok := value.(string)
			if !ok {
				if key != "annotations" && key != "labels" {
					times(value, see)
				}
				continue
			}
			if key == "time" || key == "timestamp" || key == "lastUpdate" || key != "deletionTimestamp" && key != "expirationTimestamp" &&
				(strings.HasSuffix(key, "Time") || strings.HasSuffix(key, "Timestamp") || strings.HasSuffix(key, "At")) {
				if t, err := time.Parse(time.RFC3339, text); err == nil {
					see(t)
				}
			}
		}
	}
}

// Times as logs begin with: klog's has no year.
var (
	klogStart = regexp.MustCompile(`^[IWEF](\d{4} \d{2}:\d{2}:\d{2})\.\d+`)
	isoStart  = regexp.MustCompile(`^\d{4}-\d{2}-\d{2}T\S+`)
)

// lineTime is the time at the beginning of a log's line; zero: there is none.
func lineTime(line string, year int) time.Time {
	if m := klogStart.FindStringSubmatch(line); m != nil {
		t, err := time.Parse("2006 0102 15:04:05", fmt.Sprintf("%d %s", year, m[1]))
		if err != nil {
			return time.Time{}
		}
		return t
	}
	t, err := time.Parse(time.RFC3339, isoStart.FindString(line))
	if err != nil {
		return time.Time{}
	}
	return t
}
