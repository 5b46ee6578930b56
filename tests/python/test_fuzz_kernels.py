# SPDX-License-Identifier: Apache-2.0
"""Random documents of the general module at sizes for which kernels exist. Two laws: the context alone equals the
context beside its maps, which is computed by the formula; and each of several examples equals the same example alone.
Both hold for gradients, too."""
import random

import numpy as np
import pytest
from judge import array, run, tensor

SIZES = (33, 48, 63, 64, 65, 70)
SCORES = ("scaled-dot", "dot", "general", "biaffine", "trilinear", "dot-over-keynorm", "similarity-rbf", "additive")
ALIGNMENTS = ("softmax", "softmax-temperature", "softmax-one", "learned-sink", "soft-cap", "scalable-softmax")
MASKS = ("mask-causal", "mask-window", "mask-dilated", "mask-bigbird", "mask-selection", "mask-lsh", "mask-padding",
         "mask-sink-window", "mask-sparse-fixed", "mask-diagonal", "mask-prefix")  # fmt: skip
POSITIONS = ("pos-rope", "pos-alibi", "pos-t5-bias", "pos-kerple", "pos-relative-shaw", "pos-cope", "pos-sandwich")
HEADS = ("multi-head", "grouped-query", "multi-query", "talking-heads", "gated-heads", "differential")
# Drawn for each example.
NOISE = ("z_h", "z_d", "random", "R")


def document(seed):
    draw, normal = random.Random(seed), np.random.default_rng(seed).standard_normal
    m = draw.choice(SIZES)
    n = m if draw.random() < 0.6 else draw.choice(SIZES)
    mechanism = {"type": "attention", "score": draw.choice(SCORES), "alignment": draw.choice(ALIGNMENTS)}
    masks = draw.sample(MASKS, draw.choice((0, 1, 1, 2, 3)))
    if masks:
        mechanism["mask"] = masks
    if draw.random() < 0.5 and mechanism["score"] in SCORES[:2]:
        mechanism["position"] = [draw.choice(POSITIONS)]
    if draw.random() < 0.7:
        mechanism["heads"] = {"type": draw.choice(HEADS), "count": 2}
    sizes = {"query": m, "key": n, "value": n}
    made = [{name: tensor(normal((rows, 4))) for name, rows in sizes.items()} for _ in range(draw.choice((1, 2, 3)))]
    one = {"schema": "attention-playground/1", "seed": seed, "mechanism": mechanism, "gradient": {"of": "context"}}
    return {**one, "outputs": ["context"], "examples": made}


def gap(one, other):
    return float((np.abs(one - other) / max(1, np.abs(other).max(initial=0))).max(initial=0))


def held(seed, names, found, wanted):
    for name in names:
        assert gap(found(name), wanted(name)) < 1e-7, (seed, name)


@pytest.mark.parametrize("first", range(0, 120, 30))
def test_contexts_alone_beside_maps_and_of_single_examples(first):
    documents = [document(seed) for seed in range(first, first + 30)]
    known = [(one, answer) for one, answer in zip(documents, run(documents), strict=True) if "error" not in answer]
    assert len(known) > 20
    beside = run([{**one, "outputs": ["context", "weights"]} for one, _ in known])
    for (one, answer), formula in zip(known, beside, strict=True):
        assert gap(array(answer["outputs"]["context"]), array(formula["outputs"]["context"])) < 1e-9, one["mechanism"]
        held(one["seed"], formula["gradients"], lambda name, a=answer: array(a["gradients"][name]),
             lambda name, f=formula: array(f["gradients"][name]))  # fmt: skip
        alone = run([single(one, answer, k) for k in range(len(one["examples"]))])
        for k, each in enumerate(alone):
            assert "error" not in each, each
            assert gap(array(each["outputs"]["context"]), array(answer["outputs"]["context"])[k]) < 1e-9, one
            inputs = [name for name in each["gradients"] if name.startswith("inputs.")]
            held(one["seed"], inputs, lambda name, e=each: array(e["gradients"][name]),
                 lambda name, k=k, a=answer: array(a["gradients"][name])[k])  # fmt: skip


def single(one, answer, k):
    """The document of one example, with the numbers that were drawn for it."""
    given = {}
    for name, x in answer["parameters"].items():
        own = name.split(".")[-1] in NOISE and x["shape"][0] == len(one["examples"])
        given[name] = tensor(array(x)[k] if own else array(x))
    alone = {name: x for name, x in one.items() if name != "examples"}
    return {**alone, "inputs": one["examples"][k], "parameters": given}
