"""An Orma plugin: embeds with a sentence model in ONNX Runtime.

The folder model/ beside it holds model.onnx, tokenizer.json and model.json, as prepare.py
makes them.
"""

import hashlib
import json
import pathlib
import sys

import orma_plugin

FOLDER = pathlib.Path(sys.argv[0]).resolve().parent / "model"
BATCH = 16


def describe():
    """What the model is. Another model is another version: their vectors do not compare."""
    try:
        about = json.loads((FOLDER / "model.json").read_text(encoding="utf-8"))
        digest = hashlib.sha256()
        for name in ("model.onnx", "tokenizer.json", "model.json"):
            with open(FOLDER / name, "rb") as file:
                while part := file.read(1 << 20):
                    digest.update(part)
    except OSError as err:
        sys.exit(f"{err}; prepare.py makes it")
    return about, digest.hexdigest()[:12]


class SentenceModel:
    concurrent = True  # sessions of ONNX Runtime may be used by several threads

    def __init__(self):
        self.about, digest = describe()
        self.manifest = {
            "name": "sentence_model",
            "version": "1.0.0+" + digest,
            "contract": "embed",
            "summary": "Embed with a sentence model in ONNX Runtime",
            "doc": "The model in the plugin's folder: " + self.about["name"] + ".",
            "dim": self.about["dim"],
            "params": [
                {"name": "threads", "kind": "number", "doc": "threads of a call", "default": 1, "min": 1, "max": 64},
                {"name": "max_tokens", "kind": "number", "doc": "what of a text is read", "default": 256, "min": 8, "max": 512},
            ],
        }

    def configure(self, params):
        # They take a second to load, which asking for the manifest need not wait for.
        import numpy
        import onnxruntime
        from tokenizers import Tokenizer

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = int(params["threads"])
        options.inter_op_num_threads = 1
        options.log_severity_level = 3
        self.np = numpy
        self.session = onnxruntime.InferenceSession(str(FOLDER / "model.onnx"), options, providers=["CPUExecutionProvider"])
        self.tokenizer = Tokenizer.from_file(str(FOLDER / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.enable_truncation(min(int(params["max_tokens"]), self.about["max_tokens"]))

    def embed(self, texts, query):
        np = self.np
        prefix = self.about.get("query" if query else "passage", "")
        encoded = self.tokenizer.encode_batch([prefix + t.replace("\x00", " ") for t in texts])
        out = np.zeros((len(texts), self.about["dim"]), dtype=np.float32)
        # Texts of one length go together: without padding a text's vector does not depend
        # on its neighbours.
        by_length = {}
        for i, e in enumerate(encoded):
            by_length.setdefault(len(e.ids), []).append(i)
        for rows in by_length.values():
            for at in range(0, len(rows), BATCH):
                part = rows[at:at + BATCH]
                ids = np.array([encoded[i].ids for i in part], dtype=np.int64)
                hidden = self.session.run(None, {"input_ids": ids, "position_ids": np.arange(ids.shape[1])})[0]
                pooled = hidden[:, 0] if self.about["pooling"] == "cls" else hidden.mean(axis=1)
                norm = np.linalg.norm(pooled, axis=1, keepdims=True)
                out[part] = pooled / np.maximum(norm, 1e-12)
        return out


if __name__ == "__main__":
    orma_plugin.serve(SentenceModel())
