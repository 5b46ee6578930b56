# SPDX-License-Identifier: Apache-2.0
"""Levels, areas and representations, each against its formula in NumPy (judge_parts.py), with every
number given: attend64 to 1e-9."""
import numpy as np
import pytest
from judge_cases import Judge, check
from judge_parts import align, attend, named, score, sigmoid, softmax

judge = Judge()


def mean(x):
    return x.mean(axis=0, keepdims=True)


def level(c, name, knobs, x, spans):
    """Each span by itself: weights as rows over all of x, contexts as rows."""
    e = score(
        knobs.get(name, {}).get("score", "self-additive"),
        lambda p, *s: c.drawn(f"structure.{name}.score.{p}", *s),
        x[:1],
        x,
    )
    allowed = np.array([[start <= j < end for j in range(len(x))] for start, end in spans])
    weights = align(knobs.get(name, {}).get("alignment", "softmax"), np.tile(e, (len(spans), 1)), allowed)
    return weights, weights @ x


LEVELS = {
    "plain": {},
    "other": {
        "word": {"score": "self-dot", "alignment": "sparsemax"},
        "sentence": {"score": {"type": "self-additive", "act": "relu"}},
    },
}


@judge("hierarchical", **LEVELS)
def hierarchical(c, knobs):
    x, spans = c.given("x", 7, 4), [[0, 2], [2, 6], [6, 7]]
    c.knobs(spans=spans)
    words, sentences = level(c, "word", knobs, x, spans)
    a, d = level(c, "sentence", knobs, sentences, [[0, 3]])
    c.want(
        word__weights=words,
        word__context=sentences,
        sentence__weights=a,
        sentence__context=d,
        context=d,
        weights=a @ words,
    )


@judge("hierarchical", one={})
def one_sentence(c, knobs):
    x = c.given("x", 4, 3)
    c.knobs(spans=[[0, 4]])
    words, sentences = level(c, "word", knobs, x, [[0, 4]])
    level(c, "sentence", knobs, sentences, [[0, 1]])
    c.want(context=sentences, weights=words)


@judge("hierarchical-3tier", **LEVELS, documents={"document": {"alignment": "sparsemax"}})
def three(c, knobs):
    x, spans, documents = c.given("x", 9, 4), [[0, 2], [2, 6], [6, 7], [7, 9]], [[0, 1], [1, 4]]
    c.knobs(spans=spans, documents=documents)
    words, sentences = level(c, "word", knobs, x, spans)
    a, rows = level(c, "sentence", knobs, sentences, documents)
    b, d = level(c, "document", knobs, rows, [[0, 2]])
    c.want(word__weights=words, sentence__weights=a, document__weights=b, context=d, weights=b @ a @ words)


@judge(
    "macro-target",
    plain={},
    other={"target": {"alignment": "sparsemax"}, "sentence": {"score": "general"}},
    additive={"sentence": {"score": "additive", "alignment": "sigmoid"}},
)
def target_first(c, knobs):
    general = "sentence" in knobs
    target, key = c.given("target", 3, 4), c.given("key", 5, 6 if general else 4)
    row = attend(c, "structure.target.", knobs.get("target", {}), mean(target), target, target, "self-additive")
    sentence = attend(c, "structure.sentence.", knobs.get("sentence", {}), row["context"], key, key, "dot")
    c.want(
        **named("target.", row),
        **named("sentence.", sentence),
        context=sentence["context"],
        weights=sentence["weights"],
    )


AREAS = {"plain": {}, "other": {"score": "additive", "alignment": "sparsemax"}, "general": {"score": "general"}}


@judge("area-attention-1d", **AREAS, w1={"w": 1}, w9={"w": 9, "score": "scaled-dot"})
def areas(c, knobs):
    q, k, v = c.given("query", 3, 4), c.given("key", 5, 4), c.given("value", 5, 2)
    borders = [(i, i + w) for i in range(5) for w in range(1, knobs.get("w", 3) + 1) if i + w <= 5]
    keys, values = (
        np.array([f(x[a:b]) for a, b in borders]) for x, f in ((k, lambda y: y.mean(0)), (v, lambda y: y.sum(0)))
    )
    c.want(**attend(c, "structure.", knobs, q, keys, values, "dot"), areas=borders)


@judge("area-attention-2d", **AREAS, narrow={"height": 2, "width": 1}, one={"height": 1, "width": 1})
def rectangles(c, knobs):
    q, k, v = c.given("query", 3, 4), c.given("key", 3, 4, 4), c.given("value", 3, 4, 2)
    borders = [
        (i, j, i + h, j + w)
        for i in range(3)
        for j in range(4)
        for h in range(1, knobs.get("height", 3) + 1)
        for w in range(1, knobs.get("width", 3) + 1)
        if i + h <= 3 and j + w <= 4
    ]
    keys = np.array([k[t:b, left:r].mean((0, 1)) for t, left, b, r in borders])
    values = np.array([v[t:b, left:r].sum((0, 1)) for t, left, b, r in borders])
    c.want(**attend(c, "structure.", knobs, q, keys, values, "dot"), areas=borders)


def represented(c, widths):
    mapped = []
    for e, width in enumerate(widths, 1):
        x = c.given(f"x{e}", 4, width)
        mapped.append(x @ c.drawn(f"structure.W{e}", width, 5) + c.drawn(f"structure.b{e}", 5))
    return np.stack(mapped, axis=1)  # [n E dt]


GATES = {"plain": {}, "sigmoid": {"gate": "sigmoid"}}


@judge("multi-representational", **GATES)
def representations(c, knobs):
    x = represented(c, [3, 6, 2])
    e = x @ c.drawn("structure.a", 5) + c.drawn("structure.b")
    a = sigmoid(e) if knobs.get("gate") == "sigmoid" else softmax(e)
    c.want(weights=a, context=(a[..., None] * x).sum(1))


@judge("multi-representational", one={})
def one_representation(c, knobs):
    x = represented(c, [3])
    c.drawn("structure.a", 5)
    c.want(weights=np.ones((4, 1)), context=x[:, 0])


@judge("multilingual-meta", **GATES)
def languages(c, knobs):
    x = represented(c, [3, 6])
    e = np.tanh(x @ c.drawn("structure.a", 5) + c.drawn("structure.b"))
    a = sigmoid(e) if knobs.get("gate") == "sigmoid" else softmax(e)
    c.want(weights=a, context=(a[..., None] * x).sum(1))


def lstm(c, prefix, x, hidden):
    W, U, b = (
        c.drawn(prefix + "W", x.shape[1], 4 * hidden),
        c.drawn(prefix + "U", hidden, 4 * hidden),
        c.drawn(prefix + "b", 4 * hidden),
    )
    h, s, rows = np.zeros(hidden), np.zeros(hidden), []
    for row in x:
        i, f, g, o = np.split(row @ W + h @ U + b, 4)
        s = sigmoid(f) * s + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(s)
        rows.append(h)
    return np.array(rows)


@judge("cdme", **GATES)
def contextual(c, knobs):
    c.knobs(encoder={"type": "fm-birnn", "cell": "lstm", "hidden": 2})
    x = represented(c, [3, 6])
    e = []
    for t in range(2):
        there = lstm(c, "structure.encoder.forward.", x[:, t], 2)
        back = lstm(c, "structure.encoder.backward.", x[::-1, t], 2)[::-1]
        e.append(np.hstack([there, back]) @ c.drawn("structure.a", 4) + c.drawn("structure.b"))
    e = np.stack(e, axis=1)
    a = sigmoid(e) if knobs.get("gate") == "sigmoid" else softmax(e)
    c.want(weights=a, context=(a[..., None] * x).sum(1))


@pytest.fixture(scope="module")
def answers():
    return judge.answers()


@pytest.mark.parametrize("case", judge.cases, ids=lambda c: c.name)
def test_a_level_or_representation_is_its_formula(case, answers):
    check(case, answers[case.name])
