# SPDX-License-Identifier: Apache-2.0
"""Alignments and masks since 2017 against NumPy, from the formulas alone. Each row has documents with
explicit numbers: plain, under a causal mask, in heads, and in heads that share keys. Run by pytest."""
import math

import numpy as np
import pytest
from judge import Draw, allow, document, sigmoid, softmax
from judge_today import held, per_head, refused


def with_sink(e, seen, sink):
    """exp(e) / (exp(sink) + sum exp(e)) over the keys seen, and what the sink gets."""
    sink = np.broadcast_to(np.asarray(sink, dtype=float), e.shape[:-1])[..., None]
    both = np.concatenate([sink, np.where(seen, e, -np.inf)], axis=-1)
    weights = softmax(both)
    return weights[..., 1:], weights[..., 0]


def stick(e, seen):
    weights, left = np.zeros_like(e), np.ones(e.shape[:-1])
    for j in reversed(range(e.shape[-1])):
        share = np.where(seen[..., j], sigmoid(e[..., j]), 0)
        weights[..., j] = left * share
        left = left * (1 - share)
    return weights, left


def counts(seen):
    return np.maximum(seen.sum(-1, keepdims=True), 1)


ALIGNMENTS = {
    "softmax-one": ({}, {}, lambda e, seen, p: with_sink(e, seen, 0.0)),
    "softmax-one, more": ({"extra": 3.5}, {}, lambda e, seen, p: with_sink(e, seen, math.log(3.5))),
    "learned-sink": ({}, {"s": 0.7}, lambda e, seen, p: with_sink(e, seen, np.asarray(p["s"])[..., None])),
    "soft-cap": ({"cap": 1.5}, {}, lambda e, seen, p: (softmax(allow(1.5 * np.tanh(e / 1.5), seen)), None)),
    "soft-cap, of a sink": ({"cap": 1.5, "base": "softmax-one"}, {},
                            lambda e, seen, p: with_sink(1.5 * np.tanh(e / 1.5), seen, 0.0)),
    "stick-breaking": ({}, {}, lambda e, seen, p: stick(e, seen)),
    "scalable-softmax": ({}, {"s": 0.9},
                         lambda e, seen, p: (softmax(allow(per_head(p["s"]) * np.log(counts(seen)) * e, seen)), None)),
    "sigmoid-biased": ({}, {"b": -0.4},
                       lambda e, seen, p: (np.where(seen, sigmoid(e + per_head(p["b"])), 0), None)),
    "relu-attention": ({"alpha": 0.5}, {},
                       lambda e, seen, p: (np.where(seen, np.maximum(e, 0) / counts(seen) ** 0.5, 0), None)),
    "relu-attention, squared": ({"power": 2}, {},
                                lambda e, seen, p: (np.where(seen, np.maximum(e, 0) ** 2 / counts(seen), 0), None)),
    "cog-signed": ({}, {}, lambda e, seen, p: (np.sign(e) * softmax(allow(np.abs(e), seen)), None)),
}


@pytest.mark.parametrize("name", ALIGNMENTS)
def test_an_alignment(name):
    knobs, given, align = ALIGNMENTS[name]
    draw, h = Draw(3), 2
    choice = {"type": name.split(",")[0], **knobs}
    documents, expected = [], []
    for size in (1, 4):  # one key, too
        q, k, v = draw(size, 6) * 2, draw(size, 6) * 2, draw(size, 3)
        e = q @ k.T / math.sqrt(6)
        for mask in ([], ["mask-causal"], ["mask-directional-fw"]):
            i, j = np.arange(size)[:, None], np.arange(size)[None, :]
            seen = {0: np.ones_like(e, dtype=bool)}.get(len(mask), j <= i if mask == ["mask-causal"] else j < i)
            weights, rest = align(e, seen, given)
            documents.append(document({"type": "attention", "alignment": choice, "mask": mask},
                                      {"query": q, "key": k, "value": v},
                                      {"alignment." + one: x for one, x in given.items()}))
            wanted = {"scores": e, "weights": weights, "context": weights @ v}
            expected.append(wanted if rest is None else {**wanted, "remainder": rest})
    # In heads each head has its own numbers.
    x, maps = draw(5, 4), {one: draw(h, 4, 3) for one in ("W_Q", "W_K", "W_V")}
    W_O = draw(h * 3, 4)
    each = {one: np.array([x0, x0 - 0.3]) for one, x0 in given.items()}
    q, k, v = (x @ maps[one] for one in ("W_Q", "W_K", "W_V"))
    e = q @ np.swapaxes(k, -1, -2) / math.sqrt(3)
    seen = np.broadcast_to(np.tril(np.ones((5, 5), dtype=bool)), e.shape)
    weights, rest = align(e, seen, each)
    context = (weights @ v).transpose(1, 0, 2).reshape(5, -1) @ W_O
    documents.append(document(
        {"type": "attention", "query": "self-attention", "alignment": choice, "mask": ["mask-causal"],
         "heads": {"type": "multi-head", "count": h}}, {"x": x},
        {**{"heads." + one: w for one, w in maps.items()}, "heads.W_O": W_O,
         **{"alignment." + one: w for one, w in each.items()}}))
    wanted = {"weights": weights, "context": context}
    expected.append(wanted if rest is None else {**wanted, "remainder": rest})
    held(documents, expected)


def test_the_bias_of_sigmoids_starts_at_the_number_of_keys():
    draw = Draw(4)
    q, k = draw(3, 4), draw(7, 4)
    held([document({"type": "attention", "alignment": "sigmoid-biased"}, {"query": q, "key": k})],
         [{"weights": sigmoid(q @ k.T / 2 - math.log(7))}])


def test_scalable_softmax_starts_at_its_number():
    draw = Draw(4)
    q, k = draw(3, 4), draw(7, 4)
    held([document({"type": "attention", "alignment": "scalable-softmax"}, {"query": q, "key": k})],
         [{"weights": softmax(0.43 * math.log(7) * (q @ k.T / 2))}])


LARGE = 1e4 * np.array([[1.0, 0.5, -1.0], [-1.0, -0.25, -0.5], [0.0, 1.0, 0.75]])


@pytest.mark.parametrize("name", ALIGNMENTS)
def test_scores_of_ten_thousand(name):
    knobs, given, align = ALIGNMENTS[name]
    seen = np.ones_like(LARGE, dtype=bool)
    with np.errstate(over="ignore"):
        weights, rest = align(LARGE, seen, given)
    wanted = {"weights": weights, "context": weights @ np.eye(3)}
    if rest is not None:
        wanted["remainder"] = rest
    inputs = {"query": np.eye(3), "key": np.eye(3), "value": np.eye(3), "energy": LARGE}
    mechanism = {"type": "attention", "score": "external-energy", "alignment": {"type": name.split(",")[0], **knobs}}
    held([document(mechanism, inputs, {"alignment." + one: x for one, x in given.items()})], [wanted])



def natten(n, grid, kernel):
    seen = np.ones((n, n), dtype=bool)
    where = np.stack(np.unravel_index(np.arange(n), grid), axis=-1)
    for axis, (size, k) in enumerate(zip(grid, kernel, strict=True)):
        start = np.clip(where[:, axis] - k // 2, 0, size - k)[:, None]
        seen &= (where[None, :, axis] >= start) & (where[None, :, axis] < start + k)
    return seen


def diffusion(n, block):
    length = n // 2
    side = np.arange(n) >= length  # True: clean
    of = np.arange(n) % length // block
    bi, bj, ci, cj = of[:, None], of[None, :], side[:, None], side[None, :]
    return ((bi == bj) & (ci == cj)) | (~ci & cj & (bi > bj)) | (ci & cj & (bi >= bj))


N = 12
I, J = np.arange(N)[:, None], np.arange(N)[None, :]
DOCUMENTS = [3, 3, 3, -1, -1, 0, 0, 0, 0, 3, 3, 7]
MASKS = {
    "mask-sliding": ({"window": 3}, (I - J >= 0) & (I - J < 3)),
    "mask-sliding, usual": ({}, (I - J >= 0) & (I - J < 4)),
    "mask-sliding, none": ({"window": 0}, np.zeros((N, N), dtype=bool)),
    "mask-sink-window": ({"sinks": 2, "window": 3}, (J <= I) & ((I - J < 3) | (J < 2))),
    "mask-sink-window, wide": ({"sinks": 40, "window": 1}, J <= I),
    "mask-document": ({"documents": DOCUMENTS}, np.equal.outer(DOCUMENTS, DOCUMENTS)),
    "mask-prefix": ({"length": 5}, (J <= I) | (J < 5)),
    "mask-prefix, usual": ({}, (J <= I) | (J < 1)),
    "mask-natten": ({"grid": [3, 4], "kernel": [3, 1]}, natten(N, (3, 4), (3, 1))),
    "mask-natten, square": ({"grid": [4, 3], "kernel": 3}, natten(N, (4, 3), (3, 3))),
    "mask-natten, a line": ({"grid": [12], "kernel": 5}, natten(N, (12,), (5,))),
    "mask-natten, no grid": ({"kernel": 7}, natten(N, (12,), (7,))),
    "mask-block-diffusion": ({"length": 6, "block": 2}, diffusion(N, 2)),
    "mask-block-diffusion, usual": ({}, diffusion(N, 4)),
    "mask-block-diffusion, long blocks": ({"block": 50}, diffusion(N, 50)),
    "mask-dilated": ({"window": 5, "dilation": 3}, (abs(I - J) <= 5) & ((I - J) % 3 == 0)),
    "mask-dilated, usual": ({}, (abs(I - J) <= 4) & ((I - J) % 2 == 0)),
    "mask-sliding-chunk": ({"block": 3, "back": 2}, (J <= I) & (I // 3 - J // 3 <= 2)),
    "mask-sliding-chunk, usual": ({}, (J <= I) & (I // 4 - J // 4 <= 1)),
    "mask-sliding-chunk, long": ({"block": 99, "back": 0}, J <= I),
}


@pytest.mark.parametrize("name", MASKS)
def test_a_mask(name):
    knobs, seen = MASKS[name]
    draw, documents, expected = Draw(5), [], []
    q, k, v = draw(N, 4), draw(N, 4), draw(N, 3)
    e = q @ k.T / 2
    for alignment in ("softmax", "stick-breaking"):
        weights = softmax(allow(e, seen)) if alignment == "softmax" else stick(e, seen)[0]
        documents.append(document(
            {"type": "attention", "alignment": alignment, "mask": [{"type": name.split(",")[0], **knobs}]},
            {"query": q, "key": k, "value": v}))
        expected.append({"mask": seen, "scores": e, "weights": weights, "context": weights @ v})
    held(documents, expected)



def bad(**members):
    draw = Draw(6)
    return document({"type": "attention", **members}, {"query": draw(6, 4), "key": draw(6, 4)})


@pytest.mark.parametrize("one, path, words", [
    ({"alignment": {"type": "soft-cap", "cap": 0}}, "/mechanism/alignment/cap", ["above 0", "found 0"]),
    ({"alignment": {"type": "softmax-one", "extra": -1}}, "/mechanism/alignment/extra", ["at least 0", "found -1"]),
    ({"alignment": {"type": "relu-attention", "power": 3}}, "/mechanism/alignment/power", ["at most 2", "found 3"]),
    ({"mask": [{"type": "mask-sliding", "window": 1.5}]}, "/mechanism/mask/0/window", ["whole number", "1.5"]),
    ({"mask": [{"type": "mask-dilated", "dilation": 0}]}, "/mechanism/mask/0/dilation", ["at least 1", "found 0"]),
    ({"mask": [{"type": "mask-document", "documents": [1, 2]}]}, "/mechanism/mask/0/documents", ["6 keys", "[1 2]"]),
    ({"mask": [{"type": "mask-document", "documents": [1, 1, 2, 2.5, 3, 3]}]}, "/mechanism/mask/0/documents/3",
     ["whole number", "2.5"]),
    ({"mask": ["mask-document"]}, "/mechanism/mask/0/documents", ["required"]),
    ({"mask": [{"type": "mask-natten", "grid": [2, 4]}]}, "/mechanism/mask/0/grid", ["8 positions", "6 keys"]),
    ({"mask": [{"type": "mask-natten", "grid": [2, 3], "kernel": 2}]}, "/mechanism/mask/0/kernel", ["odd", "found 2"]),
    ({"mask": [{"type": "mask-natten", "grid": [2, 3], "kernel": 3}]}, "/mechanism/mask/0/kernel", ["at most 2"]),
    ({"mask": [{"type": "mask-block-diffusion", "length": 4}]}, "/mechanism/mask/0/length", ["6 queries", "half"]),
    ({"position": {"type": "pos-alibi", "slopes": [1, 2]}}, "/mechanism/position/slopes", ["one slope", "[1 2]"]),
    ({"position": {"type": "pos-t5-bias", "buckets": 7}}, "/mechanism/position/buckets", ["even", "7"]),
    ({"position": {"type": "pos-t5-bias", "max": 8}}, "/mechanism/position/max", ["above 8", "found 8"]),
    ({"position": "pos-path", "score": "additive"}, "/mechanism/score", ["cannot be combined with"]),
    ({"position": {"type": "pos-xpos", "g": 0}}, "/mechanism/position/g", ["above 0"]),
])
def test_what_is_wrong_is_named(one, path, words):
    refused(bad(**one), path, *words)


@pytest.mark.parametrize("f, found", [(0.0, "0"), (1.25, "1.25"), (-0.5, "-0.5")])
def test_a_gate_outside_of_its_range_is_refused(f, found):
    one = bad(position="pos-forgetting")
    one["parameters"] = {"position.f": [1, 1, f, 1, 1, 1]}
    refused(one, "/parameters/position.f", "above 0 and at most 1", "found " + found, "at 2")
