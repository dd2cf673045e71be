package record

import (
	"fmt"

	"github.com/go-json-experiment/json"
)

func (t *Tools) decode(data []byte) error {
	switch {
	case len(data) == 0 || data[0] == 'n':
		*t = nil
		return nil
	case data[0] == '"':
		var one string
		if err := json.Unmarshal(data, &one, lenient); err != nil {
			return err
		}
		*t = Tools{one}
		return nil
	case data[0] == '[':
		var many []string
		if err := json.Unmarshal(data, &many, lenient); err != nil {
			return err
		}
		*t = many
		return nil
	}
	return fmt.Errorf("tool names: want a string or a list, got %.20s", data)
}
