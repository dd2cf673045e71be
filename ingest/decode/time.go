package decode

import (
	"strconv"
	"time"

	"github.com/faultline-dev/faultline/ingest"
)

var timeLayouts = []string{
	time.RFC3339Nano,
	"2006-01-02T15:04:05.999999999", // no zone: UTC, marked inferred
	"2006-01-02 15:04:05.999999999",
	"2006-01-02 15:04:05.999999999Z07:00",
}

// ParseTime reads a time as any known format writes it: RFC 3339, the same
// without a zone (taken as UTC and marked inferred), or epoch seconds,
// milliseconds, microseconds or nanoseconds, told apart by magnitude.
func ParseTime(s string) (time.Time, ingest.TimeQuality) {
	if s == "" {
		return time.Time{}, ingest.NoTime
	}
	for i, layout := range timeLayouts {
		if at, err := time.Parse(layout, s); err == nil && at.Year() > 1970 && at.Year() < 10_000 {
			if i == 1 || i == 2 {
				return at.UTC(), ingest.Inferred
			}
			return at.UTC(), ingest.Exact
		}
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return epoch(f)
	}
	return time.Time{}, ingest.NoTime
}

func epoch(f float64) (time.Time, ingest.TimeQuality) {
	for _, unit := range []float64{1, 1e3, 1e6, 1e9} {
		sec := f / unit
		if sec > 0 && sec < 1e11 {
			whole := int64(sec)
			nano := int64((sec - float64(whole)) * 1e9)
			return time.Unix(whole, nano).UTC(), ingest.Exact
		}
	}
	return time.Time{}, ingest.NoTime
}
