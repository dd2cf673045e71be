// Package rules holds the rules, one a file, and the list of them all. A rule
// is a constant value: documentation, occasion, needs and a pure function over
// a view. What is a fault and what only looks like one is stated in its
// documentation and held by the scenarios under fixtures/rules.
package rules
