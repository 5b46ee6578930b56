# SPDX-License-Identifier: Apache-2.0
"""Two inputs, levels and representations, each against its formula in NumPy (judge_parts.py), with every
number given: attend64 to 1e-9."""
import numpy as np
import pytest
from judge_cases import Judge, check
from judge_parts import act, align, attend, named, score, sigmoid, softmax
from judge_scores import ACTS

judge = Judge()
ACTED = {f"act {name}": {"act": name} for name in ACTS}


def mean(x):
    return x.mean(axis=0, keepdims=True)


def sides(c, d1=4, d2=6, n1=5, n2=3, v1=3, v2=2):
    """Keys and values of both sides; without widths of values, the keys are the values."""
    k1, k2 = c.given("key1", n1, d1), c.given("key2", n2, d2)
    return k1, k2, c.given("value1", n1, v1) if v1 else k1, c.given("value2", n2, v2) if v2 else k2


def two(c, first, second, **more):
    """The results of both sides; output is one behind the other."""
    for ending, results in (("1", first), ("2", second)):
        c.want(**{name + ending: results[name] for name in ("scores", "weights", "context")})
    c.want(**more)


def answer(e, v, alignment="softmax", allowed=None):
    a = align(alignment, np.atleast_2d(e), allowed)
    return {"scores": np.atleast_2d(e), "weights": a, "context": a @ v}


HEADS = {"heads": {"type": "multi-head", "count": 2}, "score": "scaled-dot"}
MASK = {"mask": [{"type": "mask-padding", "length": 2}]}


@judge("singular-features", plain={}, additive={"score": "additive", "alignment": "sparsemax"})
@judge("single-level", plain={}, additive={"score": {"type": "general"}, "alignment": "sigmoid"})
@judge(
    "single-representational",
    plain={},
    additive={"score": "concat", "alignment": {"type": "alpha-entmax", "alpha": 1.7}},
)
@judge("feature-juxtaposition", plain={}, additive={"score": "biased-general", "alignment": "hard-argmax"})
def plain(c, knobs):
    q, k, v = c.given("query", 3, 4), c.given("key", 5, 4), c.given("value", 5, 2)
    c.want(**attend(c, "structure.", knobs, q, k, v, "dot"))


@judge(
    "coatt-alternating",
    plain={},
    spread={"second": {"score": "general", "alignment": "sparsemax"}},
    sharp={"first": {"alignment": {"type": "softmax-temperature", "temperature": 0.3}}, "second": MASK},
)
def alternating(c, knobs):
    k1, k2, v1, v2 = sides(c)
    first, second = knobs.get("first", {}), knobs.get("second", {})
    p = lambda x, *s: c.drawn(f"structure.first.score.{x}", *s)  # noqa: E731
    W1, W2, b, w = p("W1", 2, 7), p("W2", 4, 7), p("b", 7), p("w", 7)
    one = answer(np.tanh(k1 @ W2 + b) @ w, v1, first.get("alignment", "softmax"))
    c2 = attend(c, "structure.second.", second, one["context"], k2, v2, "additive")
    c1 = answer(np.tanh(c2["context"] @ W1 + k1 @ W2 + b) @ w, v1, first.get("alignment", "softmax"))
    c.want(**named("first.", one), **named("second.", c2), **named("third.", c1))
    two(c, c1, c2, output=np.hstack([c1["context"], c2["context"]]))


def gru(c, prefix, x, h):
    W, U = c.drawn(prefix + "W", x.shape[1], 3 * h.shape[1]), c.drawn(prefix + "U", h.shape[1], 3 * h.shape[1])
    own, before = x @ W + c.drawn(prefix + "b", 3 * h.shape[1]), h @ U + c.drawn(prefix + "c", 3 * h.shape[1])
    (r, z, n), (r_, z_, n_) = np.split(own, 3, axis=1), np.split(before, 3, axis=1)
    r, z = sigmoid(r + r_), sigmoid(z + z_)
    return (1 - z) * np.tanh(n + r * n_) + z * h


@judge(
    "coatt-sordoni",
    plain={},
    one={"steps": 1, "gates": False},
    more={"steps": 2, "second": {"score": "additive", "alignment": "sparsemax"}},
)
def sordoni(c, knobs):
    """The search state asks side 1; state and answer side 2; gates of [s; c2; c1; c2 * c1] before the state moves."""
    k1, k2, v1, v2 = sides(c, 4, 6, v1=3, v2=3)
    s = c.given("query", 1, 5)
    for _ in range(knobs.get("steps", 4)):
        c1 = attend(c, "structure.first.", knobs.get("first", {}), s, k1, v1, "biased-general")
        c2 = attend(
            c, "structure.second.", knobs.get("second", {}), np.hstack([s, c1["context"]]), k2, v2, "biased-general"
        )
        one, other = c1["context"], c2["context"]
        if knobs.get("gates", True):
            row = np.hstack([s, other, one, other * one])
            g1, g2 = (
                sigmoid(row @ c.drawn(f"structure.W_g{i}", 14, 3) + c.drawn(f"structure.b_g{i}", 3)) for i in (1, 2)
            )
            one, other = g1 * one, g2 * other
        s = gru(c, "structure.cell.", np.hstack([one, other]), s)
    two(c, c1, c2, state=s)


@judge(
    "coatt-interactive",
    plain={},
    other={"first": {"score": "general", "alignment": "sparsemax"}, "second": {"score": "additive"}},
    masked={"first": MASK, "second": {"score": {"type": "concat", "hidden": 3}, "alignment": "sigmoid"}},
)
def interactive(c, knobs):
    k1, k2, v1, v2 = sides(c)
    c1 = attend(c, "structure.first.", knobs.get("first", {}), mean(k2), k1, v1, "activated-general")
    c2 = attend(c, "structure.second.", knobs.get("second", {}), mean(k1), k2, v2, "activated-general")
    c.want(**named("first.", c1), **named("second.", c2))
    two(c, c1, c2, output=np.hstack([c1["context"], c2["context"]]))


@judge(
    "coatt-interactive",
    heads={"first": HEADS, "second": {"score": "dot", "heads": {"type": "multi-head", "count": 3}}},
)
def interactive_heads(c, knobs):
    k1, k2, v1, v2 = sides(c, 4, 6, v1=None, v2=None)
    c1 = attend(c, "structure.first.", knobs["first"], mean(k2), k1, v1)
    c2 = attend(c, "structure.second.", knobs["second"], mean(k1), k2, v2)
    two(c, c1, c2, output=np.hstack([c1["context"], c2["context"]]))


@judge(
    "coatt-interactive-selfpool",
    plain={},
    other={"first": {"score": "additive"}, "second": {"score": "general", "alignment": "sparsemax"}},
)
def selfpool(c, knobs):
    k1, k2, v1, v2 = sides(c)
    pooled = []
    for side, k in (("1", k1), ("2", k2)):
        p = lambda x, *s, side=side: c.drawn(f"structure.pool{side}.{x}", *s)  # noqa: E731
        pooled.append(softmax(np.tanh(k @ p("W", k.shape[1], 3) + p("b", 3)) @ p("w", 3))[None] @ k)
    c1 = attend(c, "structure.first.", knobs.get("first", {}), pooled[1], k1, v1, "activated-general")
    c2 = attend(c, "structure.second.", knobs.get("second", {}), pooled[0], k2, v2, "activated-general")
    two(c, c1, c2, output=np.hstack([c1["context"], c2["context"]]))


@judge(
    "coatt-parallel",
    plain={},
    **ACTED,
    other={"first": {"alignment": "sparsemax"}, "second": {"alignment": "sigmoid"}},
)
def parallel(c, knobs):
    k1, k2, v1, v2 = sides(c)
    p = lambda x, *s: c.drawn(f"structure.{x}", *s)  # noqa: E731
    f = knobs.get("act", "tanh")
    affinity = act(f, k1 @ p("W_A", 4, 6) @ k2.T)
    one, other = k1 @ p("W1", 4, 5), k2 @ p("W2", 6, 5)
    c1 = answer(act(f, one + affinity @ other) @ p("w1", 5), v1, knobs.get("first", {}).get("alignment", "softmax"))
    c2 = answer(
        act(f, other + affinity.T @ one) @ p("w2", 5), v2, knobs.get("second", {}).get("alignment", "softmax")
    )
    two(c, c1, c2, affinity=affinity, output=np.hstack([c1["context"], c2["context"]]))


@judge("coatt-parallel", sum={"merge": "sum"})
def parallel_sum(c, knobs):
    k1, k2, v1, v2 = sides(c, 4, 6, v1=3, v2=3)
    p = lambda x, *s: c.drawn(f"structure.{x}", *s)  # noqa: E731
    affinity = np.tanh(k1 @ p("W_A", 4, 6) @ k2.T)
    one, other = k1 @ p("W1", 4, 5), k2 @ p("W2", 6, 5)
    c1 = answer(np.tanh(one + affinity @ other) @ p("w1", 5), v1)
    c2 = answer(np.tanh(other + affinity.T @ one) @ p("w2", 5), v2)
    two(c, c1, c2, output=c1["context"] + c2["context"])


SCORES = {
    "plain": {},
    "co_affinity": {"affinity": "co-affinity"},
    "concat": {"affinity": {"type": "concat", "act": "elu"}},
    "trilinear": {"affinity": "trilinear"},
    "decomposable": {"affinity": "decomposable"},
    "l2": {"affinity": "similarity-l2"},
    "aligned": {"affinity": "general", "first": {"alignment": "sparsemax"}, "second": {"alignment": "sigmoid"}},
}
UNALIGNED = {name: knobs for name, knobs in SCORES.items() if name != "aligned"}


def table(c, knobs, default="dot"):
    """Both sides and the table of all pairs; input 1 asks. Widths differ where the score allows it."""
    kind = knobs.get("affinity", default)
    kind = kind if isinstance(kind, str) else kind["type"]
    d2 = 4 if kind in ("dot", "trilinear", "similarity-l2") else 6
    k1, k2, v1, v2 = sides(c, 4, d2)
    e = score(knobs.get("affinity", default), lambda x, *s: c.drawn(f"structure.affinity.{x}", *s), k1, k2)
    return k1, k2, v1, v2, e


def both(c, knobs, e1, e2, v1, v2, e):
    c1 = answer(e1, v1, knobs.get("first", {}).get("alignment", "softmax"))
    c2 = answer(e2, v2, knobs.get("second", {}).get("alignment", "softmax"))
    two(c, c1, c2, affinity=e)
    return c1, c2


@judge("agg-pooling", **SCORES)
def pooling(c, knobs):
    _, _, v1, v2, e = table(c, knobs)
    both(c, knobs, e.max(1), e.max(0), v1, v2, e)


@judge("agg-linear", **SCORES)
def linear(c, knobs):
    _, _, v1, v2, e = table(c, knobs)
    w1, w2 = c.drawn("structure.w1", 5), c.drawn("structure.w2", 3)
    both(c, knobs, e @ w2, w1 @ e, v1, v2, e)


@judge("agg-perceptron", **SCORES, **ACTED)
def perceptron(c, knobs):
    q, k, v1, v2, e = table(c, knobs)
    f, p = knobs.get("act", "tanh"), lambda x, *s: c.drawn(f"structure.{x}", *s)
    W1, W2, w1, w2 = p("W1", k.shape[1], 7), p("W2", 4, 7), p("w1", 7), p("w2", 7)
    both(c, knobs, act(f, q @ W2 + e @ (k @ W1)) @ w2, act(f, k @ W1 + e.T @ (q @ W2)) @ w1, v1, v2, e)


@judge("agg-nested-perceptron", **SCORES, **ACTED)
def nested(c, knobs):
    q, k, v1, v2, e = table(c, knobs)
    f, p = knobs.get("act", "tanh"), lambda x, *s: c.drawn(f"structure.{x}", *s)
    W1, W2, w3, w4 = p("W1", k.shape[1], 7), p("W2", 4, 7), p("w3", 7), p("w4", 7)
    M1, M2 = softmax(e, 1), softmax(e, 0)
    both(c, knobs, act(f, q @ W2 + M1 @ (k @ W1)) @ w4, act(f, k @ W1 + M2.T @ (q @ W2)) @ w3, v1, v2, e)


@judge("attention-over-attention", **UNALIGNED)
def over(c, knobs):
    _, _, v1, v2, e = table(c, knobs)
    M1, M2 = softmax(e, 1), softmax(e, 0)
    a1 = M2.mean(1)[None]
    c.want(weights1=a1, weights2=a1 @ M1, context1=a1 @ v1, context2=a1 @ M1 @ v2, affinity=e)


@judge("coatt-twoway-naive", **SCORES)
def twoway(c, knobs):
    _, _, v1, v2, e = table(c, knobs)
    both(c, knobs, e.T, e, v1, v2, e)


@judge(
    "coatt-hermitian",
    plain={},
    mean={"pool": "mean"},
    other={"affinity": "co-affinity", "first": {"alignment": "sparsemax"}},
)
def hermitian(c, knobs):
    _, _, v1, v2, e = table(c, knobs, "hermitian")
    pool = np.mean if knobs.get("pool") == "mean" else np.max
    both(c, knobs, pool(e, 1), pool(e, 0), v1, v2, e)


@judge("coatt-bidaf", plain={}, other={"first": {"alignment": "sparsemax"}, "second": {"alignment": "sparsemax"}})
def bidaf(c, knobs):
    h, u = c.given("key1", 5, 4), c.given("key2", 3, 4)
    e = score("trilinear", lambda x, *s: c.drawn(f"structure.{x}", *s), h, u)
    c1, c2 = both(c, knobs, e.max(1), e, h, u, e)
    c.want(output=np.hstack([h, c2["context"], h * c2["context"], h * c1["context"]]))


@judge("coatt-qanet", plain={})
def qanet(c, knobs):
    h, u = c.given("key1", 5, 4), c.given("key2", 3, 4)
    e = score("trilinear", lambda x, *s: c.drawn(f"structure.{x}", *s), h, u)
    rows, columns = softmax(e, 1), softmax(e, 0)
    a, b = rows @ u, rows @ columns.T @ h
    c.want(affinity=e, weights2=rows, context2=a, output=np.hstack([h, a, h * a, h * b]))


@judge("coatt-multigrained", plain={})
def multigrained(c, knobs):
    k, q = c.given("key1", 5, 4), c.given("key2", 3, 4)
    W_ca, W_ac = c.drawn("structure.W_ca", 4, 4), c.drawn("structure.W_ac", 4, 4)
    e = score("trilinear", lambda x, *s: c.drawn(f"structure.{x}", *s), k, q)
    ca = answer((k @ W_ca @ mean(q).T).T, k)
    ac = answer((q @ W_ac @ mean(k).T).T, q)
    fine1, fine2 = answer(e.max(1), k), answer(e.max(0), q)
    c.want(affinity=e, **named("ca.", ca), **named("ac.", ac))
    two(c, fine1, fine2, output=np.hstack([x["context"] for x in (ca, ac, fine1, fine2)]))


@judge("attend-compare-aggregate", plain={}, **ACTED, other={"first": {"alignment": "sparsemax"}})
def compare(c, knobs):
    q, k = c.given("key1", 5, 4), c.given("key2", 3, 4)
    p = lambda x, *s: c.drawn(f"structure.{x}", *s)  # noqa: E731
    f = knobs.get("act", "relu")
    e = act(f, q @ p("W_F", 4, 6) + p("b_F", 6)) @ act(f, k @ p("W_F", 4, 6) + p("b_F", 6)).T
    beta = align("softmax", e) @ k
    alpha = align(knobs.get("first", {}).get("alignment", "softmax"), e.T) @ q
    G = lambda x: np.maximum(x @ p("W_G", 8, 5) + p("b_G", 5), 0).sum(0, keepdims=True)  # noqa: E731
    v1, v2 = G(np.hstack([q, beta])), G(np.hstack([k, alpha]))
    c.want(affinity=e, context2=beta, context1=alpha, output=np.hstack([v1, v2]) @ p("W_H", 10, 3) + p("b_H", 3))


def turn(c, knobs, target, left, right, queries):
    ask = lambda name, q, k: attend(
        c, f"structure.{name}.", knobs.get(name, {}), q, k, k, "activated-general"
    )  # noqa: E731
    tl, tr = ask("tl", queries[0], left), ask("tr", queries[1], right)
    lt, rt = ask("lt", tl["context"], target), ask("rt", tr["context"], target)
    return {"tl": tl, "tr": tr, "lt": lt, "rt": rt}


def rotated(c, results):
    for name, module in results.items():
        c.want(**named(name + ".", module))
    c.want(output=np.hstack([results[name]["context"] for name in ("tl", "tr", "lt", "rt")]))


TURNS = {
    "plain": {},
    "other": {"tl": {"score": "additive"}, "rt": {"score": "general", "alignment": "sparsemax"}, "tr": MASK},
}


@judge("rotatory", **TURNS)
def rotatory(c, knobs):
    target, left, right = c.given("target", 3, 4), c.given("left", 5, 6), c.given("right", 2, 5)
    rotated(c, turn(c, knobs, target, left, right, [mean(target)] * 2))


@judge("rotatory-hop", plain={}, one={"hops": 1}, two={"hops": 2, **TURNS["other"]})
def rotatory_hop(c, knobs):
    target, left, right = c.given("target", 3, 4), c.given("left", 5, 6), c.given("right", 2, 5)
    queries = [mean(target)] * 2
    for _ in range(knobs.get("hops", 3)):
        results = turn(c, knobs, target, left, right, queries)
        queries = [results["lt"]["context"], results["rt"]["context"]]
    c.want(output=np.hstack([results[name]["context"] for name in ("tl", "tr", "lt", "rt")]))


@judge(
    "attention-via-attention",
    plain={},
    G={"variant": "G"},
    B={"variant": "B", "word": {"score": "general"}, "char": {"score": "concat"}},
)
def via(c, knobs):
    q = c.given("query", 3, 5)
    k1, k2, v1, v2 = sides(c)
    word = attend(c, "structure.word.", knobs.get("word", {}), q, k1, v1, "additive")
    inner = word["context"] if knobs.get("variant") == "G" else np.hstack([q, word["context"]])
    char = attend(c, "structure.char.", knobs.get("char", {}), inner, k2, v2, "additive")
    c.want(**named("word.", word), **named("char.", char), output=np.hstack([word["context"], char["context"]]))


@pytest.fixture(scope="module")
def answers():
    return judge.answers()


@pytest.mark.parametrize("case", judge.cases, ids=lambda c: c.name)
def test_a_structure_is_its_formula(case, answers):
    check(case, answers[case.name])
