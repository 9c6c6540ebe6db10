//go:build ignore

// Gen turns a .tiktoken file, one "base64 rank" a line in the order of ranks, into
// vocab.bin: deflated, one length byte and the bytes of each token.
//
//	go run gen.go o200k_base.tiktoken vocab.bin
package main

import (
	"bufio"
	"bytes"
	"compress/flate"
	"encoding/base64"
	"fmt"
	"log"
	"os"
	"strings"
)

func main() {
	if err := run(os.Args[1], os.Args[2]); err != nil {
		log.Fatal(err)
	}
}

func run(from, to string) error {
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	var out bytes.Buffer
	w, err := flate.NewWriter(&out, flate.BestCompression)
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(in)
	for n := 0; lines.Scan(); n++ {
		word, rank, _ := strings.Cut(lines.Text(), " ")
		token, err := base64.StdEncoding.DecodeString(word)
		if err != nil {
			return err
		}
		if rank != fmt.Sprint(n) || len(token) == 0 || len(token) > 255 {
			return fmt.Errorf("line %d: rank %s, %d bytes", n+1, rank, len(token))
		}
		if _, err := w.Write(append([]byte{byte(len(token))}, token...)); err != nil {
			return err
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(to, out.Bytes(), 0o644)
}
