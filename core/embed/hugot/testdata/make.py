"""Makes the models in this folder: pip install onnx numpy tokenizers; python3 make.py

Each token's vector is a row of a small table, so that a test can tell what must come out. "mean" gives
a vector for each token; "pooled" gives their mean, which stands for a model that pools by itself.
"""

import json
import os

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from tokenizers import BertWordPieceTokenizer

WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "red", "blue", "cat", "dog", "##s", ".", "the", "runs"]
DIM = 8
TABLE = np.array([[(7 * i + 3 * j) % 11 - 5 for j in range(DIM)] for i in range(len(WORDS))], np.float32)


def model(pooled):
    ids = ["input_ids", "attention_mask", "token_type_ids"]
    inputs = [helper.make_tensor_value_info(n, TensorProto.INT64, ["batch", "sequence"]) for n in ids]
    nodes = [helper.make_node("Gather", ["table", "input_ids"], ["tokens"])]
    if pooled:
        nodes += [
            helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
            helper.make_node("Unsqueeze", ["mask", "last"], ["wide"]),
            helper.make_node("Mul", ["tokens", "wide"], ["masked"]),
            helper.make_node("ReduceMean", ["masked"], ["sentence_embedding"], axes=[1], keepdims=0),
        ]
        output = helper.make_tensor_value_info("sentence_embedding", TensorProto.FLOAT, ["batch", DIM])
    else:
        nodes.append(helper.make_node("Identity", ["tokens"], ["last_hidden_state"]))
        output = helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "sequence", DIM])
    weights = [
        numpy_helper.from_array(TABLE, "table"),
        numpy_helper.from_array(np.array([2], np.int64), "last"),
    ]
    graph = helper.make_graph(nodes, "toy", inputs, [output], weights if pooled else weights[:1])
    m = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], producer_name="toy")
    m.ir_version = 8
    onnx.checker.check_model(m)
    return m


for name in ("mean", "pooled"):
    os.makedirs(os.path.join(name, "1_Pooling"), exist_ok=True)
    onnx.save(model(name == "pooled"), os.path.join(name, "model.onnx"))
    with open("vocab.tmp", "w", encoding="utf-8") as f:
        f.write("\n".join(WORDS))
    BertWordPieceTokenizer("vocab.tmp", lowercase=True).save(os.path.join(name, "tokenizer.json"))
    os.remove("vocab.tmp")
    for file, content in {
        "config.json": {"model_type": "bert", "hidden_size": DIM, "max_position_embeddings": 16, "pad_token_id": 0},
        "1_Pooling/config.json": {"pooling_mode_mean_tokens": name == "mean", "pooling_mode_cls_token": name != "mean"},
        "tokenizer_config.json": {"do_lower_case": True},
        "special_tokens_map.json": {"pad_token": "[PAD]", "unk_token": "[UNK]", "cls_token": "[CLS]", "sep_token": "[SEP]"},
    }.items():
        with open(os.path.join(name, file), "w", encoding="utf-8") as f:
            json.dump(content, f, indent=1)
            f.write("\n")
