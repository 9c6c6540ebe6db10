module github.com/orma-memory/orma

go 1.26
