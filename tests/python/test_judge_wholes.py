# SPDX-License-Identifier: Apache-2.0
"""Modules whose choices had no judge against NumPy (judge_wholes.py), every number given. Run by pytest."""
import itertools

import numpy as np
from judge import TOLERANCE, differences, document, run
from judge_decoder import WORDS, decoded
from judge_given import Given
from judge_scores import ACTS
from judge_wholes import WHOLES

RANDOM = np.random.default_rng(31)


def rows(*shape):
    return RANDOM.normal(size=shape)


def shares(*shape):
    x = RANDOM.uniform(0.1, 1, shape)
    return x / x.sum(-1, keepdims=True)


def both(name):
    return [{name: True}, {name: False}]


def crossed(*lists):
    """All products of knobs."""
    for parts in itertools.product(*lists):
        yield {name: x for part in parts for name, x in part.items()}


def cases():
    for delta, footprint in itertools.product(("sum", "diff", "had", "dot", "concat"), (1, 3)):
        yield "attention-over-dims-pairwise", {"delta": delta, "footprint": footprint}, {"image": rows(3, 4, 2)}
    for act in ACTS:
        for kind in ("sam", "token2token", "source2token", "fm-linear", "mlp", "swiglu", "om-ffn"):
            yield kind, {"act": act}, {"x": rows(4, 4)}
        yield "generalized-pooling", {"act": act, "count": 2}, {"x": rows(4, 3)}
        yield "fm-cnn1d", {"act": act, "size": 2}, {"x": rows(5, 2)}
        yield "fm-cnn2d", {"act": act, "stride": 2}, {"x": rows(5, 4, 2)}
        yield "opa", {"act": act}, {"query": rows(3, 4), "key": rows(4, 4), "value": rows(4, 2)}
    yield "fm-linear", {"act": "tanh", "bias": True}, {"x": rows(4, 4)}
    for knobs in ({"size": 1}, {"size": 2}, {"size": 5}, {"pool": 2}, {"pool": 3, "stride": 2, "size": 4}):
        yield "fm-cnn2d", knobs, {"x": rows(7, 6, 2)}
    yield "om-ffn", {"norm": "pre"}, {"x": rows(4, 4)}
    yield "token2token", {"mask": "mask-directional-fw"}, {"x": rows(4, 4)}
    yield "inner-attention", {}, {"query": rows(1, 4), "key": rows(5, 3)}
    for knobs in crossed([{"tying": "layer-wise"}, {"tying": "adjacent"}], both("linear"), [{"hops": 1}, {"hops": 3}]):
        yield "memnet-hop", knobs, {"query": rows(1, 4), "memory": rows(5, 4)}
    hop = {"hop": {"score": {"type": "additive", "hidden": 3}}}
    for knobs in crossed(both("share"), [{"transform": t} for t in ("query", "context", "concat")],
                         [{"hops": 1}, {"hops": 3}]):
        yield "multi-hop", {**knobs, **hop}, {"query": rows(3, 4), "key": rows(5, 3), "value": rows(5, 2)}
    for knobs in both("causal"):
        yield "pos-fft-kernel", knobs, {"query": rows(5, 4), "key": rows(5, 4), "value": rows(5, 2)}
    for shape in ((2, 3, 4), (1, 1, 4)):
        yield "pos-memnet-pe", {}, {"x": rows(*shape)}
    for knobs in crossed([{"direction": d} for d in ("none", "fw", "bw")], both("keep-unselected")):
        for _ in range(2):
            yield "resa", knobs, {"x": rows(5, 3)}
    for layers, decoder in ((3, 2), (1, 1)):
        yield "transparent-attention", {"decoder": decoder}, {"layers": rows(layers, 4, 2)}
    for reach in (0, 1, 2, 9):
        yield "truncated-history", {"N_m": reach}, {"x": rows(5, 3)}
    for hops in (1, 3):
        yield "transformer-as-hops", {"hops": hops}, {"x": rows(5, 3)}
    for knobs in crossed([{"kernels": k} for k in ("1", "3", "5", "1-3", "3-5", "1-3-5")],
                         [{"edge": "zeros"}, {"edge": "inside"}]):
        yield "mhca", knobs, {"image": rows(6, 5, 3)}
    yield "luna", {"causal": True}, {"x": rows(5, 3)}
    for k in (3, 4):
        yield "lite-transformer", {"causal": True, "k": k}, {"x": rows(5, 5)}
    for knobs in both("causal"):
        yield "reversible-residual", {"inverse": True, **knobs}, {"x1": rows(4, 3), "x2": rows(4, 2)}
        for table in both("factorized"):
            yield "synthesizer-random", {**table, **knobs}, {"x": rows(4, 3)}
    for combine in ("gated", "stacked"):
        yield "rnn-plus-attn", {"combine": combine, "cell": "rnn"}, {
            "query": rows(3, 4), "key": rows(5, 4), "source": rows(6, 2)}
    for form in ("mse", "xent", "mult"):
        yield "supervised-" + form, {"lambda": 2}, {"weights": shares(3, 4), "gold": shares(3, 4)}
        for knobs in both("freeze"):
            yield "transfer-loss", {"form": form, **knobs}, {"weights": shares(3, 4), "teacher": shares(3, 4)}
    yield "hinge", {}, {"output": rows(4, 2), "target": np.sign(rows(4, 2))}
    yield "fm-identity", {}, {"x": rows(3, 2)}
    yield "fm-lookup", {"scale": 3}, {"x": np.array([[2.0], [0.0], [2.0]])}
    for knobs in crossed([{"by": b} for b in ("sum", "product", "max")], [{"waves": w} for w in
                         ("none", "neighbours", "halves")], both("norm"), both("position")):
        yield "fm-combine", knobs, {"x1": rows(4, 4), "x2": rows(4, 4), "x3": rows(4, 4)}


def test_every_choice_of_a_module_is_its_formula():
    made = []
    for seed, (kind, knobs, inputs) in enumerate(cases()):
        store = {}
        wanted = WHOLES[kind](inputs, knobs, Given(np.random.default_rng(seed), store, "structure."))
        made.append((document({"type": kind, **knobs}, inputs, store), wanted))
    held(made)


def held(made):
    wrong = []
    for (doc, wanted), answer in zip(made, run([doc for doc, _ in made]), strict=True):
        off = {name: gap for name, gap in differences(answer, wanted).items() if not gap <= TOLERANCE}
        if off:
            wrong.append((doc.get("mechanism", doc.get("model")), off, answer.get("error")))
    assert not wrong, "\n".join(map(str, wrong[:9]))


def test_every_choice_of_a_decoder_is_its_formula():
    target, made = ["a", "c", "b", "<end>"], []
    for knobs in crossed([{"type": "om-decoder"}, {"type": "fixed-vector-baseline"}],
                         [{"cell": "gru"}, {"cell": "lstm"}], [{"asks": "before"}, {"asks": "after"}],
                         both("input-feeding"), [{"feeds": "readout"}, {"feeds": "context"}],
                         [{"readout": "none"}, {"readout": "tanh"}],
                         [{"first-memory": "zeros"}, {"first-memory": "map"}], both("initial")):
        if (knobs["cell"] == "gru" and knobs["first-memory"] == "map") or (
                knobs["feeds"] == "context" and not knobs["input-feeding"]):
            continue
        inputs = {"memory": rows(4, 3), **({"initial": rows(1, 2)} if knobs.pop("initial") else {})}
        knobs.update(hidden=4, dim=3, vocabulary=WORDS)
        if knobs["type"] == "om-decoder":
            knobs["attention"] = {"score": {"type": "additive", "hidden": 5}}
        store = {}
        wanted = decoded(inputs, knobs, Given(np.random.default_rng(len(made)), store, "d."), target)
        doc = document({}, inputs, store)
        del doc["mechanism"]
        doc["inputs"]["target"] = {"tokens": target}
        doc["model"] = [{"name": "d", **knobs, "inputs": {name: name for name in doc["inputs"]}}]
        made.append((doc, {"d." + name: x for name, x in wanted.items()}))
    held(made)
