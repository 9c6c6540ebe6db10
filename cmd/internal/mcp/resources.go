package mcp

import (
	"context"
	"encoding/base64"
	"strconv"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/orma-memory/orma/core"
)

// templates are the forms of handles that a client can fill in.
func templates() []*sdk.ResourceTemplate {
	t := func(name, title, uri, mime, about string) *sdk.ResourceTemplate {
		return &sdk.ResourceTemplate{Name: name, Title: title, URITemplate: scheme + "/{space}/" + uri, MIMEType: mime, Description: about}
	}
	return []*sdk.ResourceTemplate{
		t("facts", "Facts", "facts{?subject,history,as_of,from}", mimeJSON, "What is true now in a space, rules first; history=1 adds what has ended, as_of=DAY lists what was true then."),
		t("fact", "Fact", "facts/{id}{?from}", mimeText, "One fact or rule in full, with the lines it rests on."),
		t("rules", "Rules", "rules{?from}", mimeJSON, "What must not be done in a space."),
		t("episodes", "Latest records", "episodes{?from}", mimeJSON, "The latest records of a space, newest first."),
		t("episode", "Record", "episodes/{id}{?from}", mimeText, "One record, word for word."),
		t("identity", "Identity", "identity{?from}", mimeText, "Who an agent of a space is."),
		t("search", "Search", "search{?q,at,from}", mimeJSON, "What a query finds in a space, best first."),
	}
}

func (s *server) addResources(srv *sdk.Server) {
	if s.who.Need(core.RightRead) != nil {
		return
	}
	for _, t := range templates() {
		srv.AddResourceTemplate(t, s.readResource)
	}
	srv.AddResource(&sdk.Resource{URI: scheme, Name: "spaces"}, s.readResource)
}

// asked is the key of the URI that a client asked for.
type asked struct{}

// resources answers resources/list, which follows the spaces that there are, and leads
// every resources/read to one handler: what can be read is more than patterns can say.
func (s *server) resources(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		switch r := req.(type) {
		case *sdk.ListResourcesRequest:
			return s.listResources(ctx, r)
		case *sdk.ReadResourceRequest:
			ctx = context.WithValue(ctx, asked{}, r.Params.URI)
			p := *r.Params
			p.URI = scheme // the one that the SDK knows without a pattern
			to := *r
			to.Params = &p
			return next(ctx, method, &to)
		}
		return next(ctx, method, req)
	}
}

// spacesPerPage is how many spaces a page of resources/list covers.
const spacesPerPage = 50

func (s *server) listResources(ctx context.Context, req *sdk.ListResourcesRequest) (*sdk.ListResourcesResult, error) {
	from := 0
	if req.Params != nil && req.Params.Cursor != "" {
		data, err := base64.RawURLEncoding.DecodeString(req.Params.Cursor)
		if err == nil {
			from, err = strconv.Atoi(string(data))
		}
		if err != nil || from < 0 {
			return nil, invalid(core.Errorf(core.CodeInvalid, "the cursor is none of this server's"))
		}
	}
	_, st, err := s.visible(ctx, "")
	if err != nil {
		return nil, invalid(err)
	}
	spaces := []string{}
	if own, err := s.who.Space(s.o.Space); err == nil {
		spaces = append(spaces, own)
	}
	for _, sp := range st.Spaces {
		if len(spaces) == 0 || sp.Space != spaces[0] {
			spaces = append(spaces, sp.Space)
		}
	}
	res := &sdk.ListResourcesResult{Resources: []*sdk.Resource{}}
	cacheable(ctx, req, &res.Cacheable)
	for i := min(from, len(spaces)); i < len(spaces); i++ {
		if i == from+spacesPerPage {
			res.NextCursor = base64.RawURLEncoding.EncodeToString([]byte(strconv.Itoa(i)))
			break
		}
		for _, k := range []struct{ kind, title, about string }{
			{kindRules, "Rules", "What must not be done."},
			{kindFacts, "Facts", "What is true now, rules first."},
			{kindEpisodes, "Latest records", "What was said last, newest first."},
		} {
			uri := handle{kind: k.kind, space: spaces[i]}.String()
			res.Resources = append(res.Resources, &sdk.Resource{
				URI: uri, Name: spaces[i] + "/" + k.kind, Title: k.title + " of " + spaces[i], Description: k.about, MIMEType: mimeJSON,
			})
		}
	}
	return res, nil
}

func (s *server) readResource(ctx context.Context, _ *sdk.ReadResourceRequest) (*sdk.ReadResourceResult, error) {
	uri, _ := ctx.Value(asked{}).(string)
	h, err := parseHandle(uri)
	if err != nil {
		return nil, sdk.ResourceNotFoundError(clipBytes(uri, 200))
	}
	p, _, err := s.read(ctx, h, MaxTokens-listMargin)
	if core.CodeOf(err) == core.CodeNotFound {
		return nil, sdk.ResourceNotFoundError(clipBytes(uri, 200))
	}
	if err != nil {
		return nil, invalid(err)
	}
	c := &sdk.ResourceContents{URI: uri, MIMEType: p.mime, Text: p.text, Meta: sdk.Meta{}}
	if p.more != "" {
		c.Meta["orma/more"] = p.more // the rest, in the place where text would spoil it
	}
	if p.mime == mimeText {
		c.Meta["orma/from"], c.Meta["orma/total"] = p.from, p.total
	}
	return &sdk.ReadResourceResult{Contents: []*sdk.ResourceContents{c}}, nil
}

// invalid makes an error of ours one of the protocol.
func invalid(err error) error {
	code := int64(jsonrpc.CodeInvalidParams)
	switch core.CodeOf(err) {
	case core.CodeInternal, core.CodeCorrupt, core.CodeBusy, core.CodeConfig, core.CodeUnavailable, core.CodeNewer:
		code = jsonrpc.CodeInternalError
	}
	return &jsonrpc.Error{Code: code, Message: describe(err)}
}
