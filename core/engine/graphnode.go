package engine

import (
	"crypto/sha256"
	"encoding/base32"
	"strconv"
	"strings"

	"github.com/orma-memory/orma/core"
	"github.com/orma-memory/orma/core/frame"
	"github.com/orma-memory/orma/core/index"
)

// ownerNode is the node of the person a space belongs to.
const ownerNode = "e0"

// nameCode writes the hash of a name in letters and digits.
var nameCode = base32.HexEncoding.WithPadding(base32.NoPadding)

// nodeID names a node as front ends do.
func (m *graphMap) nodeID(x frame.Node) string {
	if x.Item {
		r := m.view.Ref(x.ID)
		return itemNode(r.Kind, r.ID)
	}
	return entityNode(m.net.Entity(x.ID))
}

func entityNode(e index.Entity) string {
	switch {
	case e.ID != 0:
		return "e" + strconv.FormatInt(int64(e.ID), 10)
	case e.Key == "#0":
		return ownerNode
	}
	sum := sha256.Sum256([]byte(e.Key))
	return "n" + strings.ToLower(nameCode.EncodeToString(sum[:8]))
}

// itemNode names an item of a kind of package frame.
func itemNode(kind int64, id core.ID) string {
	letter := "p"
	switch kind {
	case frame.ItemState:
		letter = "s"
	case frame.ItemEvent:
		letter = "v"
	}
	return letter + strconv.FormatInt(int64(id), 10)
}

// find returns the node that an id names. An id of another space names nothing here.
func (m *graphMap) find(id string) (frame.Node, error) {
	if len(id) < 2 || len(id) > 20 || strings.IndexByte("ensvp", id[0]) < 0 {
		return frame.Node{}, badNode(id)
	}
	if id == ownerNode {
		return frame.Node{ID: index.Owner}, nil
	}
	missing := core.Errorf(core.CodeNotFound, "there is no node %s in space %q", id, m.req.Space).Hinted("GET graph lists the nodes")
	if id[0] == 'n' {
		for e := range uint32(m.net.Entities()) {
			if x := m.net.Entity(e); x.ID == 0 && entityNode(x) == id {
				return frame.Node{ID: e}, nil
			}
		}
		return frame.Node{}, missing
	}
	n, err := strconv.ParseInt(id[1:], 10, 64)
	if err != nil || n <= 0 || strconv.FormatInt(n, 10) != id[1:] { // one node has one id
		return frame.Node{}, badNode(id)
	}
	if id[0] == 'e' {
		if e, ok := m.net.EntityOf(core.ID(n)); ok {
			return frame.Node{ID: e}, nil
		}
		return frame.Node{}, missing
	}
	if doc, ok := m.view.Doc(core.ID(n)); ok {
		if r := m.view.Ref(doc); itemNode(r.Kind, r.ID) == id {
			return frame.Node{Item: true, ID: doc}, nil
		}
	}
	return frame.Node{}, missing
}

func badNode(id string) error {
	return core.Errorf(core.CodeInvalid, "%q is not the id of a node", id).Hinted("such ids are like e12, s14, v3 or p8")
}
