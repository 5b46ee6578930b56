# SPDX-License-Identifier: Apache-2.0
"""Every efficient form that is a layer against its formula in NumPy (judge_layers.py). Run by pytest."""
import numpy as np
from judge import TOLERANCE, Draw, differences, document, run
from judge_layers import LAYERS
from judge_scores import ACTS


def block(draw, at, d, e, h, p):
    """The parameters of a MAB: queries of width d, keys of width e."""
    shapes = {"W_Q": (h, d, p), "W_K": (h, e, p), "W_V": (h, e, p), "W_O": (h * p, d), "W": (d, d), "b": (d,)}
    norms = {name: (d,) for name in ("gamma1", "beta1", "gamma2", "beta2")}
    return {at + name: draw(*shape) for name, shape in {**shapes, **norms}.items()}


def blosa(draw, d, at=""):
    both = {part + name: (d, d) for part in ("inner.", "outer.") for name in ("W1", "W2")}
    gate = {"outer." + name: (d, d) for name in ("W_s", "W_h")}
    biases = {name: (d,) for name in ("inner.b1", "outer.b1", "outer.b_f", "b_g", "b", "pool.b2")}
    shapes = {
        **both,
        **gate,
        **biases,
        "pool.W1": (d, 3),
        "pool.b1": (3,),
        "pool.W2": (3, d),
        "W_g": (3 * d, d),
        "W": (3 * d, d),
    }
    return {at + name: draw(*shape) for name, shape in shapes.items()}


def latents(draw, D, d, h, p):
    cross = {"q.gamma": (D,), "q.beta": (D,), "kv.gamma": (d,), "kv.beta": (d,)}
    cross.update({"W_Q": (D, D), "W_K": (d, D), "W_V": (d, D), "W_O": (D, D)})
    own = {"gamma": (D,), "beta": (D,), "W_Q": (h, D, p), "W_K": (h, D, p), "W_V": (h, D, p), "W_O": (h * p, D)}
    mlp = {"mlp.gamma": (D,), "mlp.beta": (D,), "W1": (D, D), "b1": (D,), "W2": (D, D), "b2": (D,)}
    return {at + name: draw(*shape) for at, shapes in (("cross.", {**cross, **mlp}), ("self.", {**own, **mlp}))
            for name, shape in shapes.items()}


def heads(draw, h, dq, dk, dv, p, pv, dc):
    return {"W_Q": draw(h, dq, p), "W_K": draw(h, dk, p), "W_V": draw(h, dv, pv), "W_O": draw(h * pv, dc)}


def norms(draw, d):
    return {name: draw(d) for name in ("gamma1", "beta1", "gamma2", "beta2")}


def cases(draw):
    x, three = {"x": draw(6, 4)}, {"query": draw(6, 4), "key": draw(6, 4), "value": draw(6, 3)}
    wide = {"query": draw(4, 4), "key": draw(7, 4), "value": draw(7, 3)}
    yield "set-mab", {"count": 2}, {"query": draw(5, 4), "key": draw(7, 3)}, block(draw, "", 4, 3, 2, 2)
    yield "set-mab", {"count": 1}, {"query": draw(5, 4), "key": draw(5, 4)}, block(draw, "", 4, 4, 1, 3)
    for h in (1, 2):
        mabs = {**block(draw, "mab1.", 4, 4, h, 3), **block(draw, "mab2.", 4, 4, h, 3)}
        yield "set-isab", {"count": h}, x, {"I": draw(3, 4), **mabs}
        own = {"S": draw(2, 4), "W": draw(4, 4), "b": draw(4)}
        yield "set-pma", {"count": h}, x, {**own, **block(draw, "mab.", 4, 4, h, 3)}
        yield "perceiver", {"count": h, "repeats": h}, x, {"Z": draw(3, 5), **latents(draw, 5, 4, h, 3)}
    yield "luna", {}, x, {"P": draw(3, 4)}
    yield "luna", {}, x, {"P": draw(1, 4)}
    for window in (1, 2):
        yield "transformer-ls", {"layernorm": False, "window": window}, wide, {"W_P": draw(4, 3)}
        same = {"query": draw(4, 4), "key": draw(7, 4), "value": draw(7, 4)}
        yield "transformer-ls", {"window": window}, same, {"W_P": draw(4, 2), **norms(draw, 4)}
    yield "xcit", {"temperature": 0.5}, {**three, "value": draw(6, 4)}, {}
    yield "xcit", {}, {**three, "value": draw(6, 4)}, {"tau": 2.5}
    for knobs in ({}, {"causal": True}):
        mlp = {"W1": draw(4, 3), "b1": draw(3), "W2": draw(3, 8), "b2": draw(8), "W_V": draw(4, 5)}
        yield "synthesizer-dense", knobs, x, mlp
        yield "synthesizer-random", knobs, x, {"R": draw(8, 8), "W_V": draw(4, 5)}
        thin = {"R1": draw(6, 2), "R2": draw(6, 2), "W_V": draw(4, 5)}
        yield "synthesizer-random", knobs, x, thin  # given, they say that the table is factorised
        yield "synthesizer-mix", knobs, x, {"alpha": draw(2), "R": draw(8, 8), **mlp}
        yield "universal", {"steps": 3, "count": 2, **knobs}, x, {
            **heads(draw, 2, 4, 4, 4, 3, 2, 4),
            **norms(draw, 4),
            "W1": draw(4, 5),
            "b1": draw(5),
            "W2": draw(5, 4),
            "b2": draw(4),
        }
        yield "reversible-residual", knobs, {"x1": draw(5, 3), "x2": draw(5, 4)}, {
            "W_Q": draw(4, 2),
            "W_K": draw(4, 2),
            "W_V": draw(4, 3),
            "W1": draw(3, 6),
            "b1": draw(6),
            "W2": draw(6, 4),
            "b2": draw(4),
        }
        two = {**heads(draw, 2, 4, 4, 3, 3, 2, 5), "gamma": draw(2)}
        yield "sparse-adaptive-entmax", {"count": 2, **knobs}, three, two
        yield "sparse-adaptive-entmax", {"count": 2, **knobs}, wide, two
    yield "lite-transformer", {}, x, {"kernel": draw(3)}
    yield "lite-transformer", {"split": 1}, x, {"kernel": draw(5)}
    yield "opa", {}, wide, {}
    yield "opa", {"act": "identity"}, wide, {}
    for way in ("fw", "bw"):
        yield "mblosa", {"block": 3, "direction": way, "c": 2}, x, blosa(draw, 4)
        yield "mblosa", {"block": 6, "direction": way}, x, blosa(draw, 4)
    for act in ACTS:
        yield "mblosa", {"block": 2, "act": act}, x, blosa(draw, 4)
        yield "bi-blosa", {"block": 3, "act": act}, x, {**blosa(draw, 4, "fw."), **blosa(draw, 4, "bw.")}
    yield "bi-blosa", {"block": 2}, x, {**blosa(draw, 4, "fw."), **blosa(draw, 4, "bw.")}
    for blocks in (2, 3):
        same = {"query": draw(5, 3), "key": draw(5, 3), "value": draw(5, 3)}
        yield "tensorized", {"blocks": blocks}, same, {"g": draw(blocks, 3), "W_O": draw(25, 4)}
    relative = {
        "W_Q": draw(4, 3),
        "W_K": draw(4, 3),
        "W_V": draw(4, 2),
        "u": draw(3),
        "v": draw(3),
        "W_R": draw(4, 3),
    }
    yield "transformer-xl", {}, {**x, "memory": draw(3, 4)}, relative
    yield "transformer-xl", {}, x, relative
    yield "image-transformer", {}, three, {}
    yield "image-transformer", {"l_q": 2, "l_m": 3}, three, {}
    for k, at in ((3, (4, 5, 3)), (5, (3, 6, 2))):
        maps = {name: draw(at[2], 4) for name in ("W_Q", "W_K", "W_V")}
        yield "standalone-local", {"k": k}, {"image": draw(*at)}, {**maps, "r_row": draw(k, 2), "r_col": draw(k, 2)}
    for h, s in ((2, 4), (1, 1)):
        yield "deformable", {"count": h, "K": s}, {"image": draw(4, 5, 3), "points": abs(draw(5, 2)) * 2}, {
            "offsets": draw(5, h, s, 2),
            "logits": draw(5, h, s),
            "W_V": draw(h, 3, 2),
            "W_O": draw(2 * h, 4),
        }
    yield "cross-covariance-free-hvt", {}, {"x": draw(7, 4)}, {}
    yield "cross-covariance-free-hvt", {"pool": 3, "stride": 1}, x, {}
    yield "glance-gaze", {}, three, {"kernel": draw(3, 3)}
    yield "glance-gaze", {"stride": 3}, three, {"kernel": draw(5, 3)}
    yield "power-bert", {}, three, {}
    yield "power-bert", {"keep": 4}, three, {}
    for knobs in ({}, {"duplex": True}):
        maps = {"W_gamma": draw(4, 4), "b_gamma": draw(4), "W_beta": draw(4, 4), "b_beta": draw(4)}
        yield "ganformer-bipartite", knobs, x, {"Y": draw(3, 4), **maps}
    yield "cross-transformer", {}, {"query": draw(4, 4), "support": draw(7, 4)}, {
        "W_K": draw(4, 3),
        "W_V": draw(4, 2),
    }
    yield "cross-transformer", {}, {"query": draw(1, 2), "support": draw(3, 2)}, {
        "W_K": draw(2, 2),
        "W_V": draw(2, 5),
    }
    yield "transformer-xh", {"adjacency": draw.bits(6, 6).tolist()}, three, {}
    yield "transformer-xh", {"adjacency": np.eye(6).tolist()}, three, {}


def test_every_layer_is_its_formula():
    every = [(form, knobs, inputs, p) for form, knobs, inputs, p in cases(Draw(7))]
    answers = run(
        [
            document({"type": form, **knobs}, inputs, {"structure." + name: y for name, y in p.items()})
            for form, knobs, inputs, p in every
        ]
    )
    wrong = []
    for (form, knobs, inputs, p), answer in zip(every, answers, strict=True):
        expected = LAYERS[form](inputs, knobs, p)
        off = {key: gap for key, gap in differences(answer, expected).items() if not gap <= TOLERANCE}
        if off:
            wrong.append((form, knobs, off, answer.get("error") or list(answer["outputs"])))
    assert not wrong, "\n".join(map(str, wrong))


def test_every_layer_was_tried():
    assert {case[0] for case in cases(Draw(7))} == set(LAYERS)
