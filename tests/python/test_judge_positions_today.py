# SPDX-License-Identifier: Apache-2.0
"""Positions since 2017 against NumPy, from the formulas alone. Each row has documents with
explicit numbers: plain, under a causal mask, in heads, and in heads that share keys. Run by pytest."""
import math

import numpy as np
import pytest
from judge import Draw, allow, document, sigmoid, sinusoid, softmax
from judge_masks import alibi_slopes, bucket
from judge_today import held, per_head


def slopes(h):
    return np.array(alibi_slopes(h))


def t5(B, n, buckets=32, most=128, both=True):
    where = np.array([[bucket(j - i, buckets, most, both) for j in range(n)] for i in range(n)])
    return np.asarray(B)[..., where]


def forgotten(f):
    G = np.cumsum(np.log(f), axis=-1)
    return -np.abs(G[..., :, None] - G[..., None, :])


def gaps(n):
    return np.abs(np.arange(n)[:, None] - np.arange(n)[None, :]).astype(float)


def cope(q, e, P, s):
    """q [.. n p], e [.. n n]"""
    n, last = e.shape[-1], len(P) - 1
    term = np.zeros_like(e)
    for at in np.ndindex(*e.shape[:-1]):
        i, products = at[-1], P @ q[at]
        for j in range(n):
            p = min(last, sum(1 / (1 + math.exp(-e[at][l])) for l in range(j, i + 1)))
            low, high = math.floor(p), math.ceil(p)
            term[at + (j,)] = products[low] * (1 - (p - low)) + products[high] * (p - low)
    return e + s * term


def path(q, k, w, beta, s):
    n, e = len(k), np.zeros((len(q), len(k)))
    for j in range(n):
        for i in range(len(q)):
            key = k[j].copy()
            for t in range(j + 1, i + 1):
                key = key - beta[t] * (w[t] @ key) * w[t]
            e[i, j] = s * (q[i] @ key)
    return e


def fire(n, c, L, W1, b1, W2, b2):
    psi = lambda x: np.log(np.abs(c * x) + 1)
    i = np.arange(n)[:, None].astype(float)
    u = psi(gaps(n)) / (psi(np.maximum(i, L)) + 1e-6)
    hidden = np.maximum(u[..., None] * W1[0] + b1, 0)
    f = hidden @ W2 + b2
    return f[..., 0] if f.shape[-1] == 1 else f.transpose(2, 0, 1)


def sandwich(n, d=128, base=10000.0):
    u = np.arange(math.ceil(d / 2))
    return np.cos(gaps(n)[..., None] * base ** (-2 * u / d)).sum(-1)


def xpos(x, sign, base=10000.0, pairs="neighbour", decay=512.0, g=0.4):
    r = x.shape[-1] - x.shape[-1] % 2
    t, i = np.arange(r // 2), np.arange(x.shape[-2])[:, None]
    zeta = (2 * t / r + g) / (1 + g)
    a, b = (x[..., :r:2], x[..., 1:r:2]) if pairs == "neighbour" else (x[..., : r // 2], x[..., r // 2 : r])
    z = (a + 1j * b) * np.exp(1j * i * base ** (-2 * t / r)) * zeta ** (sign * i / decay)
    y = x.copy()
    if pairs == "neighbour":
        y[..., :r:2], y[..., 1:r:2] = z.real, z.imag
    else:
        y[..., : r // 2], y[..., r // 2 : r] = z.real, z.imag
    return y


class Around:
    """Rows, heads and how a document with a position is put together: alone, in heads, in heads that share keys."""

    def __init__(self, n=6, d=5, p=4, h=4, seed=8):
        self.draw = Draw(seed)
        self.n, self.d, self.p, self.h = n, d, p, h
        self.x = self.draw(n, d)
        self.q, self.k, self.v = self.draw(n, p), self.draw(n, p), self.draw(n, 3)

    def maps(self, groups):
        draw, d, p = self.draw, self.d, self.p
        return {"W_Q": draw(self.h, d, p), "W_K": draw(groups, d, p), "W_V": draw(groups, d, 3),
                "W_O": draw(self.h * 3, d)}

    def alone(self, position, parameters=None, score="scaled-dot", inputs=None):
        rows = inputs or {"query": self.q, "key": self.k, "value": self.v}
        return document({"type": "attention", "score": score, "position": position, "mask": ["mask-causal"]}, rows,
                        {"position." + name: x for name, x in (parameters or {}).items()})

    def in_heads(self, position, parameters, maps, kind="multi-head"):
        heads = {"type": kind, "count": self.h, **({"groups": len(maps["W_K"])} if kind == "grouped-query" else {})}
        return document({"type": "attention", "query": "self-attention", "position": position, "heads": heads},
                        {"x": self.x},
                        {**{"heads." + name: w for name, w in maps.items()},
                         **{"position." + name: w for name, w in (parameters or {}).items()}})

    def projected(self, maps):
        repeat = self.h // len(maps["W_K"])
        q, k, v = (self.x @ maps[name] for name in ("W_Q", "W_K", "W_V"))
        return q, np.repeat(k, repeat, 0), np.repeat(v, repeat, 0)


def causal(e, v):
    weights = softmax(allow(e, np.tril(np.ones(e.shape[-2:], dtype=bool))))
    return {"scores": e, "weights": weights, "context": weights @ v}


def whole(e, v, W_O):
    weights = softmax(e)
    return {"scores": e, "weights": weights,
            "context": (weights @ v).transpose(1, 0, 2).reshape(e.shape[-1], -1) @ W_O}


def dots(q, k):
    return q @ np.swapaxes(k, -1, -2) / math.sqrt(q.shape[-1])


def check_bias(position, bias, parameters=None, of_heads=None):
    """A position that adds `bias(parameters, h)` [n n] or [h n n]; `of_heads` are the parameters in heads."""
    around = Around()
    documents = [around.alone(position, parameters)]
    expected = [causal(dots(around.q, around.k) + bias(parameters, None), around.v)]
    for kind, groups in (("multi-head", 4), ("grouped-query", 2)):
        maps = around.maps(groups)
        documents.append(around.in_heads(position, of_heads, maps, kind))
        q, k, v = around.projected(maps)
        expected.append(whole(dots(q, k) + bias(of_heads, around.h), v, maps["W_O"]))
    held(documents, expected)


def test_alibi():
    each = np.array([0.5, 0.1, 0, 2])
    check_bias("pos-alibi", lambda _, h: -slopes(h)[:, None, None] * gaps(6) if h else -(2.0**-8) * gaps(6))
    check_bias({"type": "pos-alibi", "slopes": 0.3}, lambda *_: -0.3 * gaps(6))
    around = Around()
    maps = around.maps(4)
    q, k, v = around.projected(maps)
    held([around.in_heads({"type": "pos-alibi", "slopes": each.tolist()}, None, maps)],
         [whole(dots(q, k) - each[:, None, None] * gaps(6), v, maps["W_O"])])
    around.h = 3  # no power of two: 2^-4, 2^-8 and the first of four
    maps = around.maps(3)
    q, k, v = around.projected(maps)
    assert slopes(3).tolist() == [2.0**-4, 2.0**-8, 2.0**-2]
    held([around.in_heads("pos-alibi", None, maps)],
         [whole(dots(q, k) - slopes(3)[:, None, None] * gaps(6), v, maps["W_O"])])


@pytest.mark.parametrize("knobs", [{}, {"bidirectional": False}, {"buckets": 6, "max": 3},
                                   {"buckets": 5, "max": 4, "bidirectional": False}, {"buckets": 2}])
def test_t5(knobs):
    buckets = knobs.get("buckets", 32)
    settings = (buckets, knobs.get("max", 128), knobs.get("bidirectional", True))
    draw = Draw(9)
    check_bias({"type": "pos-t5-bias", **knobs}, lambda p, h: t5(p["B"], 6, *settings), {"B": draw(buckets)},
               {"B": draw(4, buckets)})
    check_bias({"type": "pos-t5-bias", **knobs}, lambda p, h: t5(p["B"], 6, *settings), {"B": draw(buckets)},
               {"B": draw(buckets)})


def test_t5_far_away():
    draw, n = Draw(9), 200
    q, k, v, B = draw(n, 2), draw(n, 2), draw(n, 1), draw(32)
    one = document({"type": "attention", "position": "pos-t5-bias"}, {"query": q, "key": k, "value": v},
                   {"position.B": B})
    held([one], [{"scores": dots(q, k) + t5(B, n)}])


def test_forgetting():
    draw = Draw(10)
    check_bias("pos-forgetting", lambda p, h: forgotten(p["f"]), {"f": sigmoid(draw(6) * 3)},
               {"f": sigmoid(draw(4, 6) * 3)})
    check_bias("pos-forgetting", lambda p, h: forgotten(p["f"]), {"f": np.array([0.5, 1, 1e-12, 0.25, 1, 0.9])},
               {"f": sigmoid(draw(6))})
    around = Around()
    w, b = draw(4), draw()
    token = {"type": "pos-forgetting", "gates": "token"}
    documents = [around.alone(token, {"w_f": w, "b_f": b})]
    expected = [causal(dots(around.q, around.k) + forgotten(sigmoid(around.k @ w + b)), around.v)]
    maps, w, b = around.maps(2), draw(4, 5), draw(4)
    q, k, v = around.projected(maps)
    f = sigmoid(w @ around.x.T + b[:, None])
    documents.append(around.in_heads(token, {"w_f": w, "b_f": b}, maps, "grouped-query"))
    expected.append(whole(dots(q, k) + forgotten(f), v, maps["W_O"]))
    held(documents, expected)


def test_kerple():
    def bias(kernel):
        def log(p, h):
            r1, r2 = per_head(p["r1"]), per_head(p["r2"])
            return -r1 * (np.log1p(r2 * gaps(6)) if kernel == "log" else gaps(6) ** r2)
        return log

    each = {"r1": np.array([0, 0.5, 1, 2]), "r2": np.array([0.5, 1, 2, 3])}
    check_bias("pos-kerple", bias("log"), {"r1": 0.7, "r2": 1.3}, each)
    check_bias({"type": "pos-kerple", "kernel": "power"}, bias("power"), {"r1": 0.7, "r2": 1.3}, each)


def test_sandwich():
    factor = lambda h: (h / 8 / np.arange(1, h + 1))[:, None, None] if h else 1 / 8
    check_bias("pos-sandwich", lambda _, h: factor(h) * sandwich(6))
    check_bias({"type": "pos-sandwich", "d": 8, "base": 50}, lambda _, h: factor(h) * sandwich(6, 8, 50.0))
    check_bias({"type": "pos-sandwich", "d": 7}, lambda _, h: factor(h) * sandwich(6, 7))


def test_fire():
    draw, a = Draw(11), 3
    names = ("c", "L", "W1", "b1", "W2", "b2")
    numbers = lambda h: {"c": 0.6, "L": 2.5, "W1": draw(1, a), "b1": draw(a), "W2": draw(a, h), "b2": draw(h)}
    check_bias("pos-fire", lambda p, h: fire(6, *(np.asarray(p[name]) for name in names)), numbers(1), numbers(4))
    check_bias("pos-fire", lambda p, h: fire(6, *(np.asarray(p[name]) for name in names)), numbers(1), numbers(1))


def test_none():
    check_bias("pos-none", lambda *_: 0)


def test_cope():
    around, draw = Around(), Draw(12)
    documents, expected = [], []
    for N_, score, s in ((16, "scaled-dot", 0.5), (3, "scaled-dot", 0.5), (1, "dot", 1.0)):
        P = draw(N_, 4)
        documents.append(around.alone({"type": "pos-cope", "N": N_}, {"P": P}, score))
        expected.append(causal(cope(around.q, s * around.q @ around.k.T, P, s), around.v))
    for kind, groups in (("multi-head", 4), ("grouped-query", 2)):
        maps, P = around.maps(groups), draw(5, 4)
        q, k, v = around.projected(maps)
        documents.append(around.in_heads({"type": "pos-cope", "N": 5}, {"P": P}, maps, kind))
        expected.append(whole(cope(q, dots(q, k), P, 0.5), v, maps["W_O"]))
    held(documents, expected)


def test_path():
    around, draw = Around(), Draw(13)
    documents, expected = [], []
    w, beta = draw(6, 4), draw(6) + 1
    for score, s in (("scaled-dot", 0.5), ("dot", 1.0)):
        documents.append(around.alone("pos-path", {"w": w, "beta": beta}, score))
        expected.append(causal(path(around.q, around.k, w, beta, s), around.v))
    for kind, groups in (("multi-head", 4), ("grouped-query", 2)):
        maps, w, beta = around.maps(groups), draw(4, 6, 4), draw(4, 6)
        q, k, v = around.projected(maps)
        documents.append(around.in_heads("pos-path", {"w": w, "beta": beta}, maps, kind))
        expected.append(whole(np.stack([path(*one, 0.5) for one in zip(q, k, w, beta)]), v, maps["W_O"]))
    token = {"type": "pos-path", "gates": "token"}
    maps, W_w, w_beta, b = around.maps(4), draw(4, 5, 4), draw(4, 5), draw(4)
    q, k, v = around.projected(maps)
    raw = around.x @ W_w
    w = raw / np.sqrt((raw**2).sum(-1, keepdims=True) + 1e-6)
    beta = 2 * sigmoid(w_beta @ around.x.T + b[:, None])
    documents.append(around.in_heads(token, {"W_w": W_w, "w_beta": w_beta, "b_beta": b}, maps))
    expected.append(whole(np.stack([path(*one, 0.5) for one in zip(q, k, w, beta)]), v, maps["W_O"]))
    held(documents, expected)


@pytest.mark.parametrize("knobs", [{}, {"pairs": "half", "base": 60.0, "decay": 3.0, "g": 0.9}])
def test_xpos(knobs):
    around = Around(p=5)  # an odd width
    q, k = xpos(around.q, 1, **knobs), xpos(around.k, -1, **knobs)
    documents = [around.alone({"type": "pos-xpos", **knobs})]
    expected = [{**causal(dots(q, k), around.v), "query": q, "key": k}]
    maps = around.maps(2)
    q, k, v = around.projected(maps)
    documents.append(around.in_heads({"type": "pos-xpos", **knobs}, None, maps, "grouped-query"))
    expected.append(whole(dots(xpos(q, 1, **knobs), xpos(k, -1, **knobs)), v, maps["W_O"]))
    held(documents, expected)


MEMORY_MASKS = {
    "none": (None, lambda i, j: i + j > -99),
    "causal": ("mask-causal", lambda i, j: j <= i),
    "padding": ({"type": "mask-padding", "length": 2}, lambda i, j: j < 2),
    "window": ({"type": "mask-window", "window": 1}, lambda i, j: np.abs(i - j) <= 1),
}


@pytest.mark.parametrize("mask", MEMORY_MASKS)
@pytest.mark.parametrize("score", ["dot", "scaled-dot"])
def test_a_memory_comes_before_the_keys(mask, score):
    """Its rows have the positions -M to -1, for the distances and for the masks."""
    documents, expected = [], []
    for rows in (1, 3):
        draw, n, d = Draw(40 + rows), 4, 4
        q, k, v, memory, u, w, W_R = (draw(*shape) for shape in ((n, d), (n, d), (n, d), (rows, d), (d,), (d,), (d, d)))
        keys, values = np.concatenate([memory, k]), np.concatenate([memory, v])
        i, j = np.arange(n)[:, None], np.arange(rows + n)[None] - rows
        far = np.einsum("md,mnd->mn", q + w, sinusoid(i - j, d) @ W_R)
        e = ((q + u) @ keys.T + far) * (0.5 if score == "scaled-dot" else 1)
        a = softmax(allow(e, MEMORY_MASKS[mask][1](i, j)))
        documents.append(document(
            {"type": "attention", "score": score, "position": "pos-relative-xl",
             **({"mask": MEMORY_MASKS[mask][0]} if mask != "none" else {})},
            {"query": q, "key": k, "value": v, "memory": memory},
            {"position.u": u, "position.v": w, "position.W_R": W_R}))
        expected.append({"scores": e, "weights": a, "context": a @ values})
    held(documents, expected)
