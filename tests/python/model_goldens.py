#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/experiment/model_goldens.json: models as documents, and what PyTorch's own GRU, GRUCell,
TransformerEncoderLayer and TransformerDecoderLayer make of the same numbers in double, with all gradients."""
import json
import os

import torch
from torch.nn.utils.stateless import functional_call

HERE = os.path.dirname(os.path.abspath(__file__))
PLACE = os.path.join(HERE, os.pardir, "experiment", "model_goldens.json")
SOURCE = ["I", "love", "you", "and", "you"]
TARGET = ["je", "t'", "aime", "<end>"]
SCHEMA = "attention-playground/1"


def tensor(x):
    return {"shape": list(x.shape), "data": x.detach().reshape(-1).tolist()}


def leaf(*shape):
    return (torch.rand(*shape, dtype=torch.float64) * 1.2 - 0.6).requires_grad_()


def words_of(tokens):
    return ["<start>", "<end>", "<unknown>"] + [w for i, w in enumerate(tokens) if w not in tokens[:i] and w != "<end>"]


def gru(width, hidden):
    return {"W": leaf(width, 3 * hidden), "U": leaf(hidden, 3 * hidden), "b": leaf(3 * hidden), "c": leaf(3 * hidden)}


def theirs(cell, suffix):
    return {"weight_ih" + suffix: cell["W"].T, "weight_hh" + suffix: cell["U"].T,
            "bias_ih" + suffix: cell["b"], "bias_hh" + suffix: cell["c"]}


def rnnsearch():
    e, dh, ds, a = 5, 3, 4, 6
    source_words, target_words = words_of(SOURCE), words_of(TARGET)
    p = {"embedding.E": leaf(len(source_words), e), "decoder.E": leaf(len(target_words), e)}
    forward, backward, cell = gru(e, dh), gru(e, dh), gru(e + 2 * dh, ds)
    for name, one in {"encoder.forward": forward, "encoder.backward": backward, "decoder.cell": cell}.items():
        p.update({name + "." + key: value for key, value in one.items()})
    p.update({"decoder.W_0": leaf(2 * dh, ds), "decoder.b_0": leaf(ds),
              "decoder.attention.score.W1": leaf(ds, a), "decoder.attention.score.W2": leaf(2 * dh, a),
              "decoder.attention.score.b": leaf(a), "decoder.attention.score.w": leaf(a),
              "decoder.W_c": leaf(ds + 2 * dh, len(target_words)), "decoder.b_c": leaf(len(target_words))})
    places = [source_words.index(w) for w in SOURCE]
    encoder = torch.nn.GRU(e, dh, bidirectional=True).double()
    # A GRU keeps a list of its weights beside their names.
    weights = {**theirs(forward, "_l0"), **theirs(backward, "_l0_reverse")}
    for key, value in weights.items():
        delattr(encoder, key)
        setattr(encoder, key, value)
    encoder._flat_weights = list(weights.values())
    states, last = encoder(p["embedding.E"][places])
    unit = torch.nn.GRUCell(e + 2 * dh, ds).double()
    s = torch.tanh(last.reshape(1, -1) @ p["decoder.W_0"] + p["decoder.b_0"])
    before = [0] + [target_words.index(w) for w in TARGET[:-1]]
    weights, logits = [], []
    for place in before:
        inner = torch.tanh(s @ p["decoder.attention.score.W1"] + states @ p["decoder.attention.score.W2"]
                           + p["decoder.attention.score.b"])
        alpha = torch.softmax(inner @ p["decoder.attention.score.w"], 0)
        context = (alpha @ states).reshape(1, -1)
        x = torch.cat([p["decoder.E"][place].reshape(1, -1), context], 1)
        s = functional_call(unit, theirs(cell, ""), (x, s))
        weights.append(alpha)
        logits.append(torch.cat([s, context], 1) @ p["decoder.W_c"] + p["decoder.b_c"])
    weights, logits = torch.stack(weights), torch.cat(logits)
    loss = torch.nn.functional.cross_entropy(logits, torch.tensor([target_words.index(w) for w in TARGET]))
    loss.backward()
    model = [
        {"name": "embedding", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": e},
        {"name": "encoder", "type": "fm-birnn", "inputs": {"x": "embedding"}, "hidden": dh},
        {"name": "decoder", "type": "om-decoder", "hidden": ds, "dim": e,
         "inputs": {"memory": "encoder", "target": "target", "initial": "encoder.last"},
         "attention": {"score": {"type": "additive", "hidden": a}}},
        {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "decoder.logits", "target": "target"}}]
    inputs = {"source": {"tokens": SOURCE}, "target": {"tokens": TARGET}}
    return golden("RNNsearch", inputs, model, p, {"decoder.weights": weights, "decoder.logits": logits, "loss": loss})


D, HEADS, FF = 6, 2, 10


def attention(name, p):
    """Parameters of one multi-head attention of ours, and what PyTorch calls them."""
    width = D // HEADS
    ours = {f"{name}.heads.{w}": leaf(HEADS, D, width) for w in ("W_Q", "W_K", "W_V")}
    ours.update({f"{name}.heads.{b}": leaf(HEADS, width) for b in ("b_Q", "b_K", "b_V")})
    ours.update({f"{name}.heads.W_O": leaf(D, D), f"{name}.heads.b_O": leaf(D),
                 f"{name}.output.gamma": leaf(D), f"{name}.output.beta": leaf(D)})
    p.update(ours)
    stacked = [ours[f"{name}.heads.W_{x}"].permute(0, 2, 1).reshape(D, D) for x in "QKV"]
    return {"in_proj_weight": torch.cat(stacked),
            "in_proj_bias": torch.cat([ours[f"{name}.heads.b_{x}"].reshape(D) for x in "QKV"]),
            "out_proj.weight": ours[f"{name}.heads.W_O"].T, "out_proj.bias": ours[f"{name}.heads.b_O"]}


def feed_forward(name, p):
    ours = {"W1": leaf(D, FF), "b1": leaf(FF), "W2": leaf(FF, D), "b2": leaf(D), "gamma": leaf(D), "beta": leaf(D)}
    p.update({f"{name}.{key}": value for key, value in ours.items()})
    return {"linear1.weight": ours["W1"].T, "linear1.bias": ours["b1"],
            "linear2.weight": ours["W2"].T, "linear2.bias": ours["b2"]}


def norms(names, p):
    return {f"norm{i + 1}.{theirs_}": p[f"{name}.{ours}"] for i, name in enumerate(names)
            for theirs_, ours in (("weight", "gamma"), ("bias", "beta"))}


def prefixed(prefix, parameters):
    return {prefix + key: value for key, value in parameters.items()}


def transformer():
    p, model = {}, []
    source, target = leaf(5, D), leaf(4, D)
    heads = {"type": "multi-head", "count": HEADS, "bias": True}
    x, before = source, "source"
    for k in (1, 2):
        at, ff = f"encoder-attention-{k}", f"encoder-ffn-{k}"
        parameters = {**prefixed("self_attn.", attention(at, p)), **feed_forward(ff, p)}
        parameters.update(norms([at + ".output", ff], p))
        layer = torch.nn.TransformerEncoderLayer(D, HEADS, FF, dropout=0.0).double()
        x = functional_call(layer, parameters, (x.unsqueeze(1),)).squeeze(1)
        model += [{"name": at, "type": "attention", "inputs": {"x": before}, "query": "self-attention",
                   "heads": heads, "output": "selfatt-residual"},
                  {"name": ff, "type": "om-ffn", "inputs": {"x": at}, "hidden": FF}]
        before = ff
    memory, memory_name, y, before = x, before, target, "target"
    causal = torch.full((4, 4), float("-inf"), dtype=torch.float64).triu(1)
    for k in (1, 2):
        own, cross, ff = f"decoder-attention-{k}", f"cross-attention-{k}", f"decoder-ffn-{k}"
        parameters = {**prefixed("self_attn.", attention(own, p)), **prefixed("multihead_attn.", attention(cross, p)),
                      **feed_forward(ff, p)}
        parameters.update(norms([own + ".output", cross + ".output", ff], p))
        layer = torch.nn.TransformerDecoderLayer(D, HEADS, FF, dropout=0.0).double()
        y = functional_call(layer, parameters, (y.unsqueeze(1), memory.unsqueeze(1)), {"tgt_mask": causal}).squeeze(1)
        model += [{"name": own, "type": "attention", "inputs": {"x": before}, "query": "self-attention",
                   "mask": ["mask-causal"], "heads": heads, "output": "selfatt-residual"},
                  {"name": cross, "type": "attention", 
                   "inputs": {"query": own, "key": memory_name, "value": memory_name},
                   "heads": heads, "output": "selfatt-residual"},
                  {"name": ff, "type": "om-ffn", "inputs": {"x": cross}, "hidden": FF}]
        before = ff
    p["W_c"], p["b_c"] = leaf(D, 3), leaf(3)
    logits = y @ p["W_c"] + p["b_c"]
    for key in ("W_c", "b_c"):
        p["classes." + key] = p.pop(key)
    loss = torch.nn.functional.cross_entropy(logits, torch.tensor([2, 0, 1, 1]))
    loss.backward()
    model += [{"name": "classes", "type": "om-softmax", "inputs": {"x": before}},
              {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "classes.logits", "target": "right"}}]
    inputs = {"source": tensor(source), "target": tensor(target), "right": {"shape": [4, 1], "data": [2, 0, 1, 1]}}
    p.update({"inputs.source": source, "inputs.target": target})
    return golden("Transformer, 2 + 2 layers", inputs, model, p,
                  {"classes.logits": logits, "encoder-ffn-2.output": memory, "loss": loss})


def golden(title, inputs, model, parameters, outputs):
    given = {name: tensor(value) for name, value in parameters.items() if not name.startswith("inputs.")}
    return {"document": {"schema": SCHEMA, "title": title, "inputs": inputs, "model": model, "parameters": given,
                         "outputs": list(outputs), "gradient": {"of": "loss"}},
            "outputs": {name: tensor(value) for name, value in outputs.items()},
            "gradients": {name: tensor(value.grad) for name, value in parameters.items()}}


if __name__ == "__main__":
    torch.manual_seed(3)
    with open(PLACE, "w", encoding="utf-8") as file:
        json.dump([rnnsearch(), transformer()], file)
        file.write("\n")
