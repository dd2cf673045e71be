// Package grown puts the manifests of contents that grew from others together, for
// the stores: such a manifest is kept without the places that are kept already.
package grown
