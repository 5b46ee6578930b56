# SPDX-License-Identifier: Apache-2.0
"""Every core against its formula in NumPy (judge_cores.py): alone, with a causal mask, with queries that are fewer than
the keys, and in heads. Run by pytest."""
import numpy as np
import pytest
from judge import TOLERANCE, Draw, array, differences, document, run
from judge_cores import judged

EVERY = ("flash", "linear", "performer", "rfa", "bigbird", "gaussian-attention-softmax", "fmmformer", "yoso")
SQUARE, RECTANGULAR = (6, 6), (4, 7)


def given(form, knobs, m, n, p, draw):
    """The parameters of one head, of the shapes of the contract."""
    r = draw.random
    return {
        "fast-weight": lambda: written(knobs, n, p, draw),
        "gla": lambda: {"alpha": r.uniform(0.3, 1, (n, p))},
        "performer": lambda: {"omega": draw(5, p)},
        "rfa": lambda: {"omega": draw(5, p), **({"g": r.uniform(0.2, 0.9, n)} if knobs.get("gate") else {})},
        "linformer": lambda: {"E": draw(3, n), "G": draw(3, n)},
        "reformer": lambda: {} if knobs.get("buckets") == 1 else {"R": draw(2, p, 2)},
        "routing": lambda: {"mu": draw(knobs.get("clusters", 2), p)},
        "bigbird": lambda: drawn(knobs, m, n, draw),
        "adaptive-span": lambda: {"z": 1.7},
        "dynamic-span": lambda: {"w": draw(p), "b": 0.3},
        "skyformer": lambda: {"landmarks": r.permutation(m + n)[:5]},
        "soft": lambda: {"landmarks": r.permutation(m)[: knobs.get("count", 4)]},
        "fmmformer": lambda: {"w1": 0.6, "wl": draw(knobs.get("kernels", 1))},
        "sinkhorn-sparse": lambda: sinkhorn(knobs, p, draw),
        "sinkhorn-sortcut": lambda: sinkhorn(knobs, p, draw),
        "clustered": lambda: {"assignment": r.permutation(m)},  # as many clusters as it names
        "yoso": lambda: {"R": draw(3, p, 2)} if knobs.get("mode") == "sample" else {},
    }.get(form, dict)()


def written(knobs, n, p, draw):
    """How much the delta rule overwrites: read off the key, or a list where the features sum to 1."""
    if not knobs.get("delta"):
        return {}
    return {"beta": draw.random.uniform(0.2, 1, n)} if knobs.get("sum_norm") else {"w_beta": draw(p)}


def drawn(knobs, m, n, draw):
    """As many keys for every row, no key twice; with blocks the pairs themselves, as in documents of before."""
    if knobs.get("block"):
        return {"random": draw.bits(m, n)}
    count = knobs.get("random", 3)
    return {"R": np.array([draw.random.permutation(n)[:count] for _ in range(m)])} if count else {}


def sinkhorn(knobs, p, draw):
    noise = {"gumbel": draw(3, 3)} if knobs.get("gumbel") else {}
    return {"W": draw(2 * p, 3), **noise}


def cases():
    for form in (
        *EVERY,
        "sparse-strided",
        "sparse-fixed",
        "adaptive-span",
        "dynamic-span",
        "skyformer",
        "efficient-attention",
        "linformer",
        "clustered",
    ):
        yield form, {}, SQUARE
        yield form, {}, RECTANGULAR
    yield "fast-weight", {}, SQUARE
    for form in EVERY:
        yield form, {"causal": True}, SQUARE
        yield form, {"causal": True}, RECTANGULAR
        yield form, {"causal": True}, (7, 4)
    yield "gla", {}, SQUARE
    yield "gla", {"scale": 0.7}, SQUARE
    for block in (1, 2, 5, 6):
        yield "flash", {"block": block}, SQUARE
    for phi in ("elu+1", "relu", "exp", "1+x"):
        yield "linear", {"phi": phi}, SQUARE
        yield "fast-weight", {"phi": phi}, SQUARE
        yield "fast-weight", {"phi": phi, "delta": True}, SQUARE
    yield "fast-weight", {"sum_norm": True, "delta": True}, SQUARE
    yield "performer", {"kernel": "relu"}, SQUARE
    yield "performer", {"kernel": "relu", "causal": True}, SQUARE
    yield "rfa", {"gate": True}, SQUARE
    yield "efficient-attention", {"scaling": "sqrt-n"}, SQUARE
    for knobs in ({"chunk": 3}, {"chunk": 2, "causal": True}, {"chunk": 8}, {}, {"buckets": 1}):
        yield "reformer", knobs, SQUARE
    for knobs in ({}, {"causal": True}, {"clusters": 3}, {"clusters": 1}, {"clusters": 6}):
        yield "routing", knobs, SQUARE
    yield "routing", {}, (4, 6)
    for part in ("union", "first", "second"):
        yield "sparse-strided", {"part": part, "l": 2}, (9, 9)
        yield "sparse-fixed", {"part": part, "l": 3, "c": 2}, (9, 9)
    for knobs in (
        {"window": 1, "global": 1},
        {"window": 0, "global": 0},
        {"window": 1, "global": 1, "random": 0},
        {"window": 0, "global": 0, "random": 8},
        {"window": 1, "global": 1, "block": 2},
    ):
        yield "bigbird", knobs, (8, 8)
    for knobs in ({"R": 2}, {"R": 2, "causal": False}, {"R": 3, "S": 4}):
        if "S" not in knobs:
            yield "adaptive-span", knobs, SQUARE
        yield "dynamic-span", knobs, SQUARE
    for knobs in ({"iterations": 0}, {"eps": 0.5}, {"iterations": 2}):
        yield "skyformer", knobs, SQUARE
    # Two landmarks are where the paper's start never gets to the inverse; the formula is the formula.
    for knobs in (
        {},
        {"iterations": 0},
        {"iterations": 3},
        {"normalised": True},
        {"count": 2, "iterations": 5},
        {"count": 1},
    ):
        yield "soft", knobs, SQUARE
    for knobs in ({"band": 1, "kernels": 2}, {"band": 0}, {"band": 2, "kernels": 3, "causal": True}):
        yield "fmmformer", knobs, SQUARE
    for knobs in ({}, {"iterations": 3, "temperature": 0.5}, {"hard": True}, {"gumbel": True}, {"iterations": 0}):
        yield "sinkhorn-sparse", knobs, SQUARE
        yield "sinkhorn-sortcut", {**knobs, "t": 2}, SQUARE
    yield "sinkhorn-sortcut", {}, SQUARE
    for knobs in ({"improved": True, "k": 3}, {"improved": True}, {"clusters": 7}):
        yield "clustered", knobs, RECTANGULAR
    for knobs in ({"tau": 2}, {"normalise": False}, {"mode": "sample", "normalise": False}, {"mode": "sample"}):
        yield "yoso", knobs, SQUARE
    yield "gaussian-attention-softmax", {"s": 2}, SQUARE


def named(parameters):
    return {"structure." + name: x for name, x in parameters.items()}


def inputs(form, q, k, v):
    return {"query": q, "value": v} if form in ("reformer", "soft") else {"query": q, "key": k, "value": v}


def alone(form, knobs, size, seed):
    """The short form and the long one say the same."""
    draw, (m, n), p = Draw(seed), size, 4
    q, k, v = draw(m, p), draw(n, p), draw(n, 3)
    k = q if form in ("reformer", "soft") else k
    parameters = given(form, knobs, m, n, p, draw)
    a, context, weights = judged(form, q, k, v, knobs, parameters)
    expected = {"context": context, "weights": weights, "implied": a}
    for mechanism in ({"type": form, **knobs}, {"type": "attention", "core": {"type": form, **knobs}}):
        yield f"{form} {knobs} {size}", document(mechanism, inputs(form, q, k, v), named(parameters)), expected


def in_heads(form, knobs, size, seed, h=2, groups=2, heads=None):
    """Parameters lead with the head's axis; of fewer key heads than heads, neighbours share one."""
    draw, (m, n), p = Draw(seed), size, 3
    q, k, v = draw(m, 5), draw(n, 5), draw(n, 4)
    k = q if form in ("reformer", "soft") else k
    maps = {"W_Q": draw(h, 5, p), "W_K": draw(groups, 5, p), "W_V": draw(groups, 4, 2), "W_O": draw(2 * h, 4)}
    each = [given(form, knobs, m, n, p, draw) for _ in range(h)]
    rows = [
        judged(
            form,
            q @ maps["W_Q"][t],
            (q @ maps["W_Q"][t] if k is q else k @ maps["W_K"][t * groups // h]),
            v @ maps["W_V"][t * groups // h],
            knobs,
            each[t],
        )
        for t in range(h)
    ]
    outputs = {
        "heads": np.array([row[1] for row in rows]),
        "weights": np.array([row[2] for row in rows]),
        "implied": np.array([row[0] for row in rows]),
    }
    expected = {**outputs, "context": np.concatenate(outputs["heads"], -1) @ maps["W_O"]}
    parameters = {"heads." + name: x for name, x in maps.items() if name != "W_K" or k is not q}
    parameters.update(named({name: np.array([one[name] for one in each]) for name in each[0]}))
    heads = heads or {"type": "multi-head", "count": h}
    mechanism = {"type": "attention", "core": {"type": form, **knobs}, "heads": heads}
    name = f"{form} {knobs} {size} in {h} heads of {groups}"
    yield name, document(mechanism, inputs(form, q, k, v), parameters), expected


def in_groups(form, knobs, size, seed):
    yield from in_heads(form, knobs, size, seed, 4, 2, {"type": "grouped-query", "count": 4, "groups": 2})


MAKERS = (alone, in_heads, in_groups)
CASES = [one for seed, case in enumerate(cases()) for make in MAKERS for one in make(*case, seed)]


@pytest.fixture(scope="module")
def answers():
    return run([case[1] for case in CASES])


def test_every_core_is_its_formula(answers):
    wrong = []
    for (name, _, expected), answer in zip(CASES, answers, strict=True):
        off = {key: gap for key, gap in differences(answer, expected).items() if not gap <= TOLERANCE}
        if off:
            wrong.append((name, off, answer.get("error")))
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.parametrize("core", ["linear", "performer", "based"])
@pytest.mark.parametrize(
    "heads", [{"type": "grouped-query", "count": 4, "groups": 2}, {"type": "multi-query", "count": 4}]
)
def test_many_tokens_in_order_begin_as_few_where_heads_share_keys(core, heads):
    rows = np.round(np.random.default_rng(1).normal(size=(2100, 16)), 3)
    mechanism = {"type": "attention", "query": "self-attention", "core": core, "mask": ["mask-causal"], "heads": heads}
    few, many = (document(mechanism, {"x": rows[:n]}, seed=7, outputs=["context"]) for n in (70, 2100))
    few, many = (array(answer["outputs"]["context"]) for answer in run([few, many]))
    assert np.abs(many[:70] - few).max() < TOLERANCE
