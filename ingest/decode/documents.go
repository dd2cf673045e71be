package decode

// Documents calls f for each JSON document of a file that holds several: the
// elements of one list, or one value after another. Units of a document keep
// their place in the file. A broken document ends where a line begins with an
// object, and in a list with the file.
func (w *Writer) Documents(in *Input, f func(*Input) error) error {
	return w.resumed(in, func(p *docWalk) (broken, err error) {
		if p.inList = p.dec.PeekKind() == '['; p.inList {
			if _, err := p.dec.ReadToken(); err != nil {
				return err, nil
			}
		}
		for {
			if p.dec.PeekKind() == ']' {
				if _, err := p.dec.ReadToken(); err != nil {
					return err, nil
				}
				continue
			}
			part, err := p.part()
			if err != nil {
				return err, nil
			}
			if err := f(part); err != nil {
				return nil, err
			}
		}
	})
}
