# SPDX-License-Identifier: Apache-2.0
"""Blocks of today against their formulas in NumPy, every number given. Run by pytest."""
import math

import numpy as np
import pytest
from judge import Draw, sigmoid
from judge_blocks_today import (D, N, P, attended, causal, ffn_parameters, gated, head_parameters, heads_of,
                                held, joined, layer, mlp, rms, rotated)
from judge_scores import ACTS


def block_held(x, block, w, ffn, norms, weights, y, attention=()):
    parameters = {"attention.heads." + name: value for name, value in w.items()}
    parameters |= {"ffn." + name: value for name, value in ffn.items()}
    parameters |= dict(norms) | {"attention." + name: value for name, value in dict(attention).items()}
    held({"type": "transformer-block", **block}, {"x": x}, parameters, {"output": y, "attention.weights": weights})


def test_a_block_of_llama():
    draw = Draw(10)
    x, w, f = draw(N, D), head_parameters(draw, 4, 2), ffn_parameters(draw, D, 6)
    f = {name: value for name, value in f.items() if name.startswith("W")}
    g1, g2 = draw(D), draw(D)
    a, att = heads_of(rms(x, g1), w, rotated, causal(N))
    y = x + att
    y = y + gated(rms(y, g2), f)[1]
    block_held(x, {"attention": {"heads": {"type": "grouped-query", "count": 4}, "position": "pos-rope",
                                 "mask": "mask-causal"}}, w, f, {"norm1.gamma": g1, "norm2.gamma": g2}, a, y)


def test_a_block_of_qwen3():
    draw = Draw(11)
    x, w, f = draw(N, D), head_parameters(draw, 4, 2), ffn_parameters(draw, D, 6)
    g1, g2, gammas = draw(D), draw(D), (draw(P), draw(P))
    a, att = heads_of(rms(x, g1), w, rotated, causal(N), norm=gammas)
    y = x + att
    y = y + gated(rms(y, g2), f)[1]
    block_held(x, {"attention": {"heads": {"type": "grouped-query", "count": 4}, "qk": "qk-norm",
                                 "position": "pos-rope", "mask": "mask-causal"}},
               w, f, {"norm1.gamma": g1, "norm2.gamma": g2}, a, y,
               {"qk.gamma_Q": gammas[0], "qk.gamma_K": gammas[1]})


def test_a_block_of_gemma_2():
    draw = Draw(12)
    x, w, f = draw(N, D), head_parameters(draw, 4, 2), ffn_parameters(draw, D, 6)
    g = [draw(D) for _ in range(4)]
    a, att = heads_of(rms(x, g[0], offset=1), w, rotated, causal(N))
    y = x + rms(att, g[1], offset=1)
    y = y + rms(gated(rms(y, g[2], offset=1), f, "gelu-tanh")[1], g[3], offset=1)
    block_held(x, {"order": "sandwich", "offset": 1, "ffn": {"type": "swiglu", "act": "gelu-tanh"},
                   "attention": {"heads": {"type": "grouped-query", "count": 4}, "position": "pos-rope",
                                 "mask": "mask-causal"}},
               w, f, {f"norm{k + 1}.gamma": one for k, one in enumerate(g)}, a, y)


def test_a_block_of_gpt_neox():
    draw = Draw(13)
    x, w = draw(N, D), head_parameters(draw, 2, 2, p=8, bias=True)
    f = {"W1": draw(D, 7), "b1": draw(7), "W2": draw(7, D), "b2": draw(D)}
    g1, b1, g2, b2 = draw(D), draw(D), draw(D), draw(D)
    a, att = heads_of(layer(x, g1, b1), w, lambda rows: rotated(rows, 2), causal(N))
    y = x + att + mlp(layer(x, g2, b2), f, "gelu")
    block_held(x, {"order": "parallel", "norm": "layer", "ffn": "mlp",
                   "attention": {"heads": {"type": "multi-head", "count": 2, "bias": True},
                                 "position": {"type": "pos-rope", "fraction": 0.25}, "mask": "mask-causal"}},
               w, f, {"norm1.gamma": g1, "norm1.beta": b1, "norm2.gamma": g2, "norm2.beta": b2}, a, y)


def test_a_block_of_phi():
    draw = Draw(14)
    x, w = draw(N, D), head_parameters(draw, 2, 2, p=4, bias=True)
    f = {"W1": draw(D, 7), "b1": draw(7), "W2": draw(7, D), "b2": draw(D)}
    g, b = draw(D), draw(D)
    rows = layer(x, g, b)
    a, att = heads_of(rows, w, lambda rows: rotated(rows, 2), causal(N))
    y = x + att + mlp(rows, f, "gelu-tanh")
    block_held(x, {"order": "parallel", "norm": "layer", "shared": True, "ffn": {"type": "mlp", "act": "gelu-tanh"},
                   "attention": {"heads": {"type": "multi-head", "count": 2, "bias": True},
                                 "position": {"type": "pos-rope", "fraction": 0.5}, "mask": "mask-causal"}},
               w, f, {"norm1.gamma": g, "norm1.beta": b}, a, y)


def test_a_block_of_falcon():
    draw = Draw(15)
    x, w = draw(N, D), head_parameters(draw, 3, 1)
    f = {"W1": draw(D, 7), "b1": draw(7), "W2": draw(7, D), "b2": draw(D)}
    g, b = draw(D), draw(D)
    rows = layer(x, g, b)
    a, att = heads_of(rows, w, rotated, causal(N))
    block_held(x, {"order": "parallel", "norm": "layer", "shared": True, "ffn": "mlp",
                   "attention": {"heads": {"type": "multi-query", "count": 3}, "position": "pos-rope",
                                 "mask": "mask-causal"}},
               w, f, {"norm1.gamma": g, "norm1.beta": b}, a, x + att + mlp(rows, f, "gelu"))


def test_a_block_of_olmo_2():
    draw = Draw(16)
    x, w, f = draw(N, D), head_parameters(draw, 2, 2), ffn_parameters(draw, D, 6)
    g1, g2, gammas = draw(D), draw(D), (draw(2, P), draw(2, P))
    # The norm of queries and keys runs over the joined width of all heads.
    q, k = x @ w["W_Q"], x @ w["W_K"]
    q, k = (y / np.sqrt((y**2).mean((0, 2), keepdims=True) + 1e-6) * gamma[:, None]
            for y, gamma in ((q, gammas[0]), (k, gammas[1])))
    _, a, c = attended(rotated(q), rotated(k), x @ w["W_V"], causal(N))
    y = x + rms(joined(c, w["W_O"]), g1)
    y = y + rms(gated(y, f)[1], g2)
    block_held(x, {"order": "output", "attention": {
        "heads": {"type": "multi-head", "count": 2}, "qk": {"type": "qk-norm", "over": "heads"},
        "position": "pos-rope", "mask": "mask-causal"}}, w, f, {"norm1.gamma": g1, "norm2.gamma": g2}, a, y,
               {"qk.gamma_Q": gammas[0], "qk.gamma_K": gammas[1]})


def test_a_block_of_the_first_transformer():
    draw = Draw(17)
    x, w = draw(N, D), head_parameters(draw, 2, 2)
    f = {"W1": draw(D, 7), "b1": draw(7), "W2": draw(7, D), "b2": draw(D)}
    g1, b1, g2, b2 = draw(D), draw(D), draw(D), draw(D)
    a, att = heads_of(x, w)
    y = layer(x + att, g1, b1, eps=1e-3)
    y = layer(y + mlp(y, f, "relu"), g2, b2, eps=1e-3)
    block_held(x, {"order": "post", "norm": "layer", "eps": 1e-3, "ffn": {"type": "mlp", "act": "relu"},
                   "attention": {"heads": {"type": "multi-head", "count": 2}}},
               w, f, {"norm1.gamma": g1, "norm1.beta": b1, "norm2.gamma": g2, "norm2.beta": b2}, a, y)


def convolved(u, kernel):
    """u [h n p], kernel [h c p]: depthwise, causal."""
    c = kernel.shape[1]
    padded = np.concatenate([np.zeros((len(u), c - 1, u.shape[2])), u], axis=1)
    return np.stack([(padded[:, i : i + c] * kernel).sum(1) for i in range(u.shape[1])], axis=1)


@pytest.mark.parametrize("joined_norm", [False, True])
@pytest.mark.parametrize("gate", ["silu", "sigmoid", "none"])
@pytest.mark.parametrize("conv, act, norm",
                         [(0, "silu", "rms"), (1, "silu", "none"), *((3, act, "rms") for act in ACTS)])
def test_a_layer_around_a_core(joined_norm, gate, conv, act, norm):
    draw, h, G, d, p, pv, n = Draw(20), 4, 2, 5, 3, 2, 6
    x = draw(n, d)
    w = {"W_Q": draw(G, d, p), "W_K": draw(G, d, p), "W_V": draw(h, d, pv), "W_O": draw(h * pv, d)}
    normed = lambda y: y if norm == "none" else rms(y, w["gamma"])  # noqa: E731
    if norm == "rms":
        w["gamma"] = draw(h * pv if joined_norm else pv)
    if gate != "none":
        w["W_G"] = draw(h, d, pv)
    if conv:
        w |= {"conv_Q": draw(G, conv, p), "conv_K": draw(G, conv, p), "conv_V": draw(h, conv, pv)}
    gates = {"core.W_alpha": draw(h, d, p), "core.b_alpha": draw(h, p)}

    def side(name):
        u = x @ w["W_" + name]
        return ACTS[act](convolved(u, w["conv_" + name]) if conv else u)

    q, k, v = side("Q").repeat(2, axis=0), side("K").repeat(2, axis=0), side("V")
    alpha = sigmoid(x @ gates["core.W_alpha"] + gates["core.b_alpha"][:, None]) ** (1 / 16)
    o, maps = np.zeros((h, n, pv)), np.zeros((h, n, n))
    for t in range(h):
        state, implied = np.zeros((p, pv)), np.zeros((p, n))
        for i in range(n):
            state = alpha[t, i][:, None] * state + np.outer(k[t, i], v[t, i])
            implied = alpha[t, i][:, None] * implied + np.outer(k[t, i], np.eye(n)[i])
            o[t, i], maps[t, i] = q[t, i] @ state / math.sqrt(p), q[t, i] @ implied / math.sqrt(p)
    opened = 1 if gate == "none" else ACTS[gate](x @ w["W_G"])
    if joined_norm:
        y = normed((o * opened).transpose(1, 0, 2).reshape(n, -1)) @ w["W_O"]
    else:
        y = joined(normed(o) * opened, w["W_O"])
    held({"type": "linear-mixer", "count": h, "groups": G, "conv": conv, "gate": gate, "joined": joined_norm,
          "act": act, "norm": norm, "core": {"type": "gla", "gates": "token"}}, {"x": x}, w | gates,
         {"output": y, "weights": maps})


@pytest.mark.parametrize("order, shared", [("pre", False), ("post", False), ("output", False), ("post", True)])
def test_a_block_that_reads_an_encoder(order, shared):
    """Three parts around the stream, each with its norm at the place that the order gives."""
    draw = Draw(31)
    x, memory = draw(N, D), draw(3, D)
    own, cross = head_parameters(draw, 2, 2), head_parameters(draw, 2, 2)
    f = {"W1": draw(D, 6), "b1": draw(6), "W2": draw(6, D), "b2": draw(D)}
    norms = [(draw(D), draw(D)) for _ in range(3)]
    maps = []

    def heads(q, k, w, allowed=None):
        sides = (rows @ w["W_" + name] for name, rows in (("Q", q), ("K", k), ("V", k)))
        _, a, c = attended(*sides, allowed)
        maps.append(a)
        return joined(c, w["W_O"])

    def behind(k, rows, part):
        n = norms[0 if shared else k]
        out = part(layer(rows, *n) if order == "pre" else rows)
        return layer(rows + out, *n) if order == "post" else rows + (layer(out, *n) if order == "output" else out)
    y = behind(0, x, lambda rows: heads(rows, rows, own, causal(N)))
    y = behind(1, y, lambda rows: heads(rows, memory, cross))
    y = behind(2, y, lambda rows: mlp(rows, f, "relu"))
    parameters = {f"norm{k + 1}.{name}": one for k, pair in enumerate(norms[:1 if shared else 3])
                  for name, one in zip(("gamma", "beta"), pair)}
    for slot, w in (("attention.heads.", own), ("cross.heads.", cross), ("ffn.", f)):
        parameters |= {slot + name: value for name, value in w.items()}
    mechanism = {"type": "cross-block", "order": order, "norm": "layer", "shared": shared,
                 "attention": {"mask": "mask-causal", "heads": {"type": "multi-head", "count": 2}},
                 "cross": {"heads": {"type": "multi-head", "count": 2}}, "ffn": {"type": "mlp", "act": "relu"}}
    held(mechanism, {"x": x, "memory": memory}, parameters,
         {"output": y, "attention.weights": maps[0], "cross.weights": maps[1]})
