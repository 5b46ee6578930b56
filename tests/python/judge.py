# SPDX-License-Identifier: Apache-2.0
"""What the independent judges share: documents with explicit numbers go to attend64 in one process, and what comes
back is compared with formulas written here in NumPy, without a look at the engine."""
import json
import math
import os
import subprocess

import numpy as np

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.join(ROOT, "build", "bin", "attend64")
TOLERANCE = 1e-9


class Draw:
    """Numbers that a document gives, the same in every run."""

    def __init__(self, seed):
        self.random = np.random.default_rng(seed)

    def __call__(self, *shape):
        return self.random.standard_normal(shape) * 0.8

    def bits(self, *shape):
        return self.random.integers(0, 2, shape).astype(float)


def tensor(x):
    x = np.asarray(x, dtype=float)
    return float(x) if x.ndim == 0 else {"shape": list(x.shape), "data": x.reshape(-1).tolist()}


def document(mechanism, inputs, parameters=None, **more):
    return {
        "schema": "attention-playground/1",
        "mechanism": mechanism,
        "inputs": {name: tensor(x) for name, x in inputs.items()},
        "parameters": {name: tensor(x) for name, x in (parameters or {}).items()},
        **more,
    }


def run(documents):
    lines = "\n".join(json.dumps(one) for one in documents)
    done = subprocess.run([TOOL, "run", "--lines", "-"], input=lines, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def array(result):
    return np.array([math.nan if x is None else x for x in result["data"]], dtype=float).reshape(result["shape"])


def differences(answer, expected):
    """The largest difference of each result, infinite where it is missing or of another shape."""
    found = {}
    for name, wanted in expected.items():
        wanted = np.asarray(wanted, dtype=float)
        result = answer.get("outputs", {}).get(name)
        if result is None or list(result["shape"]) != list(wanted.shape):
            found[name] = math.inf
        else:
            gap = np.abs(array(result) - wanted)
            found[name] = math.inf if np.isnan(gap).any() else float(gap.max(initial=0))
    return found


def softmax(e, axis=-1):
    """Rows with nothing allowed (all -inf) are zeros."""
    top = e.max(axis, keepdims=True)
    x = np.exp(e - np.where(np.isfinite(top), top, 0))
    total = x.sum(axis, keepdims=True)
    return x / np.where(total == 0, 1, total)


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def relu(x):
    return np.maximum(x, 0)


def elu(x):
    return np.where(x > 0, x, np.expm1(np.minimum(x, 0)))


def layer_norm(x, gamma=1.0, beta=0.0):
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return (x - mean) / np.sqrt(variance + 1e-5) * gamma + beta


def allow(scores, allowed):
    return np.where(allowed, scores, -np.inf)


def places(m, n):
    """i [m 1] and j [1 n]."""
    return np.arange(m)[:, None], np.arange(n)[None, :]


def sinusoid(positions, d):
    """Rows of the sinusoidal encoding, sines and cosines in turn; positions may be negative."""
    c = np.arange(d)
    angle = np.asarray(positions, dtype=float)[..., None] / 10000.0 ** (2 * (c // 2) / d)
    return np.where(c % 2 == 0, np.sin(angle), np.cos(angle))
