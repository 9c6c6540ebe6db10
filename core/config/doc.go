// Package config reads the TOML that says what Orma does: pipelines, stages,
// embedders, plugins, and the settings of the store and the front ends.
//
// Configuration comes in layers, later ones over earlier ones: a built-in profile,
// files, the environment, flags. A layer may hold a single key; what it leaves out
// stays as it was. Every layer is read by the same strict code: an unknown key, a
// wrong type, a stage that reads what nothing writes, each is a [Problem] with its
// file and line, and all of them are reported at once.
//
// Stages are named tables and pipelines are ordered lists of those names. Arrays of
// tables are refused: they have no names to lay one file over another by, and the
// toml library merges their positions and undecoded keys, so that a typo could pass
// unseen.
//
// It is the only package that imports the toml library.
package config
