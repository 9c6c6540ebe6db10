package mcp

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// lenient takes the arguments of tools as models write them: null for what is left
// out, and numbers in quotation marks.
func lenient(next sdk.MethodHandler) sdk.MethodHandler {
	return func(ctx context.Context, method string, req sdk.Request) (sdk.Result, error) {
		if call, ok := req.(*sdk.CallToolRequest); ok && call.Params != nil {
			call.Params.Arguments = repaired(call.Params.Arguments)
		}
		return next(ctx, method, req)
	}
}

// repaired returns arguments without nulls, and with numbers where numbers belong. What
// is no object is returned as it is: the schema refuses it.
func repaired(args json.RawMessage) json.RawMessage {
	var in map[string]json.RawMessage
	if json.Unmarshal(args, &in) != nil {
		return args
	}
	changed := false
	for name, value := range in {
		value = bytes.TrimSpace(value)
		if string(value) == "null" {
			delete(in, name)
			changed = true
			continue
		}
		if _, number := ranges[name]; !number {
			continue
		}
		s := string(value)
		_ = json.Unmarshal(value, &s) // a number is taken as it is written
		if f, err := strconv.ParseFloat(strings.TrimSpace(s), 64); err == nil && f == math.Trunc(f) && math.Abs(f) < 1<<53 {
			in[name] = json.RawMessage(strconv.FormatInt(int64(f), 10))
			changed = true
		}
	}
	if !changed {
		return args
	}
	out, err := json.Marshal(in)
	if err != nil {
		return args
	}
	return out
}
