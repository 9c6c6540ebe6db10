// Package pb is the generated code of stage.proto, the protocol of plugin processes.
// scripts/proto.sh makes it.
package pb
