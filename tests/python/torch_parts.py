# SPDX-License-Identifier: Apache-2.0
"""What the tests of systems need of PyTorch: its own layers, filled with the numbers of a document."""
import copy
import json
import math
import os
import subprocess

import torch
from torch.nn import functional as F
from torch.nn.utils.stateless import functional_call

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.join(ROOT, "build", "bin", "attend64")


def run(document):
    """What attend64 says to a document; its error, where it refuses."""
    done = subprocess.run([TOOL, "run", "-"], input=json.dumps(document), capture_output=True, text=True, timeout=60)
    return json.loads(done.stdout or done.stderr)


def system(name):
    with open(os.path.join(ROOT, "systems", name + ".json"), encoding="utf-8") as file:
        return json.load(file)["document"]


def tensor(x):
    return {"shape": list(x.shape), "data": x.detach().reshape(-1).tolist()}


def drawn(generator, shape, name=""):
    uniform = torch.rand(tuple(shape), dtype=torch.float64, generator=generator)
    return uniform if name.split(".")[-1].startswith("u_") else uniform * 1.2 - 0.6  # u_...: draws in [0, 1)


def with_explicit_numbers(document, seed=1):
    """The document with every feature, pixel and parameter given, and the same numbers as PyTorch's leaves."""
    document, generator = copy.deepcopy(document), torch.Generator().manual_seed(seed)
    inputs, fixed = {}, document.get("parameters", {})
    classes = [module.get("inputs", {}).get("target") for module in document.get("model", [])
               if module["type"] == "cross-entropy"]
    for name, source in document["inputs"].items():
        if "features" in source:
            x = drawn(generator, (len(source["tokens"]), source["features"]["dim"]))
            source["features"] = {"type": "matrix", "matrix": x.tolist()}
        elif "data" in source and name not in classes:
            x = drawn(generator, source["shape"])
            source["data"] = x.reshape(-1).tolist()
        else:
            continue
        inputs[name] = x.requires_grad_()
    shapes = {name: value["shape"] for name, value in run(document)["parameters"].items()}
    drawn_by_us = {name: shape for name, shape in shapes.items() if name not in fixed}
    parameters = {name: drawn(generator, shape, name).requires_grad_() for name, shape in drawn_by_us.items()}
    document["parameters"] = {**fixed, **{name: tensor(value) for name, value in parameters.items()}}
    return document, inputs, parameters


def cotangent(shape):
    """The same uneven numbers on both sides, so that no sum hides a wrong place."""
    return torch.tensor([math.sin(1 + i) for i in range(math.prod(shape))], dtype=torch.float64).reshape(shape)


def nested(x):
    return x.tolist()


def places(tokens, vocabulary=None):
    words = vocabulary or ["<start>", "<end>", "<unknown>"]
    for word in tokens if vocabulary is None else []:
        if word not in words:
            words = [*words, word]
    return torch.tensor([words.index(word) for word in tokens])


def below(parameters, prefix):
    """The parameters of one module, without its name."""
    return {name[len(prefix) + 1:]: value for name, value in parameters.items() if name.startswith(prefix + ".")}


def cell_weights(cell, suffix=""):
    """Our cell [dx 4dh] in PyTorch's names; an LSTM of ours has one bias where PyTorch adds two."""
    return {"weight_ih" + suffix: cell["W"].T, "weight_hh" + suffix: cell["U"].T,
            "bias_ih" + suffix: cell["b"], "bias_hh" + suffix: cell.get("c", torch.zeros_like(cell["b"]))}


def recurrent(kind, x, forward, backward=None):
    """torch.nn.GRU or LSTM over the rows: their states, and the last one (of both directions, side by side)."""
    hidden = forward["U"].shape[0]
    layer = kind(x.shape[1], hidden, bidirectional=backward is not None).double()
    weights = cell_weights(forward, "_l0")
    if backward is not None:
        weights.update(cell_weights(backward, "_l0_reverse"))
    for name, value in weights.items():  # the layer keeps a list of its weights beside their names
        delattr(layer, name)
        setattr(layer, name, value)
    layer._flat_weights = list(weights.values())
    states, last = layer(x)
    return states, (last[0] if isinstance(last, tuple) else last).reshape(1, -1)


def step(kind, cell, x, state):
    """One step of torch.nn.GRUCell or LSTMCell."""
    unit = kind(x.shape[1], cell["U"].shape[0]).double()
    return functional_call(unit, cell_weights(cell), (x, state))


def read_on(cell, rows, state=None):
    """torch.nn.LSTMCell from row to row, from a state (h, c) or from zeros: all h, and the last state."""
    state = state or (torch.zeros(1, cell["U"].shape[0], dtype=torch.float64),) * 2
    seen = []
    for row in rows:
        state = step(torch.nn.LSTMCell, cell, row[None], state)
        seen.append(state[0])
    return torch.cat(seen), state


def heads_weights(p):
    """Our heads [h d p] as torch.nn.MultiheadAttention has them; biases that a document lacks are zero."""
    count, width, _ = p["heads.W_Q"].shape
    flat = [p["heads.W_" + x].permute(0, 2, 1).reshape(-1, width) for x in "QKV"]
    zero = torch.zeros(width, dtype=torch.float64)
    biases = [p["heads.b_" + x].reshape(-1) if "heads.b_" + x in p else zero for x in "QKV"]
    return count, {"in_proj_weight": torch.cat(flat), "in_proj_bias": torch.cat(biases),
                   "out_proj.weight": p["heads.W_O"].T, "out_proj.bias": p.get("heads.b_O", zero)}


def multi_head(p, query, key, mask=None):
    count, weights = heads_weights(p)
    layer = torch.nn.MultiheadAttention(query.shape[1], count).double()
    return functional_call(layer, weights, (query, key, key), {"attn_mask": mask})[0]


def prefixed(prefix, parameters):
    return {prefix + name: value for name, value in parameters.items()}


def norm_weights(name, p):
    return {name + ".weight": p["gamma"], name + ".bias": p["beta"]}


def ffn_weights(p):
    return {"linear1.weight": p["W1"].T, "linear1.bias": p["b1"], "linear2.weight": p["W2"].T, "linear2.bias": p["b2"]}


def encoder_layer(attention, ffn, x, act="relu", norm_first=False, mask=None):
    """torch.nn.TransformerEncoderLayer on the rows x."""
    count, weights = heads_weights(attention)
    given = {**prefixed("self_attn.", weights), **ffn_weights(ffn), **norm_weights("norm2", ffn),
             **norm_weights("norm1", below(attention, "output"))}
    layer = torch.nn.TransformerEncoderLayer(x.shape[1], count, ffn["W1"].shape[1], dropout=0.0, activation=act,
                                             norm_first=norm_first).double()
    return functional_call(layer, given, (x.unsqueeze(1),), {"src_mask": mask}).squeeze(1)


def decoder_layer(own, cross, ffn, y, memory):
    """torch.nn.TransformerDecoderLayer, causal."""
    count, weights = heads_weights(own)
    given = {**prefixed("self_attn.", weights), **prefixed("multihead_attn.", heads_weights(cross)[1]),
             **ffn_weights(ffn), **norm_weights("norm1", below(own, "output")),
             **norm_weights("norm2", below(cross, "output")), **norm_weights("norm3", ffn)}
    layer = torch.nn.TransformerDecoderLayer(y.shape[1], count, ffn["W1"].shape[1], dropout=0.0).double()
    return functional_call(layer, given, (y.unsqueeze(1), memory.unsqueeze(1)),
                           {"tgt_mask": causal(len(y))}).squeeze(1)


def causal(n):
    return torch.full((n, n), -math.inf, dtype=torch.float64).triu(1)


def sinusoids(n, d):
    """Section 3.5 of Vaswani et al. 2017: sine at even, cosine at odd columns."""
    rows, columns = torch.arange(n, dtype=torch.float64), torch.arange(0, d, 2, dtype=torch.float64)
    angles = rows[:, None] / 10000 ** (columns / d)
    return torch.stack([angles.sin(), angles.cos()], 2).reshape(n, -1)[:, :d]


def linear(p, x):
    return F.linear(x, p["W_c"].T, p["b_c"])

