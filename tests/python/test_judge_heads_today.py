# SPDX-License-Identifier: Apache-2.0
"""Heads, layers, blocks and cells of today against their formulas in NumPy, every number given. Run by pytest."""
import math

import numpy as np
import pytest
from judge import TOLERANCE, Draw, allow, differences, document, places, run, sigmoid, softmax


def erf(x):
    return np.vectorize(math.erf)(x)


ACTS = {
    "silu": lambda x: x * sigmoid(x),
    "gelu": lambda x: 0.5 * x * (1 + erf(x / math.sqrt(2))),
    "gelu-tanh": lambda x: 0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))),
    "relu": lambda x: np.maximum(x, 0),
    "relu-squared": lambda x: np.maximum(x, 0) ** 2,
    "sigmoid": sigmoid,
    "identity": lambda x: x,
}


def held(mechanism, inputs, parameters, expected, prefix="structure."):
    names = {prefix + name: x for name, x in parameters.items()}
    (answer,) = run([document(mechanism, inputs, names)])
    assert "error" not in answer, answer
    found = differences(answer, expected)
    assert max(found.values()) < TOLERANCE, found


def rms(x, gamma=1.0, eps=1e-6, offset=0.0):
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + eps) * (gamma + offset)


def layer(x, gamma=1.0, beta=0.0, eps=1e-5, offset=0.0):
    centred = x - x.mean(-1, keepdims=True)
    return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + eps) * (gamma + offset) + beta


def rotated(x, width=None, base=10000.0, neighbours=False):
    """The first `width` features of rows [.. n p] turned by their positions."""
    r = 2 * ((x.shape[-1] if width is None else width) // 2)
    y = x.copy()
    for t in range(r // 2):
        a, b = (2 * t, 2 * t + 1) if neighbours else (t, t + r // 2)
        w = np.arange(x.shape[-2]) * base ** (-2 * t / r)
        y[..., a] = x[..., a] * np.cos(w) - x[..., b] * np.sin(w)
        y[..., b] = x[..., a] * np.sin(w) + x[..., b] * np.cos(w)
    return y


def causal(n, window=None):
    i, j = places(n, n)
    return (j <= i) & ((i - j < window) if window else True)


def attended(q, k, v, allowed=None, cap=None):
    """Scores, weights and contexts of heads [h ..]."""
    e = q @ np.swapaxes(k, -1, -2) / math.sqrt(q.shape[-1])
    s = cap * np.tanh(e / cap) if cap else e
    a = softmax(s if allowed is None else allow(s, allowed))
    return e, a, a @ v


def joined(context, W_O, b_O=0.0):
    return context.transpose(1, 0, 2).reshape(context.shape[1], -1) @ W_O + b_O


# ---- layers


@pytest.mark.parametrize("offset", [0, 1])
def test_norms(offset):
    draw = Draw(1)
    x, gamma, beta = draw(5, 6), draw(6), draw(6)
    knobs = {"eps": 1e-4, "offset": offset}
    held({"type": "rmsnorm", **knobs}, {"x": x}, {"gamma": gamma}, {"output": rms(x, gamma, **knobs)})
    held({"type": "layer-norm", **knobs}, {"x": x}, {"gamma": gamma, "beta": beta},
         {"output": layer(x, gamma, beta, **knobs)})
    bonus = draw(5, 6)
    parts = layer(x.reshape(5, 3, 2)).reshape(5, 6) * gamma + beta + bonus
    held({"type": "group-norm", "groups": 3}, {"x": x, "bonus": bonus}, {"gamma": gamma, "beta": beta}, {"output": parts})


def test_dynamic_tanh():
    draw = Draw(2)
    x, alpha, gamma, beta, s = draw(5, 6), draw(), draw(6), draw(6), draw()
    held({"type": "dyt"}, {"x": x}, {"alpha": alpha, "gamma": gamma, "beta": beta},
         {"output": gamma * np.tanh(alpha * x) + beta})
    held({"type": "dyt", "act": "erf"}, {"x": x}, {"alpha": alpha, "gamma": gamma, "beta": beta, "s": s},
         {"output": gamma * erf(alpha * x + s) + beta})


def ffn_parameters(draw, d, f):
    return {"W_gate": draw(d, f), "W_up": draw(d, f), "W_down": draw(f, d),
            "b_gate": draw(f), "b_up": draw(f), "b_down": draw(d)}


def gated(x, p, act="silu", variant="plain"):
    """Gate and output."""
    g, u = x @ p["W_gate"] + p.get("b_gate", 0), x @ p["W_up"] + p.get("b_up", 0)
    if variant == "oss":
        g, u = np.minimum(g, 7), np.clip(u, -7, 7)
        gate, u = g * sigmoid(1.702 * g), u + 1
    else:
        gate = ACTS[act](g)
    return gate, (gate * u) @ p["W_down"] + p.get("b_down", 0)


def mlp(x, p, act):
    return ACTS[act](x @ p["W1"] + p["b1"]) @ p["W2"] + p["b2"]


@pytest.mark.parametrize("act", ACTS)
def test_feed_forward(act):
    draw = Draw(3)
    x, p = draw(5, 4), ffn_parameters(draw, 4, 7)
    gate, y = gated(x, p, act)
    held({"type": "swiglu", "act": act}, {"x": x}, p, {"gate": gate, "output": y})
    q = {"W1": draw(4, 7), "b1": draw(7), "W2": draw(7, 4), "b2": draw(4)}
    held({"type": "mlp", "act": act}, {"x": x}, q, {"output": mlp(x, q, act)})


def test_the_feed_forward_of_gpt_oss():
    draw = Draw(4)
    x, p = 8 * draw(6, 4), ffn_parameters(draw, 4, 7)  # beyond the clips
    gate, y = gated(x, p, variant="oss")
    assert (x @ p["W_gate"] + p["b_gate"]).max() > 7
    held({"type": "swiglu", "variant": "oss"}, {"x": x}, p, {"gate": gate, "output": y})


def test_token_shift():
    draw = Draw(5)
    x, mu = draw(5, 4), draw(4)
    before = np.vstack([np.zeros((1, 4)), x[:-1]])
    held({"type": "token-shift"}, {"x": x}, {"mu": mu}, {"output": x + (before - x) * mu})
    held({"type": "token-shift"}, {"x": x[:1]}, {"mu": mu}, {"output": (1 - mu) * x[:1]})


def test_a_cap_of_logits_and_a_scale_of_embeddings():
    draw = Draw(6)
    x, W, b = 20 * draw(5, 4), draw(4, 3), draw(3)
    logits = 2.5 * np.tanh((x @ W + b) / 2.5)
    held({"type": "om-softmax", "cap": 2.5}, {"x": x}, {"W_c": W, "b_c": b},
         {"logits": logits, "probabilities": softmax(logits)})
    E = draw(6, 4)
    words = document({"type": "fm-embedding", "scale": 2, "vocabulary": ["<start>", "<end>", "<unknown>", "a", "b", "c"]},
                     {}, {"structure.E": E})
    words["inputs"]["x"] = {"tokens": ["b", "a", "b"]}
    (answer,) = run([words])
    assert differences(answer, {"output": 2 * E[[4, 3, 4]]})["output"] < TOLERANCE


# ---- blocks

D, N, P = 4, 5, 4


def head_parameters(draw, h, G, p=P, bias=False):
    maps = {"W_Q": draw(h, D, p), "W_K": draw(G, D, p), "W_V": draw(G, D, 3), "W_O": draw(h * 3, D)}
    if bias:
        maps |= {"b_Q": draw(h, p), "b_K": draw(G, p), "b_V": draw(G, 3), "b_O": draw(D)}
    return maps


def heads_of(x, w, turn=None, allowed=None, cap=None, norm=None):
    """Weights and output of heads, keys repeated for the heads that share them."""
    h = len(w["W_Q"])

    def side(name):
        y = x @ w["W_" + name] + (w["b_" + name][:, None] if "b_" + name in w else 0)
        return y.repeat(h // len(y), axis=0)

    q, k, v = side("Q"), side("K"), side("V")
    if norm is not None:
        q, k = rms(q, norm[0]), rms(k, norm[1])
    if turn is not None:
        q, k = turn(q), turn(k)
    _, a, c = attended(q, k, v, allowed, cap)
    return a, joined(c, w["W_O"], w.get("b_O", 0.0))


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


# ---- the layer around a core


def convolved(u, kernel):
    """u [h n p], kernel [h c p]: depthwise, causal."""
    c = kernel.shape[1]
    padded = np.concatenate([np.zeros((len(u), c - 1, u.shape[2])), u], axis=1)
    return np.stack([(padded[:, i : i + c] * kernel).sum(1) for i in range(u.shape[1])], axis=1)


@pytest.mark.parametrize("joined_norm", [False, True])
@pytest.mark.parametrize("gate", ["silu", "sigmoid", "none"])
@pytest.mark.parametrize("conv", [0, 3])
def test_a_layer_around_a_core(joined_norm, gate, conv):
    draw, h, G, d, p, pv, n = Draw(20), 4, 2, 5, 3, 2, 6
    x = draw(n, d)
    w = {"W_Q": draw(G, d, p), "W_K": draw(G, d, p), "W_V": draw(h, d, pv), "W_O": draw(h * pv, d),
         "gamma": draw(h * pv if joined_norm else pv)}
    if gate != "none":
        w["W_G"] = draw(h, d, pv)
    if conv:
        w |= {"conv_Q": draw(G, conv, p), "conv_K": draw(G, conv, p), "conv_V": draw(h, conv, pv)}
    gates = {"core.W_alpha": draw(h, d, p), "core.b_alpha": draw(h, p)}

    def side(name):
        u = x @ w["W_" + name]
        return ACTS["silu"](convolved(u, w["conv_" + name]) if conv else u)

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
        y = rms((o * opened).transpose(1, 0, 2).reshape(n, -1), w["gamma"]) @ w["W_O"]
    else:
        y = joined(rms(o, w["gamma"]) * opened, w["W_O"])
    held({"type": "linear-mixer", "count": h, "groups": G, "conv": conv, "gate": gate, "joined": joined_norm,
          "core": {"type": "gla", "gates": "token"}}, {"x": x}, w | gates, {"output": y, "weights": maps})


# ---- heads


def in_heads(heads, **more):
    return {"type": "attention", "query": "self-attention", "heads": heads, "mask": "mask-causal", **more}


@pytest.mark.parametrize("query_rank", [0, 3])
@pytest.mark.parametrize("pairs", ["neighbour", "half"])
@pytest.mark.parametrize("norm", [True, False])
def test_latent_heads(query_rank, pairs, norm):
    draw, h, n, d, r, pn, pr, pv = Draw(30), 2, 5, 6, 4, 3, 4, 2
    x = draw(n, d)
    w = {"W_DKV": draw(d, r), "W_UK": draw(h, r, pn), "W_UV": draw(h, r, pv), "W_KR": draw(d, pr), "W_O": draw(h * pv, d)}
    w |= {"gamma_KV": draw(r)} if norm else {}
    size = (lambda rows, gamma: rms(rows, w[gamma], 1e-5)) if norm else (lambda rows, gamma: rows)
    if query_rank:
        w |= {"W_DQ": draw(d, query_rank), "W_UQ": draw(h, query_rank, pn + pr)}
        w |= {"gamma_Q": draw(query_rank)} if norm else {}
        q = size(x @ w["W_DQ"], "gamma_Q") @ w["W_UQ"]
    else:
        w["W_Q"] = draw(h, d, pn + pr)
        q = x @ w["W_Q"]
    c = size(x @ w["W_DKV"], "gamma_KV")
    turn = {"base": 50.0, "neighbours": pairs == "neighbour"}
    rope = rotated(x @ w["W_KR"], **turn)
    e = (q[..., :pn] @ np.swapaxes(c @ w["W_UK"], 1, 2) + rotated(q[..., pn:], **turn) @ rope.T) / math.sqrt(pn + pr)
    a = softmax(allow(e, causal(n)))
    context = a @ (c @ w["W_UV"])
    held(in_heads({"type": "mla", "query_rank": query_rank, "base": 50, "pairs": pairs, "norm": norm, "eps": 1e-5}),
         {"x": x}, w, {"latent": c, "latent_key": rope, "scores": e, "weights": a, "heads": context,
                       "context": joined(context, w["W_O"])}, "heads.")


@pytest.mark.parametrize("norm", [True, False])
@pytest.mark.parametrize("layer_number", [0, 5])
def test_differential_heads(norm, layer_number):
    draw, h, n, d, p, pv = Draw(31), 2, 5, 6, 4, 3
    x = draw(n, d)
    w = {"W_Q": draw(h, d, 2 * p), "W_K": draw(h, d, 2 * p), "W_V": draw(h, d, pv), "W_O": draw(h * pv, d)}
    w |= {name: draw(p) for name in ("lambda_q1", "lambda_k1", "lambda_q2", "lambda_k2")}
    w |= {"gamma": draw(pv)} if norm else {}
    start = 0.8 - 0.6 * math.exp(-0.3 * layer_number)
    lam = np.exp(w["lambda_q1"] @ w["lambda_k1"]) - np.exp(w["lambda_q2"] @ w["lambda_k2"]) + start
    q, k, v = x @ w["W_Q"], x @ w["W_K"], x @ w["W_V"]
    maps = [attended(rotated(q[..., half]), rotated(k[..., half]), v, causal(n))[1]
            for half in (slice(0, p), slice(p, 2 * p))]
    a = maps[0] - lam * maps[1]
    out = (1 - start) * (rms(a @ v, w["gamma"], 1e-5) if norm else a @ v)
    held(in_heads({"type": "differential", "layer": layer_number, "norm": norm}, position="pos-rope"), {"x": x}, w,
         {"weights": a, "weights1": maps[0], "weights2": maps[1], "lambda": lam, "heads": out,
          "context": joined(out, w["W_O"])}, "heads.")


@pytest.mark.parametrize("groups", [1, 2, 4, 8])
def test_differential_heads_of_the_second_version(groups):
    draw, h, n, d, p, pv = Draw(32), 4, 5, 6, 4, 3
    x = draw(n, d)
    w = {"W_Q": draw(2 * h, d, p), "W_K": draw(groups, d, p), "W_V": draw(groups, d, pv), "W_lambda": draw(d, h),
         "W_O": draw(h * pv, d)}
    k, v = ((x @ w[name]).repeat(2 * h // groups, axis=0) for name in ("W_K", "W_V"))
    _, a, c = attended(x @ w["W_Q"], k, v, causal(n))
    lam = sigmoid(x @ w["W_lambda"]).T
    out = c[0::2] - lam[..., None] * c[1::2]
    held(in_heads({"type": "differential-v2", "groups": groups}), {"x": x}, w,
         {"weights": a, "heads": out, "context": joined(out, w["W_O"])}, "heads.")


def test_talking_heads():
    draw, h, n, d, p, pv = Draw(33), 3, 5, 6, 4, 2
    x = draw(n, d)
    w = {"W_Q": draw(h, d, p), "W_K": draw(h, d, p), "W_V": draw(h, d, pv), "W_O": draw(h * pv, d),
         "W_pre": draw(h, h), "W_post": draw(h, h)}
    e = np.einsum("tij,ts->sij", attended(x @ w["W_Q"], x @ w["W_K"], x @ w["W_V"])[0], w["W_pre"])
    a = np.einsum("tij,ts->sij", softmax(allow(e, causal(n))), w["W_post"])
    c = a @ (x @ w["W_V"])
    held(in_heads({"type": "talking-heads"}), {"x": x}, w,
         {"scores": e, "weights": a, "heads": c, "context": joined(c, w["W_O"])}, "heads.")


# ---- cells


def cell_held(cell, x, w, expected):
    held({"type": "fm-rnn", "cell": cell}, {"x": x}, {"cell." + name: value for name, value in w.items()},
         {"output": expected, "last": expected[-1:]})


@pytest.mark.parametrize("act", ["g", "identity"])
def test_minimal_cells(act):
    draw, n, dx, dh = Draw(40), 6, 4, 3
    x = draw(n, dx)
    bent = (lambda u: np.where(u >= 0, u + 0.5, sigmoid(u))) if act == "g" else (lambda u: u)
    w = {"W": draw(dx, 2 * dh), "b": draw(2 * dh)}
    u, z = np.split(x @ w["W"] + w["b"], 2, axis=1)
    h, states = np.zeros(dh), []
    for t in range(n):
        h = (1 - sigmoid(z[t])) * h + sigmoid(z[t]) * bent(u[t])
        states.append(h)
    cell_held({"type": "mingru", "act": act}, x, w, np.array(states))
    w = {"W": draw(dx, 3 * dh), "b": draw(3 * dh)}
    u, f, i = np.split(x @ w["W"] + w["b"], 3, axis=1)
    f, i = sigmoid(f), sigmoid(i)
    h, states = np.zeros(dh), []
    for t in range(n):
        h = (f[t] * h + i[t] * bent(u[t])) / (f[t] + i[t])
        states.append(h)
    cell_held({"type": "minlstm", "act": act}, x, w, np.array(states))


def test_an_slstm():
    draw, n, dx, dh = Draw(41), 7, 4, 3
    x, w = draw(n, dx), {"W": draw(dx, 4 * dh), "U": draw(dh, 4 * dh), "b": draw(4 * dh)}
    h, c, total, states = np.zeros(dh), np.zeros(dh), np.zeros(dh), []
    for t in range(n):
        i, f, z, o = np.split(x[t] @ w["W"] + h @ w["U"] + w["b"], 4)
        c = sigmoid(f) * c + np.exp(i) * np.tanh(z)
        total = sigmoid(f) * total + np.exp(i)
        h = sigmoid(o) * c / total
        states.append(h)
    cell_held("slstm", x, w, np.array(states))
