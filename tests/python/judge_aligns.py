# SPDX-License-Identifier: Apache-2.0
"""Every alignment in NumPy, from the formulas of the papers, one row after another: `aligned(..)` turns scores [m n]
and allowed pairs into weights. Masked keys are no part of a row; rows without keys are zero."""
import itertools
import math

import numpy as np
from judge_scores import named, sigmoid


def softmax(e):
    x = np.exp(e - e.max())
    return x / x.sum()


def entmax(e, alpha):
    """By bisection, one row at a time."""
    if alpha == 1:
        return softmax(e)
    z = (alpha - 1) * e
    low, high = z.max() - 1, z.max()
    for _ in range(200):
        middle = (low + high) / 2
        total = (np.maximum(z - middle, 0) ** (1 / (alpha - 1))).sum()
        low, high = (middle, high) if total >= 1 else (low, middle)
    w = np.maximum(z - low, 0) ** (1 / (alpha - 1))
    return w / w.sum()


def onehot(at, n):
    return np.eye(n)[at]


def chain(e, T, normalise):
    """By enumeration of all segmentations."""
    total, mass = 0.0, np.zeros(len(e))
    for z in itertools.product((0, 1), repeat=len(e)):
        weight = math.exp(sum(e[j] for j in range(len(e)) if z[j]) + sum(T[a, b] for a, b in zip(z, z[1:])))
        total += weight
        mass += weight * np.array(z)
    mass /= total
    return mass / mass.sum() if normalise else mass


def crossing(heads):
    """Arcs over the root (-1) and the tokens: whether two of them cross."""
    arcs = [(min(i, h), max(i, h)) for i, h in enumerate(heads)]
    return any(a < c < b < d for a, b in arcs for c, d in arcs)


def rooted(heads):
    for i in range(len(heads)):
        at, steps = i, 0
        while at != -1:
            at, steps = heads[at], steps + 1
            if steps > len(heads):
                return False
    return True


def tree(e, allowed):
    """By enumeration of all projective trees; e_ii is the score of hanging on the root."""
    n = len(e)
    total, mass = 0.0, np.zeros((n, n))
    for heads in itertools.product(range(n), repeat=n):
        if not all(allowed[i, h] for i, h in enumerate(heads)):
            continue
        real = [-1 if h == i else h for i, h in enumerate(heads)]
        if not rooted(real) or crossing(real):
            continue
        weight = math.exp(sum(e[i, h] for i, h in enumerate(heads)))
        total += weight
        for i, h in enumerate(heads):
            mass[i, h] += weight
    return mass / total if total else mass


def capped_softmax(e, u):
    """The nearest distribution under the caps: an entry above its cap becomes the cap, others share the rest."""
    if u.sum() < 1:
        return u.copy()
    fixed = np.zeros(len(e), bool)
    while True:
        share = u.copy()
        if not fixed.all():
            share[~fixed] = softmax(e[~fixed]) * (1 - u[fixed].sum())
        over = (share > u + 1e-15) & ~fixed
        if not over.any():
            return share
        fixed |= over


def capped_sparsemax(e, u):
    if u.sum() < 1:
        return u.copy()
    low, high = e.min() - u.max() - 1, e.max()
    for _ in range(300):
        middle = (low + high) / 2
        low, high = (middle, high) if np.clip(e - middle, 0, u).sum() >= 1 else (low, middle)
    return np.clip(e - low, 0, u)


def sinkhorn(e, allowed, spec, noise):
    x = np.where(allowed, (e + noise) / spec.get("temperature", 0.75), -np.inf)

    def divide(x, axis):
        with np.errstate(divide="ignore", invalid="ignore"):
            top = np.where(np.isfinite(x), x, -1e300).max(axis, keepdims=True)
            total = top + np.log(np.exp(x - top).sum(axis, keepdims=True))
            return np.where(np.isfinite(x), x - total, -np.inf)

    for _ in range(spec.get("iterations", 8)):
        x = divide(divide(x, 1), 0)
    return np.exp(divide(x, 1))


def bent(q, p, width, names):
    """sigma(tanh(q W) . w), a share of the row for each query."""
    W, w = p(names[0], q.shape[1], width), p(names[1], width)
    return sigmoid(np.tanh(q @ W) @ w)


WIDTH = 3  # the hidden width of what predicts positions


def aligned(spec, e, allowed, p, q, k, v):
    """(weights, what else it gives); e may be a function of the step and its state."""
    spec = named(spec)
    kind = spec["type"]
    n, m = len(k), len(q)
    if kind == "masked-align":
        return aligned(spec.get("base", "softmax"), e, allowed, p.below("base."), q, k, v)
    if kind == "soft-cap":
        c, base = spec.get("cap", 50.0), p.below("base.")
        if callable(e):
            row, capped = e, lambda t, state: c * np.tanh(row(t, state) / c)
        else:
            capped = c * np.tanh(e / c)
        return aligned(spec.get("base", "softmax"), capped, allowed, base, q, k, v)
    if kind == "sinkhorn-normalise":
        noise = p("gumbel", m, n, kind="gumbel") if spec.get("gumbel") else 0.0
        return sinkhorn(e, allowed, spec, noise), {}
    if kind == "structured-tree":
        return tree(e, allowed), {}
    draws, more = parts_of(spec, p, q, k, v, m, n)
    state = {"weights": [], "context": [], "scores": []}
    for t in range(m):
        row = e(t, state) if callable(e) else e[t]
        keys = np.flatnonzero(allowed[t])
        a = np.zeros(n)
        if len(keys):
            a[keys] = one_row(spec, row[keys], keys, t, draws, state, n)
        if kind == "ntm-addressing":
            a = addressed(a, allowed[t], t, draws, state)
        state["scores"].append(row)
        state["weights"].append(a)
        state["context"].append(a @ v)
    weights = np.array(state["weights"])
    if kind in ("softmax-one", "learned-sink"):
        more["remainder"] = 1 - weights.sum(1)
    if callable(e):
        more["scores"] = np.array(state["scores"])
    return weights, more


def parts_of(spec, p, q, k, v, m, n):
    """Numbers that an alignment draws or computes before its first row, and its further results."""
    kind, d = spec["type"], {}
    if kind == "adaptive-temperature":
        d["W"], d["U"], d["q"] = p("W", v.shape[1]), p("U", q.shape[1]), q
    if kind == "hard-sample":
        d["u"] = p("u", spec.get("samples", 1), m, kind="uniform")
    if kind == "reinforced-alignment":
        if spec.get("policy") == "scores":
            d["u"] = p("u", m, n, kind="uniform")
        else:
            d["z"] = p("z", m, n, kind="bits")
    if kind == "local-predictive":
        d["p"] = n * bent(q, p, WIDTH, ("W_p", "w_p"))
        return d, {"position_p": d["p"]}
    if kind == "alpha-entmax":
        d["alpha"] = 1 + sigmoid(p("gamma")) if spec.get("learned") else spec.get("alpha", 1.5)
    if kind == "structured-chain":
        d["T"] = p("T", 2, 2)
    if kind.startswith("constrained") and "fertility" not in spec:
        d["u"] = p("u", m, n, kind="uniform")
    if kind == "gaussian-localness":
        W_p, u_p = p("W_p", q.shape[1], WIDTH), p("u_p", WIDTH)
        d["p"], mode = n * sigmoid(np.tanh(q @ W_p) @ u_p), spec.get("mode", "fixed")
        if mode == "fixed":
            d["D"] = np.full(m, spec.get("D", 10.0))
        elif mode == "query":
            d["D"] = n * sigmoid(np.tanh(q @ W_p) @ p("u_d", WIDTH))
        else:
            mean = k.mean(0)
            d["D"] = np.full(m, n * sigmoid(np.tanh(mean @ p("W_d", k.shape[1], WIDTH)) @ p("u_d", WIDTH)))
    if kind == "syntax-distance-gaussian":
        at = np.floor(n * bent(q, p, WIDTH, ("W_p", "w_p"))).astype(int)
        distance = p("distance", n, n, kind="distances")
        d["factor"] = np.exp(-distance[np.minimum(at, n - 1)] ** 2 / (2 * spec.get("s", n / 2) ** 2))
    if kind == "syntax-distance-decay":
        d["l"] = p("distance", m, n, kind="distances")
    if kind == "ntm-addressing":
        shift = p("shift", m, 3, kind="uniform", finish=lambda x: x / x.sum(-1, keepdims=True))
        first = p("initial", n, kind="uniform", finish=lambda x: x / x.sum(-1, keepdims=True))
        d.update(g=p("g", m, kind="uniform"), shift=shift, first=first)
        d["gamma"] = p("gamma", m, kind="uniform", finish=lambda x: 1 + x)
    if kind == "learned-sink":
        d["s"] = p("s")
    if kind == "sigmoid-biased":
        d["b"] = p("b")
    if kind == "scalable-softmax":
        d["s"] = p("s")
    return d, {}


def addressed(content, allowed, t, d, state):
    """Moves may end on masked keys, which then get nothing."""
    before = state["weights"][-1] if t else d["first"]
    mixed = d["g"][t] * content + (1 - d["g"][t]) * before
    moved = sum(s * np.roll(mixed, k) for s, k in zip(d["shift"][t], (-1, 0, 1)))
    sharp = np.where(allowed, moved ** d["gamma"][t], 0)
    return sharp / (sharp.sum() or 1)


def caps_of(spec, d, t, keys, state):
    if "u" in d:
        return d["u"][t, keys]
    return np.maximum(spec["fertility"] - sum((a[keys] for a in state["weights"]), np.zeros(len(keys))), 0)


def within(e, keep, align=softmax):
    a = np.zeros(len(e))
    if keep.any():
        a[keep] = align(e[keep])
    return a


def predicted(e, keys, at, spec, n):
    D = spec.get("D", 2)
    keep = (keys >= max(0, math.ceil(at - D))) & (keys <= min(n - 1, math.floor(at + D)))
    a = within(e, keep)
    if spec.get("gaussian", True):
        a = a * np.exp(-((keys - at) ** 2) / (2 * (D / 2) ** 2))
    return a / a.sum() if spec.get("renormalise") and a.sum() else a


def sampled(e, t, d):
    sums = np.cumsum(softmax(e))
    picks = [min([j for j in range(len(e)) if sums[j] > u] or [len(e) - 1]) for u in d["u"][:, t]]
    return np.mean([onehot(j, len(e)) for j in picks], 0)


def best(e, k):
    keep = np.zeros(len(e), bool)
    keep[np.argsort(-e, kind="stable")[:k]] = True
    return keep


def sharpened(e, spec):
    mode = spec.get("mode", "sharpen")
    if mode == "sharpen":
        return softmax(spec.get("beta", 2) * e)
    if mode == "top-k":
        return within(e, best(e, spec.get("k", 2)))
    return sigmoid(e) / sigmoid(e).sum()


def stuck(e):
    a, left = np.zeros(len(e)), 1.0
    for j in reversed(range(len(e))):
        a[j] = left * sigmoid(e[j])
        left *= 1 - sigmoid(e[j])
    return a


def quiet(e, extra):
    """exp(e) / (extra + sum exp e)."""
    top = max(e.max(), 0)
    x = np.exp(e - top)
    return x / (extra * math.exp(-top) + x.sum())


def one_row(spec, e, keys, t, d, state, n):
    kind = spec["type"]
    if kind == "adaptive-temperature":
        before = state["context"][-1] if t else np.zeros(len(d["W"]))
        return softmax(e / spec.get("lambda", math.e) ** math.tanh(before @ d["W"] + d["q"][t] @ d["U"]))
    if kind == "gaussian-localness":
        return softmax(e - (keys - d["p"][t]) ** 2 / (2 * (d["D"][t] / 2) ** 2))
    if kind == "reinforced-alignment":
        keep = d["u"][t, keys] < sigmoid(e) if spec.get("policy") == "scores" else d["z"][t, keys] == 1
        return within(e, keep)
    one = {
        "softmax": lambda: softmax(e),
        "softmax-temperature": lambda: softmax(e / spec.get("temperature", 1)),
        "hard-argmax": lambda: onehot(e.argmax(), len(e)),
        "hard-sample": lambda: sampled(e, t, d),
        "local-monotonic": lambda: within(e, np.abs(keys - t) <= spec.get("D", 2)),
        "local-predictive": lambda: predicted(e, keys, d["p"][t], spec, n),
        "sigmoid": lambda: sigmoid(e),
        "sparsemax": lambda: entmax(e, 2),
        "alpha-entmax": lambda: entmax(e, d["alpha"]),
        "structured-chain": lambda: chain(e, d["T"], spec.get("normalise")),
        "constrained-softmax": lambda: capped_softmax(e, caps_of(spec, d, t, keys, state)),
        "constrained-sparsemax": lambda: capped_sparsemax(e, caps_of(spec, d, t, keys, state)),
        "syntax-distance-gaussian": lambda: softmax(e * d["factor"][t, keys]),
        "syntax-distance-decay": lambda: within(e - d["l"][t, keys] * math.log(2),
                                                d["l"][t, keys] <= spec.get("ws", 5)),
        "ntm-addressing": lambda: softmax(e),
        "sharpen-topk-smooth": lambda: sharpened(e, spec),
        "uniform": lambda: np.full(len(e), 1 / len(e)),
        "softmax-one": lambda: quiet(e, spec.get("extra", 1.0)),
        "learned-sink": lambda: quiet(e, math.exp(d["s"])),
        "stick-breaking": lambda: stuck(e),
        "scalable-softmax": lambda: softmax(d["s"] * math.log(len(e)) * e),
        "sigmoid-biased": lambda: sigmoid(e + d["b"]),
        "relu-attention": lambda: np.maximum(e, 0) ** spec.get("power", 1) / len(e) ** spec.get("alpha", 1),
        "cog-signed": lambda: np.sign(e) * softmax(np.abs(e)),
    }
    return one[kind]()
