package classify

// Facts holds what was computed once and is asked for again and again: about a
// thread by all its views, or about one view. A thread is judged by one
// goroutine, so it needs no lock.
type Facts struct{ known map[string]any }

// Once returns the fact of that name, which compute finds when it is first
// asked for. A name stands for one type and one meaning.
func Once[T any](f *Facts, name string, compute func() T) T {
	if v, ok := f.known[name].(T); ok {
		return v
	}
	v := compute()
	if f.known == nil {
		f.known = map[string]any{}
	}
	f.known[name] = v
	return v
}
