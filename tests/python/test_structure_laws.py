# SPDX-License-Identifier: Apache-2.0
"""More laws of structures and modules for images: what falls together with something simpler, and what is exchanged
when something else is. attend64 throughout; each compares two documents, so that no formula is said twice."""
import pytest
import torch
from test_systems import attended, document_of, explicit, near, numbers, outputs_of, scores_of
from torch_parts import tensor, with_explicit_numbers


def zero(*shape):
    return torch.zeros(*shape).double()


def plain(inputs, parameters=None, **slots):
    """The general module's context and weights."""
    found = outputs_of(document_of({"type": "attention", **slots}, inputs, parameters))
    return found["context"], found["weights"]


def test_alternating_without_the_last_query_is_its_first_look():
    one, two = numbers(4, 3), numbers(5, 3, seed=2)
    inputs = {"key1": one, "key2": two}
    found, p = explicit({"type": "coatt-alternating"}, inputs)
    silent = {**p, "structure.first.score.W1": torch.zeros_like(p["structure.first.score.W1"])}
    score = scores_of(p, "structure.first.score.")
    first = {"score.W": score["score.W2"], "score.b": score["score.b"], "score.w": score["score.w"]}
    context, weights = plain({"key": one}, first, query="query-constant", score="self-additive")
    still = outputs_of(document_of({"type": "coatt-alternating"}, inputs, silent))
    assert near(still["context1"], context) and near(still["weights1"], weights)
    assert not near(found["context1"], context)
    # The side that begins matters: with the inputs exchanged nothing is merely exchanged.
    other = outputs_of(document_of({"type": "coatt-alternating"}, {"key1": two, "key2": one}, p))
    assert not near(other["context2"], found["context1"])


def test_two_ways_are_two_plain_attentions():
    one, two = numbers(4, 3), numbers(5, 3, seed=2)
    found = outputs_of(document_of({"type": "coatt-twoway-naive"}, {"key1": one, "key2": two}))
    for asks, told, side in ((one, two, "1"), (two, one, "2")):
        context, weights = attended(asks, told, "dot", None)
        matches = [name for name in ("1", "2") if found["weights" + name].shape == weights.shape]
        assert len(matches) == 1
        assert near(found["weights" + matches[0]], weights) and near(found["context" + matches[0]], context), side


def test_hermitian_co_attention_is_the_pooled_table_of_its_score():
    inputs = {"key1": numbers(4, 3), "key2": numbers(5, 3, seed=2)}
    found, p = explicit({"type": "coatt-hermitian"}, inputs)
    pooled = outputs_of(document_of({"type": "agg-pooling", "affinity": "hermitian"}, inputs, p))
    for name in ("context1", "context2", "weights1", "weights2", "affinity"):
        assert near(found[name], pooled[name])


def test_a_perceptron_over_the_co_affinity_is_parallel_co_attention():
    inputs = {"key1": numbers(4, 3), "key2": numbers(5, 3, seed=2)}
    found, p = explicit({"type": "agg-perceptron", "affinity": "co-affinity"}, inputs)
    other = {"W1": "W2", "W2": "W1", "w1": "w2", "w2": "w1"}  # it counts its maps from the other side
    known = {"structure.W_A": p["structure.affinity.W"],
             **{"structure." + there: p["structure." + here] for here, there in other.items()}}
    parallel = outputs_of(document_of({"type": "coatt-parallel"}, inputs, known))
    for name in ("context1", "context2", "weights1", "weights2"):
        assert near(found[name], parallel[name])


def test_a_nested_perceptron_without_preference_adds_the_mean_of_the_other_side():
    one, two = numbers(4, 3), numbers(5, 3, seed=2)
    mechanism = {"type": "agg-nested-perceptron", "affinity": "co-affinity"}
    _, p = explicit(mechanism, {"key1": one, "key2": two})
    p["structure.affinity.W"] = torch.zeros_like(p["structure.affinity.W"])
    found = outputs_of(document_of(mechanism, {"key1": one, "key2": two}, p))
    p = {name[10:]: x for name, x in p.items()}
    # W1 maps the second side, W2 the first; w3 scores the second, w4 the first.
    second = torch.tanh(two @ p["W1"] + (one @ p["W2"]).mean(0)) @ p["w3"].reshape(-1)
    first = torch.tanh(one @ p["W2"] + (two @ p["W1"]).mean(0)) @ p["w4"].reshape(-1)
    assert near(found["weights2"][0], second.softmax(0)) and near(found["weights1"][0], first.softmax(0))


def test_many_grains_less_the_fine_ones_are_interactive():
    one, two = numbers(4, 3), numbers(5, 3, seed=2)
    inputs = {"key1": one, "key2": two}
    found, p = explicit({"type": "coatt-multigrained"}, inputs)
    general = {"structure.first.score.W": p["structure.W_ca"], "structure.second.score.W": p["structure.W_ac"]}
    interactive = {"type": "coatt-interactive", "first": {"score": "general"}, "second": {"score": "general"}}
    coarse = outputs_of(document_of(interactive, inputs, general))
    assert near(found["output"][:, :6], coarse["output"])


def test_a_flow_back_is_the_same_for_all_words():
    inputs = {"key1": numbers(4, 3), "key2": numbers(5, 3, seed=2)}
    found, _ = explicit({"type": "coatt-bidaf"}, inputs)
    back = found["output"][:, 9:] / inputs["key1"]  # h * h~ is the last quarter
    assert near(back, back[:1].expand(4, 3)) and near(found["weights2"].sum(-1), torch.ones(4).double())


def test_one_modality_is_what_it_says():
    rows = numbers(1, 4)
    found = outputs_of(document_of({"type": "feature-juxtaposition"}, {"query": numbers(3, 4, seed=2), "key": rows}))
    assert near(found["context"], rows.expand(3, 4)) and near(found["weights"], torch.ones(3, 1).double())


def test_shares_of_documents_sentences_and_words_sum_to_one():
    x, spans = numbers(6, 4), [[0, 2], [2, 5], [5, 6]]
    found, _ = explicit({"type": "hierarchical-3tier", "spans": spans, "documents": [[0, 1], [1, 3]]}, {"x": x})
    assert near(found["weights"].sum(-1), torch.ones(1).double())
    assert near(found["weights"] @ x, found["output"])


def moved(image, down=1):
    """The image one row lower; zeros come in above."""
    return torch.cat([torch.zeros_like(image[:down]), image[:-down]])


def test_a_spatial_gate_moves_with_what_it_sees():
    image = torch.zeros(9, 9, 2).double()
    image[3:5, 3:6] = numbers(2, 3, 2)
    found, p = explicit({"type": "cbam-spatial", "k": 3}, {"image": image})
    lower = outputs_of(document_of({"type": "cbam-spatial", "k": 3}, {"image": moved(image)}, p))
    assert near(lower["output"], moved(found["output"])) and found["output"].any()


def test_one_head_of_one_pixel_is_a_gate_by_place():
    image = numbers(3, 4, 2)
    mechanism = {"type": "mhca", "kernels": "1"}
    found, p = explicit(mechanism, {"image": image})
    turned = outputs_of(document_of(mechanism, {"image": image.flip(0).flip(1)}, p))
    assert near(turned["output"], found["output"].flip(0).flip(1))
    inner = torch.relu(image @ p["structure.conv1"][0, 0])
    deconv = p["structure.deconv1"][0, 0]
    back = inner @ (deconv if deconv.shape[0] == inner.shape[-1] else deconv.T)
    assert near(found["output"], torch.sigmoid(back) * image)


def test_the_first_of_four_terms_is_plain_attention():
    image = numbers(2, 3, 4)
    mechanism = {"type": "spatial-generalized", "terms": [True, False, False, False]}
    found, p = explicit(mechanism, {"image": image})
    rows = image.reshape(-1, 4)
    mapped = {"query": rows @ p["structure.U"], "key": rows @ p["structure.V"], "value": rows}
    context, weights = plain(mapped, score="dot")
    assert near(found["context"].reshape(-1, 4), context) and near(found["weights"], weights)


@pytest.mark.parametrize("kind", ["captioning-soft", "darqn", "bottom-up-top-down"])
def test_what_asks_regions_is_the_additive_module(kind):
    query, key = numbers(2, 3), numbers(5, 4, seed=2)
    found, p = explicit({"type": kind}, {"query": query, "key": key})
    p = {name[10:]: x for name, x in p.items()}
    asks = next(p[name] for name in ("W1", "W_h") if name in p)
    told = next(p[name] for name in ("W2", "W_v", "W") if name in p)
    given = {"score.W1": asks, "score.W2": told, "score.b": p.get("b", zero(asks.shape[1])), "score.w": p["w"]}
    context, weights = plain({"query": query, "key": key}, given, score="additive")
    assert near(found["context"], context) and near(found["weights"], weights)


def test_hard_looks_are_soft_ones_in_the_mean():
    """The draws of one query, laid out evenly over [0, 1), hit each region as often as its weight says."""
    query, key, count = numbers(1, 3), numbers(4, 4, seed=2), 400
    _, p = explicit({"type": "captioning-soft"}, {"query": query, "key": key})
    soft = outputs_of(document_of({"type": "captioning-soft"}, {"query": query, "key": key}, p))
    even = ((torch.arange(count).double() + 0.5) / count).reshape(count, 1)
    mechanism = {"type": "captioning-hard", "alignment": {"type": "hard-sample", "samples": count}}
    document = document_of(mechanism, {"query": query, "key": key}, {**p, "structure.alignment.u": even})
    hard = outputs_of(document)
    assert (hard["weights"] - soft["weights"]).abs().max() <= 1 / count + 1e-12
    assert (hard["context"] - soft["context"]).abs().max() <= 4 * key.abs().max() / count


def test_words_for_regions_are_plain_attention_over_mapped_words():
    query, key = numbers(3, 4), numbers(5, 2, seed=2)
    found, p = explicit({"type": "attngan-word-region"}, {"query": query, "key": key})
    context, weights = attended(query, key @ p["structure.U"], "dot", None)
    assert near(found["context"], context) and near(found["weights"], weights)


def test_object_queries_are_plain_attention_by_learned_rows():
    key = numbers(5, 4)
    found, p = explicit({"type": "detr-queries", "N": 3}, {"key": key})
    context, weights = attended(p["structure.q"], key, "scaled-dot", None)
    assert near(found["context"], context) and near(found["weights"], weights)


def test_exchanged_patches_leave_the_class_token_where_places_mean_nothing():
    """Patches and an encoder's layer, with the table of places at zero."""
    image, model = numbers(4, 4, 1), [
        {"name": "patches", "type": "vit-patch", "inputs": {"image": "image"}, "P": 2, "dim": 4},
        {"name": "layer", "type": "attention", "inputs": {"key": "patches", "query": "patches"}}]

    def answer(pixels, places=None):
        document = {"schema": "attention-playground/1", "seed": 1, "inputs": {"image": tensor(pixels)}, "model": model}
        parameters = {name: x.detach() for name, x in with_explicit_numbers(document)[2].items()}
        table = parameters["patches.pos"]
        parameters["patches.pos"] = torch.zeros_like(table) if places is None else table
        document["parameters"] = {name: tensor(x) for name, x in parameters.items()}
        return outputs_of(document)["layer.context"]
    other = torch.cat([image[2:], image[:2]])  # the upper patches below
    assert near(answer(image)[:1], answer(other)[:1]) and not near(answer(image), answer(other))
    assert not near(answer(image, True)[:1], answer(other, True)[:1])


def test_a_film_of_one_frame_is_a_look_and_a_step():
    """Before the first frame nothing is remembered: zeros ask."""
    frame = numbers(5, 3)
    found, p = explicit({"type": "fm-frames", "hidden": 4}, {"x1": frame})
    context, weights = plain({"query": zero(1, 4), "key": frame}, scores_of(p, "structure.attention.score."),
                             score="additive")
    assert near(found["context"], context) and near(found["weights"], weights)
    cell = {name: x for name, x in p.items() if ".cell." in name}
    read = outputs_of(document_of({"type": "fm-rnn", "cell": "lstm", "hidden": 4}, {"x": context}, cell))
    assert near(found["output"], read["output"])


def test_a_memory_of_relations_that_gets_nothing_answers_nothing():
    x = numbers(4, 3)
    found, p = explicit({"type": "fm-stm", "width": 4}, {"x": x})
    shut = outputs_of(document_of({"type": "fm-stm", "width": 4, "alpha1": 0}, {"x": x}, p))
    assert found["relations"].any() and not shut["relations"].any() and not shut["context"].any()
    constant = p["structure.c_2"].repeat(3)[None] @ p["structure.G_3"] + p["structure.c_3"]
    assert near(shut["output"], constant.expand(4, -1)) and shut["items"].any()


def test_one_step_of_two_memories_finds_what_the_operator_finds():
    """At the first step both memories are empty: SAM of the item just written is all that there is."""
    x = numbers(1, 3)
    found, p = explicit({"type": "fm-stm", "width": 4, "alpha3": 0}, {"x": x})
    maps = {"structure." + name: p["structure." + name] for name in ("W_q", "W_k", "W_v")}
    alone = outputs_of(document_of({"type": "sam", "queries": 3, "slots": 3}, {"x": found["items"]}, maps))
    assert near(found["relations"], alone["output"])


@pytest.mark.parametrize(("bias", "opened"), [(60.0, True), (-800.0, False)])
def test_gates_that_are_open_read_all_facts_and_shut_ones_none(bias, opened):
    """Open, one pass is the cell over the facts; shut, nothing was read, and the memory hears zeros."""
    facts, question = numbers(5, 4), numbers(1, 4, seed=2)
    inputs = {"x": facts, "query": question}
    _, p = explicit({"type": "fm-episodes", "passes": 1}, inputs)
    p["structure.b2"] = torch.tensor(bias, dtype=torch.float64)
    found = outputs_of(document_of({"type": "fm-episodes", "passes": 1}, inputs, p))
    cell = {name: x for name, x in p.items() if ".cell." in name}
    read = outputs_of(document_of({"type": "fm-rnn", "cell": "gru", "hidden": 4}, {"x": facts}, cell))
    assert near(found["episodes"], read["last"] if opened else zero(1, 4))
    assert near(found["weights"], torch.full((1, 5), float(opened)).double())


def test_the_penalty_of_a_decoder_is_that_of_all_its_steps():
    memory, words = numbers(4, 3), ["a", "b", "<end>"]

    def decoder(**attention):
        return {"schema": "attention-playground/1", "seed": 1,
                "inputs": {"memory": tensor(memory), "target": {"tokens": words}},
                "model": [{"name": "d", "type": "om-decoder", "inputs": {"memory": "memory", "target": "target"},
                           "hidden": 4, "attention": {"score": "additive", **attention}}]}
    found = outputs_of(decoder(penalties=[{"type": "doubly-stochastic-reg", "lambda": 2}]))
    assert near(found["d.penalty"], 2 * ((1 - found["d.weights"].sum(0)) ** 2).sum()) and near(found["loss"],
                                                                                             found["d.penalty"])
    assert near(found["d.logits"], outputs_of(decoder())["d.logits"])  # without its gate it only adds to the loss
