// Command model_facts is a plugin: a backend of sleep that asks a model with your own
// prompt.
package main

import "github.com/orma-memory/orma/sdk/proc"

func main() { proc.Serve(&facts{}) }
