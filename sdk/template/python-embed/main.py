"""An Orma plugin: embeds a text by its runs of bytes."""

import math
import zlib

import orma_plugin

DIM = 256


class MyRanker:
    concurrent = True  # calls share nothing
    manifest = {
        "name": "my_ranker",
        "version": "0.1.0",
        "contract": "embed",
        "dim": DIM,
        "summary": "Embed a text by its runs of bytes",
        "doc": "Each run of bytes is hashed to one of 256 values, which counts it. The vector has length 1.",
        "params": [
            {"name": "run", "kind": "number", "doc": "bytes of a run", "default": 3, "min": 1, "max": 16},
        ],
    }

    def configure(self, params):
        self.run = int(params["run"])

    def embed(self, texts, query):
        return [self.vector(text) for text in texts]

    def vector(self, text):
        data = (" " + " ".join(text.lower().split()) + " ").encode()
        out = [0.0] * DIM
        for i in range(len(data) - self.run + 1):
            out[zlib.crc32(data[i:i + self.run]) % DIM] += 1
        length = math.sqrt(sum(v * v for v in out))
        return [v / length for v in out] if length else out  # zeros where there is nothing to embed


if __name__ == "__main__":
    orma_plugin.serve(MyRanker())
