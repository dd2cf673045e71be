package trial

import "github.com/faultline-dev/faultline/ingest/decode"

// Named decodes a view of the trial's run. The agent's own session id becomes
// a link: the trial is named by its trial name.
func Named(name string, f func(*decode.Input, *decode.Writer) error) func(*decode.Input, *decode.Writer) error {
	return func(in *decode.Input, w *decode.Writer) error {
		if err := f(in, w); err != nil {
			return err
		}
		m := w.Meta()
		if m.Native != "" && m.Native != name {
			m.Links = append(m.Links, m.Native)
		}
		m.Native, m.Trial = name, true
		return nil
	}
}
