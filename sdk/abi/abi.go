// Package abi is the contract between a host and a plugin: how a frame, parameters,
// lines and items are laid out in bytes, and which functions cross the boundary.
// docs/plugins/abi.md is the same contract in words.
//
// It imports nothing of this module and little of the standard library, so that a
// guest built on it stays small. Everything is little-endian and every section starts
// on a multiple of 8 bytes.
package abi

// Version is what a guest's orma_abi returns. It changes when any layout, function or
// rule of this package does; a host refuses a guest of another version.
const Version = 1

// The functions that a WASM guest exports, besides its memory.
const (
	FnABI       = "orma_abi"       // () -> u32: Version
	FnManifest  = "orma_manifest"  // () -> u64: pointer<<32 | length of the manifest, JSON
	FnAlloc     = "orma_alloc"     // (bytes u32) -> pointer u32, a multiple of 8: the arena; 0 if there is none
	FnConfigure = "orma_configure" // (pointer u32, bytes u32) -> u32: 0 or an error code
	FnRun       = "orma_run"       // (pointer u32, bytes u32) -> u32: rank and embed
	FnExtract   = "orma_extract"   // (pointer u32, bytes u32) -> u64: extract and sleep; see [ItemColumns]
	FnError     = "orma_error"     // (code u32) -> u64: pointer<<32 | length of a message, UTF-8; optional
)

// The contracts that a plugin can fulfil.
const (
	Rank    = "rank"    // a stage of the recall pipeline
	Extract = "extract" // lines in, items out
	Sleep   = "sleep"   // lines and what a space knows in, items out: a backend that may ask others
	Embed   = "embed"   // texts in, vectors out
)

// The error codes that a host tells apart. Any other is a failure too.
const (
	CodeFailed      = 1
	CodeUnavailable = 2 // sleep: nothing is wrong with the lines, something it needs is away
)

// What the column line holds in rows that are no lines: things a space knows, which a
// sleep backend is given so that it names what it finds alike.
const (
	KnownName      = -1
	KnownAttribute = -2
	KnownState     = -3 // "user · home city: Pune"
)

// Limits on what a host takes from a guest.
const (
	MaxManifest = 64 << 10 // bytes of a manifest
	MaxError    = 1 << 10  // bytes of an error's message
	MaxItems    = 10_000   // items of one extraction
	MaxAnswer   = 4 << 20  // bytes of an items block
	MaxDim      = 8192     // values of a vector
)

// Manifest is what a guest says about itself. It crosses as JSON.
type Manifest struct {
	Name     string   // lower_snake_case: the stage type, embedder type or extractor
	Version  string   // the plugin's own
	Contract string   // one of the contracts above
	Summary  string   // one line, no full stop
	Doc      string   // the rest, in Markdown
	Columns  []Column // rank: in the order of the directory
	Drops    bool     // rank: it may remove rows
	Orders   bool     // rank: it may reorder rows
	Query    bool     // rank: the block carries the question and its time
	Dim      int      // embed: length of a vector
	Params   []Param
}

// Column is a column of a block.
type Column struct {
	Name    string
	Kind    string // f32, i64, text or list
	Read    bool
	Write   bool    // f32 and i64 only
	Neutral float32 // what an f32 column of the plugin's own holds where the stage is off
	Doc     string
}

// The kinds of columns.
const (
	F32  = "f32"
	I64  = "i64"
	Text = "text"
	List = "list"
)

// Param is one key of the plugin's configuration table.
type Param struct {
	Name string // lower_snake_case, with its unit: half_life_days
	Kind string // number, string or file
	Doc  string // one clause

	Default    float64 // of a number
	Min, Max   float64 // of a number; equal means unbounded
	Neutral    float64 // of a number, if HasNeutral
	HasNeutral bool    // with every such parameter at Neutral the stage changes nothing

	Text  string   // default of a string; of a file the default path, empty for none
	OneOf []string // what a string may be; empty for anything
	Bytes int      // longest string or file; 0 means 64 KiB for a string, 1 MiB for a file
}

// The kinds of parameters. A file is named by its path in the configuration, read by
// the host, and handed over as its bytes.
const (
	Number = "number"
	String = "string"
	File   = "file"
)

// LineColumns are the columns of the block that an extractor is given: one row a line.
// Its order lists the lines that items may cite.
func LineColumns() []Column {
	return []Column{
		{Name: "line", Kind: I64, Read: true, Doc: "number by which items cite the line; 0 for one that only helps to understand others"},
		{Name: "text", Kind: Text, Read: true, Doc: "one sentence"},
		{Name: "who", Kind: Text, Read: true, Doc: "speaker, or the role"},
		{Name: "role", Kind: I64, Read: true, Doc: "0 user, 1 assistant, 2 tool, 3 system"},
		{Name: "kind", Kind: I64, Read: true, Doc: "0 turn, 1 note, 2 document, 3 tool, 4 anti_pattern, 5 identity"},
		{Name: "day", Kind: Text, Read: true, Doc: "calendar day on which it was said, YYYY-MM-DD"},
		{Name: "own", Kind: I64, Read: true, Doc: "1 if the first person in it is the user"},
	}
}

// ItemColumns are the columns of the block that an extractor answers with: one row an
// item. orma_extract returns its pointer<<32 | length; with pointer 0 the low half is an
// error code, and 0 altogether means that there is nothing to extract.
func ItemColumns() []Column {
	return []Column{
		{Name: "flags", Kind: I64, Read: true, Doc: "sum of the item flags"},
		{Name: "subject", Kind: Text, Read: true, Doc: "user, or a name"},
		{Name: "attribute", Kind: Text, Read: true, Doc: "of a state; words joined by _"},
		{Name: "value", Kind: Text, Read: true, Doc: "of a state; of an event what happened"},
		{Name: "condition", Kind: Text, Read: true, Doc: "what limits a state"},
		{Name: "when", Kind: Text, Read: true, Doc: "an event's time, as the line has it"},
		{Name: "cites", Kind: List, Read: true, Doc: "numbers of the lines it rests on"},
	}
}

// The item flags.
const (
	ItemEvent      = 1 << iota // an event, not a state
	ItemProhibited             // the state is a rule
	ItemEnded                  // the line ends the state instead of making it
	ItemLift                   // the line takes rules back that speak of the value
)

// EmbedColumns are the columns of the block that an embedder is given: one row a text.
// Each row of vector has room for as many values as the manifest's dim; the guest
// writes them in place.
func EmbedColumns() []Column {
	return []Column{
		{Name: "text", Kind: Text, Read: true},
		{Name: "kind", Kind: I64, Read: true, Doc: "0 a query, 1 a passage"},
		{Name: "vector", Kind: List, Write: true, Doc: "a unit vector; zeros for a text with nothing to embed"},
	}
}
