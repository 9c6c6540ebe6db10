// Package sentence_model holds the test of the plugin of that name, which is in Python.
package sentence_model
