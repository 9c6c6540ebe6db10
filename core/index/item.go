package index

import (
	"github.com/orma-memory/orma/core"
)

// item is what ranking needs to know of one doc. Times are Unix seconds.
type item struct {
	id      core.ID
	episode core.ID
	at      int64
	expires int64 // 0: never
	session int32 // -1: none
	speaker int32 // -1: none
	source  int32
	vec     int32  // row of the matrix, -1: none
	start   uint32 // bytes of the episode's text
	end     uint32
	words   uint16
	kind    uint8 // frame.ItemPassage …
	role    uint8
	trust   uint8
	flags   uint8
}

const (
	flagQuestion uint8 = 1 << iota // asks something
	flagTime                       // has a word of time
	flagName                       // has a name inside
	flagDigit                      // has a digit
	flagDead                       // closed, or not to be found any more
)

// roles are the codes of column frame.Role.
var roles = [...]core.Role{core.RoleUser, core.RoleAssistant, core.RoleTool, core.RoleSystem}

func roleCode(r core.Role) uint8 {
	for i, x := range roles {
		if x == r {
			return uint8(i)
		}
	}
	return 0
}

// names numbers strings from 0 in the order they come.
type names struct {
	number map[string]int32
	list   []string
}

func newNames() names { return names{number: map[string]int32{}} }

// add returns the number of s; an empty string has none, -1.
func (n *names) add(s string) int32 {
	if s == "" {
		return -1
	}
	if i, ok := n.number[s]; ok {
		return i
	}
	i := int32(len(n.list))
	n.number[s] = i
	n.list = append(n.list, s)
	return i
}
