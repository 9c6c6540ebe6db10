// Package retrieve holds the stages that add rows.
//
// Each file is one stage; its test is the file of the same name. A stage finds its
// candidates through the source when it retrieves, and scores every row, whoever
// found it, when it runs.
package retrieve
