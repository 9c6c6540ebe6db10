package api

import (
	"net/http"
	"reflect"

	"github.com/orma-memory/orma/cmd/internal/access"
	"github.com/orma-memory/orma/core"
)

// reach says what a route is about.
type reach uint8

const (
	ofSpace  reach = iota // one space, which the request names
	ofStore               // the store as a whole
	ofServer              // nothing that is stored
)

// route is one verb of the API.
type route struct {
	method, path string // the path is below Base
	verb         string // names it in logs, metrics and the OpenAPI document
	about        string // one line, no full stop
	doc          string // the rest; may be empty
	right        core.Right
	reach        reach
	once         bool // an idempotency key is honoured
	slow         bool // takes as long as it takes
	tag          bool // the answer has an ETag
	params       []param
	stream       string // media type of an answer that run writes itself

	body, answer reflect.Type // nil where there is none
	run          func(*call) (any, error)
}

// param is a parameter of the query or the path.
type param struct {
	name, kind string // kind: string, integer, boolean, time
	about      string
	path       bool
}

// none stands for a body or an answer that is not there.
type none struct{}

// on makes a route of a function from a body to an answer.
func on[B, A any](r route, run func(*call, *B) (A, error)) route {
	if t := reflect.TypeFor[B](); t != reflect.TypeFor[none]() {
		r.body = t
	}
	if t := reflect.TypeFor[A](); t != reflect.TypeFor[none]() {
		r.answer = t
	}
	if r.right == "" {
		r.right = core.RightRead
		if r.method != http.MethodGet {
			r.right = core.RightWrite
		}
	}
	r.run = func(c *call) (any, error) {
		b, _ := c.body.(*B)
		if b == nil {
			b = new(B)
		}
		return run(c, b)
	}
	return r
}

// spaced is a body that may name the space.
type spaced interface{ spaceName() string }

// In is the part of a body that names the space.
type In struct {
	Space string `json:"space,omitempty" doc:"space; the header x-orma-space and the query may name it too"`
}

func (i In) spaceName() string { return i.Space }

// call is one request on its way through a route.
type call struct {
	*http.Request
	api   *API
	w     http.ResponseWriter
	who   access.Principal
	space string
	body  any
	item  core.ID // what it was about, for the audit log
}

// routes lists every route, in the order of the documentation.
func routes() []route {
	var all []route
	for _, group := range [][]route{
		episodeRoutes(), recallRoutes(), contextRoutes(), factRoutes(), graphRoutes(), sleepRoutes(), keeperRoutes(), streamRoutes(), serverRoutes(),
	} {
		all = append(all, group...)
	}
	return all
}
