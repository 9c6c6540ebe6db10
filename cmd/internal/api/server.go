package api

import "net/http"

// Server says what answers here.
type Server struct {
	Name    string `json:"name" doc:"orma"`
	Version string `json:"version"`
	API     string `json:"api" doc:"version of the API: v1"`
}

func serverRoutes() []route {
	return []route{
		on(route{
			method: http.MethodGet, path: "/version", verb: "version", about: "Say what answers here", reach: ofServer,
		}, func(c *call, _ *none) (Server, error) {
			return Server{Name: "orma", Version: c.api.o.Version, API: "v1"}, nil
		}),
		on(route{
			method: http.MethodGet, path: "/openapi.json", verb: "openapi", about: "Return the OpenAPI document of this API", reach: ofServer,
		}, func(*call, *none) (Document, error) { return OpenAPI(), nil }),
	}
}
