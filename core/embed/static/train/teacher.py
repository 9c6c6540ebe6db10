"""all-MiniLM-L6-v2 in numpy: mean-pooled, normalized sentence vectors."""

import os

import numpy as np
from safetensors.numpy import load_file
from scipy.special import erf
from tokenizers import BertWordPieceTokenizer

CLS, SEP = 101, 102
LONGEST = 254  # tokens of a text, without CLS and SEP


class Teacher:
    """The model in a folder with model.safetensors and vocab.txt."""

    def __init__(self, folder, heads=12):
        self.w = load_file(os.path.join(folder, "model.safetensors"))
        self.tokenizer = BertWordPieceTokenizer(os.path.join(folder, "vocab.txt"), lowercase=True)
        self.heads = heads
        self.layers = 1 + max(int(k.split(".")[2]) for k in self.w if k.startswith("encoder.layer."))

    def tokenize(self, texts):
        """The ids of each text, without special tokens."""
        return [e.ids for e in self.tokenizer.encode_batch(texts, add_special_tokens=False)]

    def embed(self, ids, batch=64, report=None):
        """One vector for each list of ids. Lists of one length run together, so nothing is padded."""
        out = np.zeros((len(ids), self.w["embeddings.LayerNorm.weight"].shape[0]), np.float32)
        by_length = {}
        for i, x in enumerate(ids):
            by_length.setdefault(min(len(x), LONGEST), []).append(i)
        done = 0
        for length, rows in sorted(by_length.items()):
            for start in range(0, len(rows), batch):
                part = rows[start : start + batch]
                out[part] = self._forward(np.array([[CLS, *ids[i][:length], SEP] for i in part]))
                done += len(part)
                if report:
                    report(done, len(ids))
        return out

    def _forward(self, ids):
        w, n = self.w, ids.shape[1]
        x = w["embeddings.word_embeddings.weight"][ids]
        x = x + w["embeddings.position_embeddings.weight"][:n] + w["embeddings.token_type_embeddings.weight"][0]
        x = self._norm(x, "embeddings.LayerNorm")
        for i in range(self.layers):
            p = f"encoder.layer.{i}."
            a = self._linear(self._attention(x, p + "attention.self."), p + "attention.output.dense")
            x = self._norm(x + a, p + "attention.output.LayerNorm")
            h = self._linear(x, p + "intermediate.dense")
            h = h * 0.5 * (1 + erf(h / np.sqrt(2, dtype=np.float32)))
            x = self._norm(x + self._linear(h, p + "output.dense"), p + "output.LayerNorm")
        return unit(x.mean(1))

    def _attention(self, x, p):
        b, n, d = x.shape
        q, k, v = (
            self._linear(x, p + name).reshape(b, n, self.heads, d // self.heads).transpose(0, 2, 1, 3)
            for name in ("query", "key", "value")
        )
        s = q @ k.transpose(0, 1, 3, 2) / np.sqrt(np.float32(d // self.heads))
        s = np.exp(s - s.max(-1, keepdims=True))
        return (s / s.sum(-1, keepdims=True) @ v).transpose(0, 2, 1, 3).reshape(b, n, d)

    def _linear(self, x, name):
        return x @ self.w[name + ".weight"].T + self.w[name + ".bias"]

    def _norm(self, x, name):
        x = x - x.mean(-1, keepdims=True)
        x = x / np.sqrt((x * x).mean(-1, keepdims=True) + np.float32(1e-12))
        return x * self.w[name + ".weight"] + self.w[name + ".bias"]


def unit(x):
    """The rows of x at length 1; zero rows stay zero."""
    return x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-12)
