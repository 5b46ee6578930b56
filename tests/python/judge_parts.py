# SPDX-License-Identifier: Apache-2.0
"""A judge of attention in NumPy, written from the formulas alone: scores, alignments, masks, heads, in plain products.

A case writes a document and computes its results while it writes: `Case.given` draws an input, `Case.drawn` a
parameter, and
both put the same numbers into the document.
"""
import json
import os
import subprocess
import zlib

import numpy as np
from judge_scores import ACTS

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
DOUBLE = os.path.join(ROOT, "build", "bin", "attend64")
SINGLE = os.path.join(ROOT, "build", "bin", "attend")


def run_all(documents, tool=DOUBLE):
    """The answers to many documents, one process."""
    lines = "".join(json.dumps(document) + "\n" for document in documents)
    done = subprocess.run([tool, "run", "--lines", "-"], input=lines, capture_output=True, text=True, timeout=300)
    return [json.loads(line) for line in done.stdout.splitlines()]


def tensor(x):
    x = np.asarray(x, float)
    return {"shape": list(x.shape), "data": x.reshape(-1).tolist()}


class Case:
    """A document under way."""

    def __init__(self, type_, name):
        self.name = f"{type_}: {name}"
        self.generator = np.random.default_rng(zlib.crc32(self.name.encode()))
        self.document = {"inputs": {}, "mechanism": {"type": type_}, "parameters": {}}
        self.wanted = {}

    def given(self, name, *shape):
        x = self.generator.normal(size=shape)
        self.document["inputs"][name] = tensor(x) if len(shape) != 2 else {"matrix": x.tolist()}
        return x

    def knobs(self, **knobs):
        self.document["mechanism"].update(knobs)

    def drawn(self, name, *shape):
        if name not in self.document["parameters"]:
            x = self.generator.normal(size=shape) * 0.6
            self.document["parameters"][name] = tensor(x) if shape else float(x)
        value = self.document["parameters"][name]
        return np.array(value["data"]).reshape(value["shape"]) if isinstance(value, dict) else value

    def want(self, **outputs):
        self.wanted.update({name.replace("__", "."): x for name, x in outputs.items()})


def act(name, x):
    return ACTS[name](x)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(e, axis=-1):
    power = np.exp(e - e.max(axis=axis, keepdims=True))
    return power / power.sum(axis=axis, keepdims=True)


def sparsemax(row):
    down = np.sort(row)[::-1]
    over = [k for k in range(1, len(row) + 1) if 1 + k * down[k - 1] > down[:k].sum()]
    tau = (down[: over[-1]].sum() - 1) / over[-1]
    return np.maximum(row - tau, 0)


def entmax(row, alpha):
    row = (alpha - 1) * row
    low, high = row.max() - 1, row.max()
    for _ in range(200):
        middle = (low + high) / 2
        if (np.maximum(row - middle, 0) ** (1 / (alpha - 1))).sum() < 1:
            high = middle
        else:
            low = middle
    weights = np.maximum(row - low, 0) ** (1 / (alpha - 1))
    return weights / weights.sum()


def align(spec, e, allowed=None):
    """Rows of e to weights; what is not allowed is 0."""
    spec = spec if isinstance(spec, dict) else {"type": spec}
    one = {
        "softmax": softmax,
        "sparsemax": sparsemax,
        "sigmoid": sigmoid,
        "softmax-temperature": lambda row: softmax(row / spec.get("temperature", 1)),
        "alpha-entmax": lambda row: entmax(row, spec.get("alpha", 1.5)),
        "hard-argmax": lambda row: np.eye(len(row))[row.argmax()],
        "uniform": lambda row: np.full(len(row), 1 / len(row)),
    }[spec["type"]]
    weights = np.zeros_like(e)
    for i, row in enumerate(e):
        may = np.ones(len(row), bool) if allowed is None else allowed[i]
        if may.any():
            weights[i, may] = one(row[may])
    return weights


def score(spec, p, q, k):
    """E [m n]; p(name, *shape) draws a parameter."""
    spec = spec if isinstance(spec, dict) else {"type": spec}
    kind, dq, dk = spec["type"], q.shape[-1], k.shape[-1]
    hidden = spec.get("hidden", 5)
    f = spec.get("act", "tanh")
    if kind == "dot":
        return q @ k.T
    if kind == "scaled-dot":
        return q @ k.T * spec.get("scale", 1 / np.sqrt(dk))
    if kind == "general":
        return (k @ p("W", dk, dq) @ q.T).T
    if kind == "activated-general":
        return act(f, (k @ p("W", dk, dq) @ q.T).T + p("b"))
    if kind == "biased-general":
        return (q @ p("W", dq, dk) + p("b", dk)) @ k.T
    if kind == "additive":
        both = (q @ p("W1", dq, hidden))[:, None] + (k @ p("W2", dk, hidden))[None] + p("b", hidden)
        return act(f, both) @ p("w", hidden)
    if kind == "concat":
        W = p("W", dk + dq, hidden)
        return act(f, (q @ W[dk:])[:, None] + (k @ W[:dk])[None] + p("b", hidden)) @ p("w", hidden)
    if kind == "self-additive":
        row = act(f, k @ p("W", dk, hidden) + p("b", hidden)) @ p("w", hidden)
        return np.tile(row, (len(q), 1))
    if kind == "self-dot":
        return np.tile(k @ p("q", dk), (len(q), 1))
    if kind == "similarity-l2":
        return -spec.get("scale", 1) * np.linalg.norm(q[:, None] - k[None], axis=-1)
    if kind == "similarity-cosine":
        return spec.get("beta", 1) * q @ k.T / np.outer(np.linalg.norm(q, axis=1), np.linalg.norm(k, axis=1))
    if kind == "co-affinity":
        return act(f, q @ p("W", dq, dk) @ k.T)
    if kind == "trilinear":
        w = p("w", 3 * dk)
        return (k @ w[:dk])[None] + (q @ w[dk : 2 * dk])[:, None] + (q * w[2 * dk :]) @ k.T
    if kind == "decomposable":
        f = spec.get("act", "relu")
        return act(f, q @ p("W1", dq, hidden) + p("b1", hidden)) @ act(f, k @ p("W2", dk, hidden) + p("b2", hidden)).T
    if kind == "hermitian":
        real = (q @ p("R_Q", dq, hidden)) @ (k @ p("R_K", dk, hidden)).T
        return real + (q @ p("I_Q", dq, hidden)) @ (k @ p("I_K", dk, hidden)).T
    raise KeyError(kind)


def masked(masks, m, n):
    allowed = np.ones((m, n), bool)
    for mask in masks or []:
        mask = mask if isinstance(mask, dict) else {"type": mask}
        if mask["type"] == "mask-padding":
            allowed &= np.arange(n)[None] < mask["length"]
        elif mask["type"] == "mask-explicit":
            allowed &= np.array(mask["allowed"], bool)
        elif mask["type"] == "mask-causal":
            allowed &= np.arange(n)[None] <= np.arange(m)[:, None]
        else:
            raise KeyError(mask["type"])
    return allowed


def attend(case, prefix, spec, q, k, v, score_=None, scores=None):
    """The general module: what `spec` says of score, alignment, mask and heads, parameters below `prefix`. Returns its
    three results."""
    m, n = len(q), len(k)
    allowed = masked(spec.get("mask"), m, n)
    kind, alignment = spec.get("score", score_), spec.get("alignment", "softmax")
    heads = spec.get("heads")
    if heads is None:
        e = scores if scores is not None else score(kind, lambda x, *s: case.drawn(f"{prefix}score.{x}", *s), q, k)
        a = align(alignment, e, allowed)
        return {"scores": e, "weights": a, "context": a @ v}
    h = heads["count"]
    p, pv = -(-q.shape[1] // h), -(-v.shape[1] // h)
    W_Q, W_K = (case.drawn(f"{prefix}heads.{x}", h, s, p) for x, s in (("W_Q", q.shape[1]), ("W_K", k.shape[1])))
    W_V = case.drawn(f"{prefix}heads.W_V", h, v.shape[1], pv)
    W_O = case.drawn(f"{prefix}heads.W_O", h * pv, v.shape[1])
    es = [
        score(kind, lambda x, *s, t=t: case.drawn(f"{prefix}score.{x}", h, *s)[t], q @ W_Q[t], k @ W_K[t])
        for t in range(h)
    ]
    maps = [align(alignment, e, allowed) for e in es]
    each = [a @ (v @ W_V[t]) for t, a in enumerate(maps)]
    return {
        "scores": np.stack(es),
        "weights": np.stack(maps),
        "heads": np.stack(each),
        "context": np.concatenate(each, axis=1) @ W_O,
    }


def named(prefix, results, ending=""):
    return {f"{prefix}{name}{ending}": x for name, x in results.items()}
