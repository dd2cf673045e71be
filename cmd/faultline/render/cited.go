package render

import (
	"slices"

	"github.com/faultline-dev/faultline/ingest"
)

// CitedRecords lists the record documents that the findings of the thread
// cite, each once.
func (tl Timeline) CitedRecords() (out []ingest.Ref) {
	for _, v := range tl.Thread {
		for _, f := range v.Findings {
			for _, ref := range f.Refs {
				if ref.Run == ingest.RecordsRun && !slices.Contains(out, ref) {
					out = append(out, ref)
				}
			}
		}
	}
	return out
}

// recordOf finds a cited record document and the run that holds it.
func (tl Timeline) recordOf(ref ingest.Ref) (*ingest.Run, *ingest.Event) {
	for _, r := range tl.Records {
		for i := range r.Events {
			if e := &r.Events[i]; e.Seq == ref.Seq && r.Sources[e.Source].ID == ref.Source {
				return r, e
			}
		}
	}
	return nil, nil
}

// elsewhere writes the run's own findings that cite none of its events: those
// of an episode, which count from 1, or of none of its episodes.
func (w *timelineWriter) elsewhere(episode int) {
	if w.own == nil {
		return
	}
	for _, f := range w.own.Findings {
		at := f.Episode
		if at < 0 || at > w.episodes {
			at = 0
		}
		if at == episode && !slices.ContainsFunc(f.Refs, func(r ingest.Ref) bool { return r.Run == w.tl.Run.ID }) {
			w.note(note{Finding: f})
		}
	}
}

// outside writes the places of refs that lie outside of this run, and how to
// see the records among them, or their text where all is shown in full.
func (w *timelineWriter) outside(refs []ingest.Ref) {
	refs = slices.DeleteFunc(slices.Clone(refs), func(r ingest.Ref) bool { return r.Run == w.tl.Run.ID || r == w.tl.Record })
	for _, ref := range refs[:min(len(refs), maxRefs)] {
		w.line("                %s", w.ref(ref))
		r, e := w.tl.recordOf(ref)
		switch {
		case e == nil:
		case w.tl.Full:
			w.full(r, e)
		default:
			w.line("                %s", w.recordHint(ref))
		}
	}
	if len(refs) > maxRefs {
		w.line("                and %d more", len(refs)-maxRefs)
	}
}

// recordHint is the command that shows a record. Its file is named by the last
// part of its path, unless another cited record or a file of the run answers to
// that as well; one whose file the run shares is shown only with all the rest.
func (w *timelineWriter) recordHint(ref ingest.Ref) string {
	run, file := "show "+short(w.tl.Run.ID), base(ref.File)
	for _, s := range w.tl.Run.Sources {
		for _, p := range s.Paths {
			if p == ref.File {
				return w.command(run + " --full")
			}
			if base(p) == file {
				file = ref.File
			}
		}
	}
	for _, other := range w.tl.CitedRecords() {
		if other != ref && other.Seq == ref.Seq && base(other.File) == file {
			file = ref.File
		}
	}
	return w.command(run + " --at " + Quote(w.safe(file)+":"+itoa(ref.Seq)))
}

// record writes one record document in full and the findings that cite it.
func (w *timelineWriter) record(ref ingest.Ref) {
	r, e := w.tl.recordOf(ref)
	if e == nil {
		return
	}
	w.line("── record %s ──", w.ref(ref))
	w.line("%s%s", w.head(e), w.safe(w.label(e)))
	w.full(r, e)
	for _, v := range w.tl.Thread {
		for _, f := range v.Findings {
			if slices.Contains(f.Refs, ref) {
				w.note(note{Finding: f})
			}
		}
	}
}
