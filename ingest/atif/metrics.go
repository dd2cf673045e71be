package atif

import (
	"github.com/faultline-dev/faultline/ingest"
	"github.com/faultline-dev/faultline/ingest/decode"
)

// readMetrics reads a step's token counts. Prompt tokens include cached ones
// (measured, formats.md section 8.1). Cache writes, which only some converters
// state, are taken as part of the prompt where they fit into it.
func readMetrics(c *decode.Cursor) (*ingest.Usage, error) {
	if c.Kind() != '{' {
		return nil, c.Skip()
	}
	var prompt, write int64
	var u ingest.Usage
	err := c.Object(func(name []byte) (err error) {
		switch string(name) {
		case "prompt_tokens":
			prompt, _, err = c.Int()
		case "completion_tokens":
			u.Output, _, err = c.Int()
		case "cached_tokens":
			u.CacheRead, _, err = c.Int()
		case "cost_usd":
			u.Cost, _, err = c.Float()
		case "extra":
			err = readMetricsExtra(c, &u, &write)
		default:
			err = c.Skip()
		}
		return err
	})
	if u.CacheWrite1h > write || u.CacheWrite1h < 0 {
		u.CacheWrite1h = 0
	}
	u.CacheWrite5m = write - u.CacheWrite1h
	if write < 0 || write > prompt-u.CacheRead {
		u.CacheWrite5m, u.CacheWrite1h = 0, 0
	}
	u.InputUncached = prompt - u.CacheRead - u.CacheWrite5m - u.CacheWrite1h
	if u.InputUncached < 0 || u.CacheRead < 0 || u.Output < 0 {
		u.Violation = true
		u.InputUncached = max(u.InputUncached, 0)
	}
	return &u, err
}

func readMetricsExtra(c *decode.Cursor, u *ingest.Usage, write *int64) error {
	return c.Object(func(name []byte) (err error) {
		switch string(name) {
		case "cache_creation_input_tokens":
			*write, _, err = c.Int()
		case "reasoning_tokens":
			u.Reasoning, _, err = c.Int()
		case "cache_creation":
			err = c.Object(func(name []byte) (err error) {
				if string(name) == "ephemeral_1h_input_tokens" {
					u.CacheWrite1h, _, err = c.Int()
					return err
				}
				return c.Skip()
			})
		default:
			err = c.Skip()
		}
		return err
	})
}
