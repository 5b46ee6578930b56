# SPDX-License-Identifier: Apache-2.0
"""Parts of today's blocks in NumPy: norms, rotations, masks, heads and feed-forward layers."""
import math

import numpy as np
from judge import TOLERANCE, allow, differences, document, places, run, sigmoid, softmax
from judge_scores import ACTS


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
