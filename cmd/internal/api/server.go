package api

import "net/http"

// Server says what answers here.
type Server struct {
	Name    string `json:"name" doc:"orma"`
	Version string `json:"version"`
	API     string `json:"api" doc:"version of the API: v1"`
	Right   string `json:"right,omitempty" doc:"what the caller may do: read, write or admin"`
}

func serverRoutes() []route {
	return []route{
		on(route{
			method: http.MethodGet, path: "/version", verb: "version", about: "Say what answers here", reach: ofServer,
		}, func(c *call, _ *none) (Server, error) {
			return Server{Name: "orma", Version: c.api.o.Version, API: "v1", Right: string(c.who.Right)}, nil
		}),
		on(route{
			method: http.MethodGet, path: "/openapi.json", verb: "openapi", about: "Return the OpenAPI document of this API", reach: ofServer,
		}, func(*call, *none) (Document, error) { return OpenAPI(), nil }),
	}
}
