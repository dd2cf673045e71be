// Package stat has the few statistics that results of repeated runs need. All
// are deterministic and exact to a float's precision; what has no value for a
// sample says so with ok = false.
package stat
