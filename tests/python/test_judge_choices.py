# SPDX-License-Identifier: Apache-2.0
"""Every choice and every switch of the general module against NumPy (judge_general.py), alone and beside what it meets
most: one key, more queries than keys, rows that see nothing, heads, shared keys, no value of its own. Run by pytest."""
import json
import subprocess

import numpy as np
import pytest
from judge import TOLERANCE, TOOL, differences, run
from judge_general import judged
from judge_lists import (ACTED, ALIGNMENTS, DISAGREEMENTS, ENDS, FLAT, HEADS, KEYS, MASKS, PRODUCTS, QUERIES, SCORES,
                         of)
from judge_scores import ACTS, named

RANDOM = np.random.default_rng(30)
TWO, SHARED = of("multi-head", count=2), of("grouped-query", count=4, groups=2)
BLIND = of("mask-explicit", allowed=[[1, 0, 1, 1], [0, 0, 0, 0], [0, 1, 0, 0], [1, 1, 1, 1]])


def rows(*shape):
    return RANDOM.normal(size=shape)


def sides(m=4, n=6, dq=4, dk=4, dv=3):
    return {"query": rows(m, dq), "key": rows(n, dk), "value": rows(n, dv)}


def beside(choice, m, n):
    """The inputs that only some choices read."""
    text, more = json.dumps(choice), {}
    for word, name, shape in (("external-energy", "energy", (m, n)), ("rule-augmented", "rule", (m, n)),
                              ("concat-query", "extra", (1, 2)), ("importance", "importance", (m, 3))):
        if word in text:
            more[name] = rows(*shape)
    return more


def sized(spec, m=4, n=6, **widths):
    return spec, {**sides(m, n, **widths), **beside(spec, m, n)}


def scores():
    for one in SCORES:
        yield sized({"score": one})
        yield sized({"score": one}, 2, 1)
        yield sized({"score": one, "mask": "mask-causal"}, 7, 4)
        if one != "external-energy":
            yield sized({"score": one, "heads": TWO, "mask": "mask-window"}, dq=5, dk=3)
    for act in ACTS:
        for one in ACTED:
            yield sized({"score": of(one, act=act)})
        yield sized({"dimensionality": of("multi-dim", act=act, hidden=3), "mask": "mask-directional-fw"})


def alignments():
    for one in ALIGNMENTS:
        n = 4 if one == "structured-tree" else 6
        for mask in ([], ["mask-causal"], ["mask-directional-fw"], [of("mask-padding", length=3)]):
            yield sized({"alignment": one, "mask": mask}, 4, n)
        yield sized({"alignment": one, "mask": [BLIND]}, 4, 4)
        yield sized({"alignment": one}, *(1, 1) if n == 4 else (2, 1))
        yield sized({"alignment": one, "heads": TWO, "mask": "mask-window"}, 4, n)
    for one in ("softmax", "sparsemax", "sigmoid", "softmax-one", "alpha-entmax"):
        yield sized({"alignment": one, "dimensionality": "multi-dim"})


def masks():
    for one in MASKS:
        for m, n in ((6, 6), (4, 6), (7, 6)):
            yield sized({"mask": [one]}, m, n)
        yield sized({"mask": [one, "mask-window", of("mask-padding", length=4)], "alignment": "sparsemax"}, 6, 6)
        yield sized({"mask": one, "heads": TWO}, 6, 6)
        yield {"mask": [one], "query": "self-attention"}, {"x": rows(6, 4), **beside(one, 6, 6)}
    links = RANDOM.integers(0, 2, (6, 6)).tolist()
    yield {"mask": of("mask-graph", adjacency=links), "query": "self-attention", "heads": TWO}, {"x": rows(6, 4)}


def positions():
    for one in FLAT + PRODUCTS:
        yield sized({"position": one}, 6, 6)
        yield sized({"position": one}, 4, 6)
        yield {"position": one}, {"query": rows(4, 5), "key": rows(6, 5)}
        yield {"position": one, "query": "self-attention"}, {"x": rows(6, 4)}
        for heads in (of("multi-head", count=3), SHARED):
            yield sized({"position": [one, "pos-alibi"], "heads": heads, "mask": "mask-causal"}, 6, 6)
    for one in FLAT:
        yield sized({"position": one, "score": "additive"}, 6, 6)
        for score in ("key-linear", "self-additive", "convolution-based"):
            yield sized({"position": one, "score": score})
            yield sized({"position": one, "score": score, "heads": SHARED})


def queries():
    for query in QUERIES:
        kind = named(query)["type"]
        inputs = {"x": rows(5, 4)} if kind == "self-attention" else sides()
        if kind not in ("query-basic", "two-queries", "self-attention"):
            del inputs["query"]
        if kind == "two-queries":
            inputs["query2"] = rows(4, 2)
        if kind == "query-specialized":
            inputs["other"] = rows(5, 4)
        for score in ([], ["self-dot"] if kind == "query-constant" else ["additive"]):
            for position in ([], ["pos-sinusoidal"], ["pos-location-weight"], ["pos-t5-bias"]):
                spec = {"query": query, "position": position, **({"score": score[0]} if score else {})}
                for heads in [{}] if kind == "query-constant" else [{}, {"heads": TWO}]:
                    yield {**spec, **heads}, inputs
                    yield {**spec, **heads}, {name: x for name, x in inputs.items() if name != "value"}
    # A part that brings its own score gives way to queries that accept only another one.
    for other in ({"output": "weights-as-output"}, {"mask": ["rule-augmented"]},
                  {"penalties": ["doubly-stochastic-reg"]}):
        for query, inputs in (("query-constant", {"key": rows(5, 4)}),
                              ("two-queries", {"query": rows(1, 4), "query2": rows(1, 2), "key": rows(5, 4)})):
            yield {"query": query, **other}, {**inputs, **beside(other, 1, 5)}
    for key in KEYS:
        for position in ([], ["pos-sinusoidal"], ["pos-location-weight"]):
            for heads in ({}, {"heads": TWO}):
                yield sized({"key": key, "position": position, **heads})
                yield {"key": key, "position": position, **heads}, {"query": rows(4, 4), "key": rows(6, 4)}
                if named(key)["type"] == "neighbour-keys":
                    yield {"key": key, "position": position, "query": "self-attention", **heads}, {"x": rows(5, 4)}


def heads():
    for one in HEADS:
        for mask in ([], ["mask-causal"], ["mask-directional-fw"], [of("mask-padding", length=2)]):
            yield sized({"heads": one, "mask": mask}, 5, 4)
        own = {} if named(one)["type"] == "multi-head-mixed-align" else {"alignment": "learned-sink"}
        yield {"heads": one, "query": "self-attention", "score": "additive", **own}, {"x": rows(5, 4)}
        yield sized({"heads": one, "score": "general"}, dk=3, dv=2)
    for filters in (1, 3):
        spec = {"heads": of("conv-multi-scores", filters=filters), "mask": of("mask-padding", length=4)}
        yield {**spec, "score": "convolution-based"}, {"key": rows(6, 4), "value": rows(6, 3)}


def ends():
    for one in ENDS:
        yield sized(one, dv=4)
        yield sized({**one, "mask": "mask-directional-fw"}, 4, 4, dv=4)
        yield {**one, "query": "self-attention", "position": "pos-sinusoidal"}, {"x": rows(5, 4)}
        if one.get("aggregate") != "aggregate-gate" and "dimensionality" not in one:
            yield sized({**one, "heads": SHARED}, dv=4)
    for one in DISAGREEMENTS:
        yield sized({"penalties": [of(one, **{"lambda": 0.3})], "heads": of("multi-head", count=3)})
        yield sized({"penalties": [one, "frobenius-penalty"], "heads": SHARED, "mask": "mask-causal"})


GROUPS = {make.__name__: list(make()) for make in (scores, alignments, masks, positions, queries, heads, ends)}


@pytest.mark.parametrize("group", GROUPS)
def test_every_choice_is_its_formula(group):
    with np.errstate(all="ignore"):
        made = [judged(*case, seed) for seed, case in enumerate(GROUPS[group])]
    wrong = []
    for (doc, wanted), answer in zip(made, run([doc for doc, _ in made]), strict=True):
        off = {name: gap for name, gap in differences(answer, wanted).items() if not gap <= TOLERANCE}
        if off:
            wrong.append((doc["mechanism"], off, answer.get("error")))
    assert not wrong, "\n".join(map(str, wrong[:9]))


# Judged in other files: positions and alignments since 2017, sums over words.
ELSEWHERE = {
    "mla", "differential", "differential-v2", "value-residual", "pos-fire", "pos-path", "pos-xpos", "mask-document",
    "mask-natten", "mask-block-diffusion", "mask-graph", "mask-explicit", "pos-rope.scaling", "pos-rope.truncate",
    "pos-forgetting.gates", "doubly-stochastic-reg.gate", "weights-as-output.sum", "qk-norm.over", "multi-dim",
    "conv-multi-scores", *DISAGREEMENTS,
}


def test_every_choice_of_the_catalogue_has_a_judge():
    """A new record, choice or switch of these kinds fails here until a judge tries it."""
    done = subprocess.run([TOOL, "catalogue"], capture_output=True, text=True, check=True)
    kinds = ("score", "alignment", "mask", "position", "heads", "query", "key", "aggregate", "output", "penalty", "qk")
    tried = json.dumps([SCORES, ALIGNMENTS, MASKS, FLAT, PRODUCTS, HEADS, QUERIES, KEYS, ENDS])
    missing = []
    for record in json.loads(done.stdout)["mechanisms"]:
        name = record["id"]
        if record["kind"] not in kinds or name in ELSEWHERE:
            continue
        if f'"{name}"' not in tried:
            missing.append(name)
        for knob in record["knobs"]:
            if knob["type"] not in ("choice", "boolean") or knob["name"] == "act":
                continue
            if f"{name}.{knob['name']}" in ELSEWHERE:
                continue
            for choice in knob.get("choices", [True, False]):
                if choice != knob["default"] and f'"{knob["name"]}": {json.dumps(choice)}' not in tried:
                    missing.append(f"{name}.{knob['name']} = {choice}")
    assert not missing, missing
