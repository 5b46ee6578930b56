# SPDX-License-Identifier: Apache-2.0
"""What happens between the projections and the scores, against NumPy: rotations with every scaling, QK norm, value
residual, gated output; alone, in heads and beside cores. Run by pytest."""
import math

import numpy as np
import pytest
from judge import TOLERANCE, Draw, differences, document, run, sigmoid, softmax


def speeds(r, n, base=10000.0, scaling="none", factor=1.0, length=2048, fast=32.0, slow=1.0, truncate=True,
           mscale=None, low=1.0, high=4.0, **_):
    """theta [r/2], and what cosines and sines are multiplied by."""
    if scaling in ("ntk", "dynamic") and r > 2:
        stretch = factor if scaling == "ntk" else factor * max(n, length) / length - (factor - 1)
        base *= stretch ** (r / (r - 2))
    theta = base ** (-2 * np.arange(r // 2) / r)
    if scaling == "linear":
        theta /= factor
    if scaling == "yarn":
        pair = [r * math.log(length / (2 * math.pi * turns)) / (2 * math.log(base)) for turns in (fast, slow)]
        if truncate:
            pair = [math.floor(pair[0]), math.ceil(pair[1])]
        first, last = max(0, pair[0]), min(r - 1, pair[1])
        ramp = np.clip((np.arange(r // 2) - first) / ((last - first) or 0.001), 0, 1)
        theta = theta * (1 - ramp) + theta / factor * ramp
    if scaling == "llama3":
        turns = length * theta / (2 * math.pi)
        smooth = (turns - low) / (high - low)
        between = (1 - smooth) * theta / factor + smooth * theta
        theta = np.where(turns > high, theta, np.where(turns < low, theta / factor, between))
    if mscale is None:
        mscale = 0.1 * math.log(factor) + 1 if scaling == "yarn" else 1.0
    return theta, mscale


def rotated(x, n, fraction=1.0, pairs="half", start=0, **knobs):
    """Rows [.. n p] as complex numbers, each turned by its position."""
    r = 2 * math.floor(fraction * x.shape[-1] / 2 + 1e-9)
    if r == 0:
        return x
    theta, size = speeds(r, n, **knobs)
    a, b = (x[..., :r:2], x[..., 1:r:2]) if pairs == "neighbour" else (x[..., : r // 2], x[..., r // 2 : r])
    z = (a + 1j * b) * size * np.exp(1j * np.outer(start + np.arange(x.shape[-2]), theta))
    y = x.copy()
    if pairs == "neighbour":
        y[..., :r:2], y[..., 1:r:2] = z.real, z.imag
    else:
        y[..., : r // 2], y[..., r // 2 : r] = z.real, z.imag
    return y


SCALED = {"factor": 4, "length": 16}
ROTATIONS = {
    "plain": {},
    "neighbours, from 9 on": {"pairs": "neighbour", "start": 9},
    "half of the features": {"fraction": 0.5, "base": 50.5},
    "a third of neighbours": {"fraction": 0.34, "pairs": "neighbour"},
    "linear": {"scaling": "linear", **SCALED},
    "ntk": {"scaling": "ntk", **SCALED},
    "ntk of two features": {"scaling": "ntk", "fraction": 0.3, **SCALED},
    "dynamic, longer than trained": {"scaling": "dynamic", "factor": 4, "length": 3},
    "dynamic, shorter": {"scaling": "dynamic", "factor": 4, "length": 30},
    "yarn": {"scaling": "yarn", "fast": 2, "slow": 0.2, "base": 20, **SCALED},
    "yarn, parts of pairs": {"scaling": "yarn", "fast": 2, "slow": 0.2, "base": 20, "truncate": False, **SCALED},
    "yarn, one pair": {"scaling": "yarn", "fast": 1, "slow": 1, "truncate": False, **SCALED},
    "yarn, its size given": {"scaling": "yarn", "mscale": 1.3, **SCALED},
    "yarn, as gpt-oss": {"scaling": "yarn", "base": 150000, "factor": 32, "length": 4096, "truncate": False},
    "llama3": {"scaling": "llama3", "factor": 8, "length": 20, "base": 50},
    "llama3, as released": {"scaling": "llama3", "factor": 8, "length": 8192, "base": 500000},
}


def attended(q, k, v):
    e = q @ np.swapaxes(k, -1, -2) / math.sqrt(q.shape[-1])
    weights = softmax(e)
    return {"query": q, "key": k, "scores": e, "weights": weights}, weights @ v


def heads(draw, d, p, h=2):
    return {"W_Q": draw(h, d, p), "W_K": draw(h, d, p), "W_V": draw(h, d, 3), "W_O": draw(h * 3, d)}


def in_heads(maps):
    return {"heads." + name: x for name, x in maps.items()}


def joined(context, W_O):
    return context.transpose(1, 0, 2).reshape(context.shape[1], -1) @ W_O


def held(documents, expected):
    for answer, wanted in zip(run(documents), expected, strict=True):
        assert "error" not in answer, answer
        found = differences(answer, wanted)
        assert max(found.values()) < TOLERANCE, found


@pytest.mark.parametrize("name", ROTATIONS)
def test_a_rotation(name):
    knobs, draw = ROTATIONS[name], Draw(7)
    position = {"type": "pos-rope", **knobs}
    documents, expected = [], []
    for p in (6, 7):  # an odd width, too
        q, k, v = draw(4, p), draw(5, p), draw(5, 3)
        documents.append(document({"type": "attention", "position": position}, {"query": q, "key": k, "value": v}))
        results, context = attended(rotated(q, 5, **knobs), rotated(k, 5, **knobs), v)
        expected.append({**results, "context": context})
    x, maps = draw(5, 4), heads(draw, 4, 6)
    mechanism = {"type": "attention", "query": "self-attention", "heads": {"type": "multi-head", "count": 2}}
    documents.append(document({**mechanism, "position": position}, {"x": x}, in_heads(maps)))
    q, k = (rotated(x @ maps[name], 5, **knobs) for name in ("W_Q", "W_K"))
    results, context = attended(q, k, x @ maps["W_V"])
    expected.append({**results, "context": joined(context, maps["W_O"])})
    # Beside a core, in heads: linear attention with the features elu + 1.
    documents.append(document({**mechanism, "position": position, "core": "linear"}, {"x": x}, in_heads(maps)))
    fq, fk = (np.where(y > 0, y + 1, np.exp(np.minimum(y, 0))) for y in (q, k))
    kernel = fq @ np.swapaxes(fk, -1, -2)
    context = kernel / kernel.sum(-1, keepdims=True) @ (x @ maps["W_V"])
    expected.append({"query": q, "key": k, "context": joined(context, maps["W_O"])})
    held(documents, expected)


def normed(x, gamma, kind="rms", over="head", eps=1e-6, offset=0.0):
    axes = (-1, -3) if over == "heads" and x.ndim > 2 else (-1,)
    if kind == "layer":
        x = x - x.mean(axes, keepdims=True)
    squares = (x**2).mean(axes, keepdims=True)
    count = math.prod(x.shape[axis] for axis in axes)
    size = np.maximum(np.sqrt(squares * count), 1e-12) if kind == "l2" else np.sqrt(squares + eps)
    return x / size * (gamma + offset)


@pytest.mark.parametrize("kind", ["rms", "layer", "l2"])
@pytest.mark.parametrize("over", ["head", "heads"])
def test_a_norm_of_queries_and_keys(kind, over):
    draw, knobs = Draw(3), {"kind": kind, "over": over, "eps": 1e-3, "offset": 1}
    qk = {"type": "qk-norm", **knobs}
    q, k, v, gammas = draw(4, 5), draw(6, 5), draw(6, 3), (draw(5), draw(5))
    documents = [document({"type": "attention", "qk": qk}, {"query": q, "key": k, "value": v},
                          {"qk.gamma_Q": gammas[0], "qk.gamma_K": gammas[1]})]
    results, context = attended(normed(q, gammas[0], **knobs), normed(k, gammas[1], **knobs), v)
    expected = [{**results, "context": context}]
    x, maps = draw(5, 4), heads(draw, 4, 6)
    shape = (2, 6) if over == "heads" else (6,)
    own = {"qk.gamma_Q": draw(*shape), "qk.gamma_K": draw(*shape)}
    mechanism = {"type": "attention", "query": "self-attention", "heads": {"type": "multi-head", "count": 2}, "qk": qk}
    documents.append(document({**mechanism, "position": "pos-rope"}, {"x": x}, {**in_heads(maps), **own}))
    rows = []
    for side in "QK":
        gamma = own["qk.gamma_" + side]
        gamma = gamma[:, None] if over == "heads" else gamma
        rows.append(rotated(normed(x @ maps["W_" + side], gamma, **knobs), 5))
    results, context = attended(*rows, x @ maps["W_V"])
    expected.append({**results, "context": joined(context, maps["W_O"])})
    held(documents, expected)


@pytest.mark.parametrize("per", ["element", "head"])
def test_a_gated_output(per):
    draw, aggregate = Draw(5), {"type": "gated-output", "per": per}
    q, k, v = draw(4, 5), draw(6, 5), draw(6, 3)
    width = 3 if per == "element" else 1
    W, b = draw(5, width), draw(width)
    documents = [document({"type": "attention", "aggregate": aggregate}, {"query": q, "key": k, "value": v},
                          {"aggregate.W_g": W, "aggregate.b_g": b})]
    _, context = attended(q, k, v)
    gate = sigmoid(q @ W + b)
    expected = [{"gate": gate, "context": context, "output": gate * context}]
    x, maps, W, b = draw(5, 4), heads(draw, 4, 6), draw(2, 4, width), draw(2, width)
    documents.append(document(
        {"type": "attention", "query": "self-attention", "heads": {"type": "multi-head", "count": 2},
         "aggregate": aggregate, "position": "pos-rope"},
        {"x": x}, {**in_heads(maps), "aggregate.W_g": W, "aggregate.b_g": b}))
    _, context = attended(rotated(x @ maps["W_Q"], 5), rotated(x @ maps["W_K"], 5), x @ maps["W_V"])
    gate = sigmoid(x @ W + b[:, None])
    expected.append({"gate": gate, "heads": gate * context, "context": joined(gate * context, maps["W_O"])})
    held(documents, expected)


def test_a_value_residual_in_two_layers():
    draw = Draw(11)
    x, one, two, share = draw(5, 4), heads(draw, 4, 6), heads(draw, 4, 6), draw(2)
    layer = {"type": "attention", "query": "self-attention", "heads": {"type": "multi-head", "count": 2}}
    model = document(None, {"x": x}, {
        **{"one.heads." + name: W for name, W in one.items()}, **{"two.heads." + name: W for name, W in two.items()},
        "two.value.lambda": share})
    del model["mechanism"]
    model["model"] = [{"name": "one", **layer},
                      {"name": "two", **layer, "inputs": {"x": "one", "first": "one.value"}, "value": "value-residual"}]
    _, context = attended(x @ one["W_Q"], x @ one["W_K"], x @ one["W_V"])
    y, first = joined(context, one["W_O"]), x @ one["W_V"]
    v = share[0] * (y @ two["W_V"]) + share[1] * first
    _, context = attended(y @ two["W_Q"], y @ two["W_K"], v)
    held([model], [{"one.value": first, "two.value": v, "two.context": joined(context, two["W_O"])}])
