package pb

// What both ends of the handshake know. The cookie is no secret: it keeps people from
// running a plugin by hand and wondering.
const (
	CookieKey   = "ORMA_PLUGIN"
	CookieValue = "c0d1a3e4-stage"
	Version     = 1       // of the protocol: of stage.proto and how it is used
	Service     = "stage" // the name of the plugin in go-plugin's terms
)
