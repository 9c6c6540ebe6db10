"""Makes the table of token vectors; see README.md."""

import argparse
import struct
import sys

import numpy as np
import scipy.sparse as sp

import glosses
from teacher import Teacher, unit

DIM = 256
SMOOTH = 1e-4  # a of the frequency weight a / (a + p)
RIDGE = 3.0
STEPS = 20
FIRST_WORD = 999  # ids below are reserved; from it on the vocabulary is ordered by frequency


def frequency_weights(tokens):
    """a / (a + p) with p after Zipf. Reserved tokens count as the most frequent."""
    rank = np.maximum(np.arange(tokens) - FIRST_WORD, 0) + 1
    p = 1 / rank
    return (SMOOTH / (SMOOTH + p / p[FIRST_WORD:].sum())).astype(np.float32)


def main_directions(vectors, dim, sample=12000):
    """A projection to the dim directions in which the centred vectors vary most."""
    return np.linalg.svd(vectors[:sample], full_matrices=False)[2][:dim].T


def sums(ids, weights):
    """A sparse matrix that takes token rows to text vectors: weighted sums over the root of the length."""
    lengths = np.array([max(1, len(x)) for x in ids])
    rows = np.repeat(np.arange(len(ids)), [len(x) for x in ids])
    cols = np.concatenate([np.asarray(x, np.int64) for x in ids])
    values = weights[cols] / np.sqrt(lengths[rows])
    return sp.csr_matrix((values, (rows, cols)), shape=(len(ids), len(weights)), dtype=np.float32)


def refine(a, target, start):
    """Minimizes |a x - target|² + RIDGE |x - start|² for each column, by conjugate gradient."""
    x = start.copy()
    residual = a.T @ (target - a @ x)
    direction = residual.copy()
    size = (residual * residual).sum(0)
    for _ in range(STEPS):
        image = a.T @ (a @ direction) + RIDGE * direction
        step = size / np.maximum((direction * image).sum(0), 1e-12)
        x += step * direction
        residual -= step * image
        new = (residual * residual).sum(0)
        direction = residual + new / np.maximum(size, 1e-12) * direction
        size = new
    return x


def write(path, table):
    """int8 rows with a scale each."""
    scale = np.maximum(np.abs(table).max(1), 1e-12) / 127
    q = np.clip(np.rint(table / scale[:, None]), -127, 127).astype(np.int8)
    with open(path, "wb") as f:
        f.write(struct.pack("<II", *table.shape))
        f.write(scale.astype("<f4").tobytes())
        f.write(q.tobytes())


def fit(a, table, target):
    """The mean cosine between what the table gives and what it should."""
    return float((unit(a @ table) * unit(target)).sum(1).mean())


def main():
    p = argparse.ArgumentParser(description=__doc__)
    p.add_argument("--model", required=True, help="folder with model.safetensors and vocab.txt")
    p.add_argument("--wordnet", default="/usr/share/wordnet")
    p.add_argument("--texts", type=int, default=70000)
    p.add_argument("--out", default="table.bin")
    args = p.parse_args()

    def report(what):
        return lambda done, of: print(f"\r{what}: {done} of {of}", end="\n" if done == of else "", file=sys.stderr)

    teacher = Teacher(args.model)
    tokens = teacher.tokenizer.get_vocab_size()
    alone = teacher.embed([[i] for i in range(tokens)], report=report("tokens"))
    ids = [x for x in teacher.tokenize(glosses.read(args.wordnet, args.texts)) if x]
    whole = teacher.embed(ids, report=report("texts"))

    whole -= whole.mean(0)
    project = main_directions(whole, DIM)
    target = (whole @ project).astype(np.float32)
    start = ((alone - alone.mean(0)) @ project).astype(np.float32)
    weights = frequency_weights(tokens)
    a = sums(ids, weights)
    first = a @ start
    start *= (first * target).sum() / (first * first).sum()
    table = refine(a, target, start)
    print(f"mean cosine to the model: {fit(a, start, target):.4f} at first, {fit(a, table, target):.4f} refined")
    write(args.out, table * weights[:, None])


if __name__ == "__main__":
    main()
