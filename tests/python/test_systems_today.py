# SPDX-License-Identifier: Apache-2.0
"""What the systems of open models say one will see, done and looked at; and what two of them have in common."""
import copy
import json
import os

import numpy as np
import pytest
from judge import ROOT, array, run


def system(name):
    with open(os.path.join(ROOT, "systems", name + ".json"), encoding="utf-8") as file:
        return json.load(file)


def promised(name, sentence):
    """The document of a system whose file says this, without its training."""
    whole = system(name)
    assert sentence in whole["says"], whole["says"]
    document = whole["document"]
    document.pop("training", None)
    return document


def outputs(document):
    (answer,) = run([document])
    assert "error" not in answer, answer
    return {name: array(x) for name, x in answer["outputs"].items()}


def parameters(document):
    """The document with all its numbers given."""
    (answer,) = run([document])
    return {**document, "parameters": {name: {"shape": x["shape"], "data": x["data"]} if x["shape"] else x["data"][0]
                                       for name, x in answer["parameters"].items()}}


def module(document, name):
    return next(one for one in document["model"] if one["name"] == name)


def scaled(document, name, factor):
    other = copy.deepcopy(document)
    other["parameters"][name]["data"] = [factor * x for x in other["parameters"][name]["data"]]
    return other


def test_in_mistral_a_window_of_four_reaches_three_rows_and_two_layers_six():
    document = promised("mistral", "the last row that changes is three tokens later in the first layer and six "
                        "tokens later in the second")
    changed = copy.deepcopy(document)
    changed["inputs"]["source"]["tokens"][0] = "k"
    before, after = outputs(document), outputs(changed)
    for layer, last in (("block-1", 3), ("block-2", 6)):
        moved = np.abs(after[layer + ".output"] - before[layer + ".output"]).max(1) > 0
        assert moved.tolist() == [i <= last for i in range(len(moved))]


def test_in_qwen3_no_score_depends_on_the_length_of_queries():
    document = parameters(promised("qwen3", "no score changes, but without the norm in the slot “qk” all scores "
                                   "would become ten times"))
    name = "block-1.attention.heads.W_Q"
    for qk, factor in (("qk-norm", 1), (None, 10)):
        own = copy.deepcopy(document)
        module(own, "block-1")["attention"]["qk"] = qk
        if qk is None:
            for gamma in ("gamma_Q", "gamma_K"):
                own["parameters"].pop("block-1.attention.qk." + gamma)
        before = outputs(own)["block-1.attention.scores"]
        after = outputs(scaled(own, name, 10))["block-1.attention.scores"]
        assert np.allclose(after, factor * before, rtol=1e-3, atol=1e-3)
        assert np.abs(before).max() > 0.01


def test_in_gemma_2_a_cap_of_one_bounds_the_ratio_of_weights():
    document = parameters(promised("gemma-2", "no unmasked weight is then more than 7.4 times another"))
    loud = scaled(document, "block-2.attention.heads.W_Q", 100)
    assert ratio(outputs(loud)["block-2.attention.weights"]) > 7.4
    module(loud, "block-2")["attention"]["alignment"]["cap"] = 1
    assert ratio(outputs(loud)["block-2.attention.weights"]) < 7.4


def ratio(weights):
    """The largest ratio of two weights in one row, of those that are allowed."""
    return max(row[: i + 1].max() / row[: i + 1].min() for head in weights for i, row in enumerate(head))


def test_in_gpt_oss_a_sink_takes_the_weight_of_its_head():
    document = promised("gpt-oss", "the weights of this head fade, and the other heads do not change")
    before = outputs(document)["block-1.attention.weights"]
    document["parameters"] = {"block-1.attention.alignment.s": {"shape": [4], "data": [5, 0, 0, 0]}}
    after = outputs(document)["block-1.attention.weights"]
    assert (after[0].sum(-1) < before[0].sum(-1) / 2).all()
    assert np.allclose(after[1:], before[1:])


def test_phi_has_one_norm_for_both_parts_and_a_second_one_begins_the_same():
    document = promised("phi", "the feed-forward layer then gets its own norm with a new scale")
    before = outputs(document)
    module(document, "block-1")["shared"] = False
    after = outputs(document)
    assert all(np.allclose(after[name], before[name]) for name in before)


def test_deepseek_keeps_sixteen_numbers_for_each_token():
    found = outputs(promised("deepseek-v2", "one latent row of 12 numbers gives the keys and values of all"))
    assert found["block-1.attention.latent"].shape == (7, 12)
    assert found["block-1.attention.latent_key"].shape == (7, 4)


@pytest.mark.parametrize("name", ["retnet", "mamba-2", "kimi-linear", "qwen3-next", "rwkv-7", "llama", "falcon"])
def test_an_earlier_row_does_not_see_a_later_token(name):
    document = system(name)["document"]
    document.pop("training", None)
    changed = copy.deepcopy(document)
    changed["inputs"]["source"]["tokens"][-1] = "l"
    before, after = outputs(document), outputs(changed)
    assert np.array_equal(after["norm.output"][:-1], before["norm.output"][:-1])
    assert not np.array_equal(after["norm.output"][-1], before["norm.output"][-1])


def test_in_mamba_2_a_head_that_forgets_at_once_keeps_its_diagonal():
    document = promised("mamba-2", "this head then forgets at once, and only the diagonal of its map remains")
    name = "mixer-1.core.A_log"
    document["parameters"] = {name: {"shape": [4], "data": [8, 0, 0, 0]}}
    first, *others = outputs(document)["mixer-1.weights"]
    assert np.abs(first - np.diag(np.diag(first))).max() < 1e-6
    assert all(np.abs(np.tril(one, -1)).max() > 1e-3 for one in others)


def test_a_delta_rule_has_cells_below_zero():
    found = outputs(promised("kimi-linear", "its negative cells show what the delta rule erases"))
    assert found["mixer-1.weights"].min() < 0
    assert found["block-4.attention.weights"].min() >= 0


def test_in_qwen3_next_a_closed_gate_silences_every_head():
    document = promised("qwen3-next", "the gate then silences every head")
    document["parameters"] = {"block-4.attention.aggregate.b_g": {"shape": [2, 16], "data": [-20] * 32}}
    assert np.abs(outputs(document)["block-4.attention.heads"]).max() < 1e-3
