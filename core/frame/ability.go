package frame

// The interfaces here are abilities that a [Source] may have beside its channels.
// A stage finds them by assertion on [Frame.Source] and does without where one is
// missing. Like a Source's own methods they answer for one space and one query,
// at one moment, and may be called from several goroutines at once.

// Edge leads from one entity to another. Weight is in (0, 1].
type Edge struct {
	To     uint32
	Weight float32
}

// Node is a node of a [Graph]: an item, or an entity.
type Node struct {
	Item bool
	ID   uint32 // the item's doc, or the entity's number
}

// Spread is a step that activation took over a [Graph], as an explanation shows it.
type Spread struct {
	Hop   int     // 0: it starts at To, and From says nothing
	From  Node    // from where To was first reached
	To    Node    // what it reached
	Value float32 // what To had in the end
}

// Graph is what the space's items are about. Entities are numbered by the source;
// slices that are returned are the source's own and must not be changed.
type Graph interface {
	// Named appends the entities that the query's words name, each once, ascending.
	Named(dst []uint32) []uint32
	// Entities returns the entities that an item mentions, each once, ascending.
	Entities(doc uint32) []uint32
	// Mentions returns the items that mention an entity, ascending. Their number is
	// the entity's fan.
	Mentions(entity uint32) []uint32
	// Links returns an entity's neighbours, strongest first, ties to the lower number.
	Links(entity uint32) []Edge
}

// Floored knows how alike two texts of the space are that have nothing to do with
// each other.
type Floored interface {
	// Floor returns that cosine for an embedder's vectors. It is false until the space
	// has enough of them to tell.
	Floor(embedder string) (float32, bool)
}

// Reader knows what items say. It is for the few rows that must be read; a stage that
// wants the text of each row reads column [Text].
type Reader interface {
	// Texts writes what the items in docs say to dst, which is as long; empty for an
	// item that is gone.
	Texts(docs []uint32, dst []string) error
}

// Comparer compares items of the space.
type Comparer interface {
	// Cosines writes the cosine of an item's vector with each of others to dst, which is
	// as long as to; NaN where one of the two has none.
	Cosines(doc uint32, to []uint32, dst []float32)
}
