// Package reduce finds a small part of something that still shows what the
// whole shows.
//
// What it works on are atoms, named by their index, which are kept or left out
// as a whole. An oracle, asked about a set of them, says whether the set still
// shows it. The search is Zeller and Hildebrandt's ddmin (Simplifying and
// Isolating Failure-Inducing Input, 2002): leave out half of the atoms, then
// quarters, and so on, and go on with what still shows it, until no single
// atom can be left out.
//
// It begins with slices (the atoms that matter for sure, with some around
// them), so that few questions are asked about large sets. Atoms that are held
// are left alone until nothing else can go; those that are fixed stay.
//
// A search costs judgements, and a judgement of many events costs more than
// one of few: a Budget limits both. No set is judged twice. A search that ran
// out of its budget says so, and has the smallest set found until then.
package reduce
