# SPDX-License-Identifier: Apache-2.0
"""Every score and every activation in NumPy, from the formulas of the papers: `score(spec, p, q, k, case)` gives E
[m n], or a function of the step and its state for the scores that read earlier weights. p(name, *shape) draws."""
import math

import numpy as np


def sigmoid(x):
    return np.exp(-np.logaddexp(0, -np.asarray(x, float)))


def erf(x):
    return np.vectorize(math.erf)(x) if np.size(x) else x


SELU = 1.0507009873554805, 1.6732632423543772

ACTS = {
    "tanh": np.tanh,
    "relu": lambda x: np.maximum(x, 0),
    "leaky-relu": lambda x: np.where(x > 0, x, 0.01 * x),
    "elu": lambda x: np.where(x > 0, x, np.expm1(np.minimum(x, 0))),
    "selu": lambda x: SELU[0] * np.where(x > 0, x, SELU[1] * np.expm1(np.minimum(x, 0))),
    "gelu": lambda x: x * (1 + erf(x / math.sqrt(2))) / 2,
    "gelu-tanh": lambda x: x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))) / 2,
    "silu": lambda x: x * sigmoid(x),
    "relu-squared": lambda x: np.maximum(x, 0) ** 2,
    "sigmoid": sigmoid,
    "softplus": lambda x: np.log1p(np.exp(-np.abs(x))) + np.maximum(x, 0),
    "identity": lambda x: x,
}


def named(spec):
    return {"type": spec} if isinstance(spec, str) else spec


def norms(x):
    return np.sqrt((x * x).sum(-1))


def unit(x):
    """Rows of length 1; a row of zeros stays."""
    return x / np.maximum(norms(x), 1e-300)[..., None]


def pairs(q, k):
    """All differences [m n d]."""
    return q[:, None] - k[None]


def tiled(row, q):
    return np.tile(row, (len(q), 1))


def additive(q, k, p, hidden, act, w=None):
    both = (q @ p("W1", q.shape[1], hidden))[:, None] + (k @ p("W2", k.shape[1], hidden))[None] + p("b", hidden)
    return (act(both) * (p("w", hidden) if w is None else w[:, None])).sum(-1)


def concat(q, k, p, hidden, act, w=None):
    W = p("W", k.shape[1] + q.shape[1], hidden)
    rows = [[act(np.concatenate([b, a]) @ W + p("b", hidden)) for b in k] for a in q]
    return (np.array(rows) * (p("w", hidden) if w is None else w[:, None])).sum(-1)


def deep(q, k, p, hidden, act, layers):
    h = act((q @ p("W0", q.shape[1], hidden))[:, None] + (k @ p("W1", k.shape[1], hidden))[None] + p("b1", hidden))
    for layer in range(2, layers):
        h = act(h @ p(f"W{layer}", hidden, hidden) + p(f"b{layer}", hidden))
    return h @ p("w", hidden) + p("b_L")


def convolved(k, p, act, spec):
    """One row per filter: the templates that start at s, then the mean of those that cover j."""
    l, f, n = spec.get("l", 3), spec.get("filters", 1), len(k)
    w, b = p("w", f, l * k.shape[1]), p("b", f)
    rows = np.zeros((f, n))
    for c in range(f):
        s = [act(k[i : i + l].reshape(-1) @ w[c] + b[c]) for i in range(n - l + 1)]
        for j in range(n):
            mine = [s[i] for i in range(j - l + 1, j + 1) if 0 <= i < len(s)]
            if mine:
                rows[c, j] = sum(mine) / (l if spec.get("edge") == "zero" else len(mine))
    return rows


def hermitian(q, k, p, spec, hidden):
    Q = q @ p("R_Q", q.shape[1], hidden) + 1j * (q @ p("I_Q", q.shape[1], hidden))
    side = "_Q" if spec.get("shared") else "_K"
    R_K, I_K = p("R" + side, k.shape[1], hidden), p("I" + side, k.shape[1], hidden)
    K = k @ R_K + 1j * (k @ I_K)
    if spec.get("middle"):
        Q = Q @ (p("M_R", hidden, hidden) + 1j * p("M_I", hidden, hidden))
    return (Q @ K.conj().T).real


def generic(q, k, measure):
    if measure == "l1":
        return -np.abs(pairs(q, k)).sum(-1)
    if measure == "pearson":
        return np.clip(unit(q - q.mean(1, keepdims=True)) @ unit(k - k.mean(1, keepdims=True)).T, -1, 1)
    return 1 - np.arccos(np.clip(unit(q) @ unit(k).T, -1, 1)) / math.pi


def location_aware(q, k, p, spec, hidden):
    c, width, n = spec.get("c", 10), spec.get("width", 21), len(k)
    filters, W, V, U = p("filters", c, width), p("W", q.shape[1], hidden), p("V", k.shape[1], hidden), p("U", c, hidden)
    b, w, first = p("b", hidden), p("w", hidden), p("initial", n)

    def row(t, state):
        before = state["weights"][-1] if t else first
        f = np.zeros((n, c))
        for j in range(n):
            for s in range(width):
                at = j + s - width // 2
                if 0 <= at < n:
                    f[j] += filters[:, s] * before[at]
        return np.tanh(q[t] @ W + k @ V + f @ U + b) @ w

    return row


def lstmn(q, k, p, hidden, dv):
    W_h, W_x, W_ht = p("W_h", k.shape[1], hidden), p("W_x", q.shape[1], hidden), p("W_ht", dv, hidden)
    w = p("w", hidden)

    def row(t, state):
        before = state["context"][-1] if t else np.zeros(dv)
        return np.tanh(k @ W_h + q[t] @ W_x + before @ W_ht) @ w

    return row


def coverage(q, k, p, spec, hidden):
    n = len(k)
    W, U, w, v = p("W", q.shape[1], hidden), p("U", k.shape[1], hidden), p("w", hidden), p("v_beta", hidden)
    phi, first = spec.get("N", 2) * sigmoid(k @ p("u", k.shape[1])), p("initial", n)

    def row(t, state):
        beta = first + sum(state["weights"]) / phi
        return np.tanh(q[t] @ W + k @ U + beta[:, None] * v) @ w

    return row


def coverage_neural(q, k, p, spec, hidden):
    n, dim = len(k), spec.get("dim", 10)
    W, U, w, V = p("W", q.shape[1], hidden), p("U", k.shape[1], hidden), p("w", hidden), p("V_kappa", dim, hidden)
    W_k, w_a, W_h, W_s = p("W_kappa", dim, dim), p("w_a", dim), p("W_h", k.shape[1], dim), p("W_s", q.shape[1], dim)
    first = p("initial", n, dim)

    def row(t, state):
        kappa = first
        for s, a in enumerate(state["weights"]):
            kappa = np.tanh(kappa @ W_k + a[:, None] * w_a + k @ W_h + q[s] @ W_s)
        return np.tanh(q[t] @ W + k @ U + kappa @ V) @ w

    return row


def scale_of(spec, k):
    """What a score's own products are multiplied by."""
    return spec.get("scale", 1 / math.sqrt(k.shape[1])) if spec["type"] == "scaled-dot" else 1.0


def score(spec, p, q, k, case=None):
    spec = named(spec)
    kind, dq, dk = spec["type"], q.shape[1], k.shape[1]
    hidden = spec.get("hidden", dk if kind == "self-additive" else dq)
    act = ACTS[spec.get("act", "relu" if kind in ("deep", "decomposable") else "tanh")]
    plain = {
        "dot": lambda: q @ k.T,
        "scaled-dot": lambda: q @ k.T * scale_of(spec, k),
        "dot-over-keynorm": lambda: q @ k.T / (norms(k) + spec.get("eps", 1e-12)),
        "general": lambda: (k @ p("W", dk, dq) @ q.T).T,
        "biased-general": lambda: (q @ p("W", dq, dk) + p("b", dk)) @ k.T,
        "activated-general": lambda: act((k @ p("W", dk, dq) @ q.T).T + p("b")),
        "similarity-cosine": lambda: spec.get("beta", 1) * (q @ k.T) / (np.outer(norms(q), norms(k))
                                                                        + spec.get("eps", 1e-12)),
        "similarity-l2": lambda: -spec.get("scale", 1) * norms(pairs(q, k)) ** (2 if spec.get("squared") else 1),
        "similarity-rbf": lambda: -(pairs(q, k) ** 2).sum(-1) / (2 * spec.get("s", 1) ** 2),
        "similarity-generic": lambda: generic(q, k, spec.get("measure", "l1")),
        "additive": lambda: additive(q, k, p, hidden, act),
        "concat": lambda: concat(q, k, p, hidden, act),
        "deep": lambda: deep(q, k, p, hidden, act, spec.get("layers", 3)),
        "location-based": lambda: (q @ p("W", dq, spec.get("N", 32)))[:, : len(k)],
        "key-linear": lambda: tiled(k @ p("w", dk), q),
        "self-additive": lambda: tiled(act(k @ p("W", dk, hidden) + p("b", hidden)) @ p("w", hidden), q),
        "self-dot": lambda: tiled(k @ p("q", dk), q),
        "convolution-based": lambda: tiled(convolved(k, p, act, spec)[0], q),
        "external-energy": lambda: case["energy"],
        "stacked-san-score": lambda: np.tanh((k @ p("W_I", dk, hidden))[None] + (q @ p("W_Q", dq, hidden)
                                             + p("b", hidden))[:, None]) @ p("w_P", hidden),
        "gat-score": lambda: gat(q, k, p, hidden, spec.get("slope", 0.2)),
        "biaffine": lambda: (k @ p("U", dk, dq) @ q.T).T + k @ p("u", dk),
        "co-affinity": lambda: act(q @ p("W", dq, dk) @ k.T),
        "trilinear": lambda: trilinear(q, k, p("w", 3 * dk)) + (p("b") if spec.get("bias") else 0),
        "decomposable": lambda: decomposable(q, k, p, spec, hidden, act),
        "hermitian": lambda: hermitian(q, k, p, spec, hidden),
        "projected-query": lambda: score(spec.get("base", "dot"), p.below("base."), q @ p("W", dq, dk), k, case),
        "concat-query-score": lambda: score(spec.get("base", "additive"), p.below("base."),
                                            np.concatenate([q, np.broadcast_to(case["extra"],
                                                                               (len(q), case["extra"].shape[1]))], 1),
                                            k, case),
        "importance-as-query": lambda: important(q, k, p.below("base."), named(spec.get("base", "additive")),
                                                 case["importance"]),
        "location-aware": lambda: location_aware(q, k, p, spec, hidden),
        "lstmn-score": lambda: lstmn(q, k, p, hidden, case["width of values"]),
        "coverage-linguistic": lambda: coverage(q, k, p, spec, hidden),
        "coverage-subsymbolic": lambda: coverage_neural(q, k, p, spec, hidden),
    }
    return plain[kind]()


def gat(q, k, p, d, slope):
    W, a = p("W", q.shape[1], d), p("a", 2 * d)
    e = ((q @ W) @ a[:d])[:, None] + ((k @ W) @ a[d:])[None]
    return np.where(e > 0, e, slope * e)


def trilinear(q, k, w):
    return np.array([[np.concatenate([b, a, b * a]) @ w for b in k] for a in q])


def decomposable(q, k, p, spec, hidden, act):
    left = act(q @ p("W1", q.shape[1], hidden) + p("b1", hidden))
    names = ("W1", "b1") if spec.get("shared") else ("W2", "b2")
    return left @ act(k @ p(names[0], k.shape[1], hidden) + p(names[1], hidden)).T


def important(q, k, p, spec, w):
    """The weights of the hidden units are given, for each query or for all."""
    one = {"additive": additive, "concat": concat}[spec["type"]]
    return one(q, k, p, w.shape[1], ACTS[spec.get("act", "tanh")], np.broadcast_to(w, (len(q), w.shape[1])))
