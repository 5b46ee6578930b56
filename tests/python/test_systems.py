# SPDX-License-Identifier: Apache-2.0
"""Every system of systems/ runs, has gradients, and its exported PyTorch says the same; structures with two equal sides
answer crosswise to crossed inputs; what has nothing to choose from falls together with the simpler thing. attend64
throughout."""
import copy
import json
import math
import os

import pytest
import torch
from test_exports import check_gradients, check_values
from torch_parts import ROOT, drawn, run, system, tensor, with_explicit_numbers

NAMES = sorted(name[:-5] for name in os.listdir(os.path.join(ROOT, "systems")) if name.endswith(".json"))
SCHEMA = "attention-playground/1"


def as_tensor(x):
    return torch.tensor(x["data"], dtype=torch.float64).reshape(x["shape"])


def outputs_of(document):
    answer = run(document)
    assert "error" not in answer, answer
    return {name: as_tensor(x) for name, x in answer["outputs"].items()}


def result_of(outputs):
    """The result that a gradient is asked of: the loss, or what the last module hands on."""
    for end in ("loss", "logits", "output", "context", "reconstruction"):
        for name in reversed(outputs):
            if name == end or name.endswith("." + end):
                return name
    return next(iter(outputs))


@pytest.mark.parametrize("name", NAMES)
def test_a_system_runs_and_its_export_computes_the_same(name):
    document = system(name)
    outputs = outputs_of(document)
    assert outputs and all(x.isfinite().all() for x in outputs.values())
    text = json.dumps(document)
    assert not check_values("pytorch", name, text)
    assert not check_gradients(name, text, result_of(outputs))


@pytest.mark.parametrize("name", NAMES)
def test_a_file_says_what_it_leaves_out(name):
    with open(os.path.join(ROOT, "systems", name + ".json"), encoding="utf-8") as file:
        whole = json.load(file)
    assert whole["id"] == name and whole["title"] == whole["document"]["title"]
    left_out = whole.get("simplified", []) + whole.get("untrained", [])
    assert all(line[0].isupper() and line.endswith(".") for line in left_out + whole.get("trained", []))
    assert left_out or name == "frame-module"  # which is the general module and nothing else
    places = whole["paper"]["where"] + whole["says"] + "".join(left_out)
    # Numbers of equations are those that can be looked up: the surveys'.
    assert "equation" not in places or any(name in places + whole["paper"]["authors"] for name in
                                           ("Brauwers", "Galassi", "Soydaner"))


def document_of(mechanism, inputs, parameters=None):
    return {"schema": SCHEMA, "seed": 1, "inputs": {name: tensor(x) for name, x in inputs.items()},
            "mechanism": mechanism, "parameters": {name: tensor(x) for name, x in (parameters or {}).items()}}


def numbers(*shape, seed=1):
    return drawn(torch.Generator().manual_seed(seed), shape)


def near(a, b):
    return a.shape == b.shape and torch.allclose(a, b, rtol=0, atol=1e-12)


# What changes places when the inputs do, besides first and second; and what is transposed.
SIDES = {
    "coatt-interactive": ([], []),
    "coatt-interactive-selfpool": ([("pool1.", "pool2.")], []),
    "coatt-parallel": ([(".W1", ".W2"), (".w1", ".w2")], [".W_A"]),
    "agg-pooling": ([], [".affinity.W"]),
    "agg-linear": ([(".w1", ".w2")], [".affinity.W"]),
    "agg-perceptron": ([(".W1", ".W2"), (".w1", ".w2")], [".affinity.W"]),
    "agg-nested-perceptron": ([(".W1", ".W2"), (".w3", ".w4")], [".affinity.W"]),
    "coatt-twoway-naive": ([], [".affinity.W"]),
    "coatt-hermitian": ([("_Q", "_K")], []),
    "coatt-multigrained": ([("W_ca", "W_ac")], []),
    "attend-compare-aggregate": ([], []),
}
HALVES = {"coatt-multigrained": "structure.w", "attend-compare-aggregate": "structure.W_H"}  # [one side; the other; ..]


def exchanged(name, pairs):
    for a, b in [("first.", "second."), *pairs]:
        if a in name or name.endswith(a):
            return name.replace(a, b)
        if b in name or name.endswith(b):
            return name.replace(b, a)
    return name


def crossed(parameters, kind):
    pairs, transposed = SIDES[kind]
    found = {}
    for name, x in parameters.items():
        if any(name.endswith(end) for end in transposed):
            x = x.T
        if name == HALVES.get(kind):
            d = 3
            x = torch.cat([x[d:2 * d], x[:d], x[2 * d:]])
        found[exchanged(name, pairs)] = x
    return found


@pytest.mark.parametrize("kind", SIDES)
def test_equal_sides_answer_crosswise(kind):
    left, right = numbers(4, 3), numbers(5, 3, seed=2)
    mechanism = {"type": kind, **({"affinity": "co-affinity"} if ".affinity.W" in SIDES[kind][1] else {})}
    parameters = with_explicit_numbers(document_of(mechanism, {"key1": left, "key2": right}))[2]
    parameters = {name: x.detach() for name, x in parameters.items()}
    straight = outputs_of(document_of(mechanism, {"key1": left, "key2": right}, parameters))
    across = outputs_of(document_of(mechanism, {"key1": right, "key2": left}, crossed(parameters, kind)))
    for what in ("scores", "weights", "context"):
        assert near(straight[what + "1"], across[what + "2"]) and near(straight[what + "2"], across[what + "1"]), what
    assert not near(straight["weights1"], torch.full_like(straight["weights1"], 1 / straight["weights1"].shape[1]))
    if "affinity" in straight:
        assert near(straight["affinity"], across["affinity"].T)
    if kind == "attend-compare-aggregate":
        assert near(straight["output"], across["output"])


def test_a_whole_system_answers_crosswise():
    """IAN with sentence and target, and all that belongs to them, exchanged."""
    document, inputs, parameters = with_explicit_numbers(system("ian"))
    across = copy.deepcopy(document)
    across["inputs"] = {"sentence": document["inputs"]["target"], "target": document["inputs"]["sentence"]}
    places = {"s.": "t.", "t.": "s.", "both.first.": "both.second.", "both.second.": "both.first."}

    def other(name):
        start = next((one for one in places if name.startswith(one)), "")
        return places[start] + name[len(start):] if start else name
    across["parameters"] = {other(name): x for name, x in document["parameters"].items()}
    one, two = outputs_of(document), outputs_of(across)
    assert near(one["both.weights1"], two["both.weights2"]) and near(one["both.context2"], two["both.context1"])


def attended(query, key, score, parameters, alignment="softmax"):
    """The plain module: its context and weights."""
    mechanism = {"type": "attention", "score": score, "alignment": alignment}
    inputs = {"key": key, **({"query": query} if query is not None else {})}
    if query is None:
        mechanism["query"] = "query-constant"
    found = outputs_of(document_of(mechanism, inputs, parameters))
    return found["context"], found["weights"]


def explicit(mechanism, inputs):
    """The outputs and the parameters of a mechanism with drawn numbers."""
    document = document_of(mechanism, inputs)
    parameters = with_explicit_numbers(document)[2]
    parameters = {name: x.detach() for name, x in parameters.items()}
    return outputs_of(document_of(mechanism, inputs, parameters)), parameters


def scores_of(parameters, prefix):
    return {"score." + name[len(prefix):]: x for name, x in parameters.items() if name.startswith(prefix)}


def test_one_sentence_is_plain_attention():
    x = numbers(6, 4)
    found, parameters = explicit({"type": "hierarchical", "spans": [[0, 6]]}, {"x": x})
    context, weights = attended(None, x, "self-additive", scores_of(parameters, "structure.word.score."))
    assert near(found["output"], context) and near(found["weights"], weights)


def test_one_document_is_two_levels():
    spans, x = [[0, 2], [2, 5], [5, 6]], numbers(6, 4)
    found, parameters = explicit({"type": "hierarchical-3tier", "spans": spans, "documents": [[0, 3]]}, {"x": x})
    two = {name: value for name, value in parameters.items() if ".document." not in name}
    plain = outputs_of(document_of({"type": "hierarchical", "spans": spans}, {"x": x}, two))
    assert near(found["output"], plain["output"]) and near(found["weights"], plain["weights"])


@pytest.mark.parametrize("kind", ["multi-representational", "cdme", "multilingual-meta"])
def test_one_representation_is_the_embedding(kind):
    x = numbers(5, 4)
    _, parameters = explicit({"type": kind}, {"x1": x})
    parameters.update({"structure.W1": torch.eye(4, dtype=torch.float64), "structure.b1": torch.zeros(4).double()})
    found = outputs_of(document_of({"type": kind}, {"x1": x}, parameters))
    assert near(found["context"], x) and near(found["weights"], torch.ones(5, 1).double())


def test_one_hop_of_a_rotation_is_the_rotation():
    inputs = {"target": numbers(2, 3), "left": numbers(4, 3, seed=2), "right": numbers(3, 3, seed=3)}
    found, parameters = explicit({"type": "rotatory-hop", "hops": 1}, inputs)
    plain = outputs_of(document_of({"type": "rotatory"}, inputs, parameters))
    assert near(found["output"], plain["output"])


def test_one_hop_over_a_memory_is_the_module():
    u, memory = numbers(1, 4), numbers(5, 4, seed=2)
    found, p = explicit({"type": "memnet-hop", "hops": 1}, {"query": u, "memory": memory})
    p = {name[10:]: x for name, x in p.items()}
    mechanism = {"type": "attention", "score": "dot"}
    inputs = {"query": u @ p["B"], "key": memory @ p["A"], "value": memory @ p["C"]}
    plain = outputs_of(document_of(mechanism, inputs))
    assert near(found["context"], plain["context"]) and near(found["weights"], plain["weights"])
    assert near(found["output"], u @ p["B"] @ p["H"] + plain["context"])


def test_one_hop_is_the_module_asked_by_the_read_question():
    question, key = numbers(3, 4), numbers(5, 4, seed=2)
    found, parameters = explicit({"type": "multi-hop", "hops": 1, "hop": {"score": "general"}},
                                 {"query": question, "key": key})
    read = torch.softmax(question.mean(0) @ question.T / math.sqrt(4), 0) @ question
    query = torch.cat([read, key.mean(0)])[None]
    context, weights = attended(query, key, "general", scores_of(parameters, "structure.hop.score."))
    assert near(found["context"], context) and near(found["weights"], weights)


@pytest.mark.parametrize(("kind", "knobs", "shape"), [("area-attention-1d", {"w": 1}, (5, 4)),
                                                      ("area-attention-2d", {"height": 1, "width": 1}, (2, 3, 4))])
def test_areas_of_one_are_plain_attention(kind, knobs, shape):
    query, key = numbers(3, 4), numbers(*shape, seed=2)
    found = outputs_of(document_of({"type": kind, **knobs}, {"query": query, "key": key}))
    rows = key.reshape(-1, 4)
    context, weights = attended(query, rows, "dot", None)
    assert near(found["context"], context) and near(found["weights"], weights)


def test_one_label_is_plain_attention():
    key = numbers(5, 4)
    found, parameters = explicit({"type": "label-wise", "labels": 1}, {"key": key})
    context, weights = attended(parameters["structure.q"], key, "dot", None)
    assert near(found["context"], context) and near(found["weights"], weights)


def test_a_target_of_one_word_asks_by_itself():
    target, key = numbers(1, 4), numbers(5, 4, seed=2)
    found, parameters = explicit({"type": "macro-target"}, {"target": target, "key": key})
    assert near(found["target.context"], target)
    assert any(name.startswith("structure.target.") for name in parameters)
    others = {name: 2 * x for name, x in parameters.items() if name.startswith("structure.target.")}
    again = outputs_of(document_of({"type": "macro-target"}, {"target": target, "key": key}, {**parameters, **others}))
    assert near(found["context"], again["context"])  # what weighs a single word says nothing


def test_a_reader_of_one_word_is_its_cell():
    """Nobody stands behind the first word, so that there is nothing to look back at."""
    x = numbers(1, 3)
    found, parameters = explicit({"type": "fm-lstmn", "hidden": 4}, {"x": x})
    cell = {name: value for name, value in parameters.items() if ".cell." in name}
    plain = outputs_of(document_of({"type": "fm-rnn", "cell": "lstm", "hidden": 4}, {"x": x}, cell))
    assert near(found["output"], plain["output"]) and not found["weights"].any()


def test_a_reader_that_only_looks_one_word_back_is_a_plain_one():
    """The chain of an LSTM is the look back whose whole weight lies on the state before."""
    x = numbers(5, 3)
    rule = [[1.0 if j == i - 1 else 0.0 for j in range(5)] for i in range(5)]
    mechanism = {"type": "fm-lstmn", "hidden": 4,
                 "attention": {"mask": [{"type": "mask-explicit", "allowed": rule}]}}
    found, parameters = explicit(mechanism, {"x": x})
    cell = {name: value for name, value in parameters.items() if ".cell." in name}
    plain = outputs_of(document_of({"type": "fm-rnn", "cell": "lstm", "hidden": 4}, {"x": x}, cell))
    assert near(found["output"], plain["output"]) and near(found["last"], plain["last"])


def test_the_first_word_of_two_sentences_looks_like_plain_attention():
    """Word by word: before anything was found, what asks besides the word are zeros."""
    query, key = numbers(3, 4), numbers(5, 2, seed=2)
    found, parameters = explicit({"type": "word-by-word"}, {"query": query, "key": key})
    score = scores_of(parameters, "structure.attention.score.")
    asks = torch.cat([query[:1], torch.zeros(1, 2).double()], 1)
    context, weights = attended(asks, key, "additive", score)
    assert near(found["context"][:1], context) and near(found["weights"][:1], weights)
    assert near(found["output"][:1], context)
    silent = {**parameters, "structure.W_t": torch.zeros(2, 2).double()}
    assert near(outputs_of(document_of({"type": "word-by-word"}, {"query": query, "key": key}, silent))["output"],
                outputs_of(document_of({"type": "word-by-word"}, {"query": query, "key": key}, silent))["context"])


def test_a_memory_that_is_neither_erased_nor_added_to_stays():
    x, memory, d = numbers(4, 3), numbers(5, 2, seed=2), 2
    found, parameters = explicit({"type": "fm-ntm", "hidden": 4}, {"x": x, "memory": memory})
    assert not near(found["memory"], memory)
    W, b = parameters["structure.W_w"].clone(), parameters["structure.b_w"].clone()
    W[:, d + 6:], b[d + 6:2 * d + 6], b[2 * d + 6:] = 0, -1000.0, 0  # the gate of erasing is shut
    shut = {**parameters, "structure.W_w": W, "structure.b_w": b}
    found = outputs_of(document_of({"type": "fm-ntm", "hidden": 4}, {"x": x, "memory": memory}, shut))
    assert near(found["memory"], memory)
    assert near(found["written"].sum(1), torch.ones(4).double()) and near(found["context"], found["weights"] @ memory)


def test_an_eye_that_is_not_moved_sees_one_glimpse_again_and_again():
    image = numbers(7, 6)
    mechanism = {"type": "fm-ram", "k": 2, "g": 3, "steps": 3, "hidden": 4}
    found, parameters = explicit(mechanism, {"image": image})
    still = {**parameters, "structure.start": torch.tensor([0.4, -0.2], dtype=torch.float64),
             "structure.W_l": torch.zeros(4, 2).double(), "structure.z": torch.zeros(3, 2).double(),
             "structure.b_l": torch.tensor([0.4, -0.2], dtype=torch.float64)}
    stays = outputs_of(document_of(mechanism, {"image": image}, still))
    one = outputs_of(document_of({"type": "ram-glimpse", "k": 2, "g": 3}, {"image": image},
                                 {"structure.location": still["structure.start"]}))
    assert all(near(seen, one["output"]) for seen in stays["glimpses"])
    assert not near(found["location"][0], found["location"][2])


def test_a_writer_whose_strokes_are_empty_leaves_the_canvas():
    image = numbers(5, 6).abs()
    mechanism = {"type": "fm-draw", "N": 2, "steps": 3, "hidden": 4}
    found, parameters = explicit(mechanism, {"image": image})
    empty = {**parameters, "structure.W_p": torch.zeros(4, 4).double()}
    blank = outputs_of(document_of(mechanism, {"image": image}, empty))
    assert near(blank["output"], torch.full((5, 6), 0.5).double()) and not near(found["output"], blank["output"])
    # What is read first is the patch that one grid reads; a state of zeros puts it over the whole image.
    first = outputs_of(document_of({"type": "selective-gaussian-grid", "N": 2},
                                   {"image": image, "h": torch.zeros(1, 4).double()},
                                   {"structure.W": parameters["structure.W_r"]}))
    assert near(found["patches"][0][0], first["patch"])


def test_words_that_differ_are_not_added_up():
    weights = torch.tensor([[0.5, 0.3, 0.2]], dtype=torch.float64)

    def answer(*words):
        inputs = {"weights": tensor(weights), "key": {"tokens": list(words)}}
        return outputs_of({"schema": SCHEMA, "inputs": inputs, "mechanism": "om-attention-sum"})
    apart, twice = answer("a", "b", "c"), answer("a", "b", "a")
    assert near(apart["probabilities"][:, 3:], weights)
    assert near(twice["probabilities"][:, 3:], torch.tensor([[0.7, 0.3]], dtype=torch.float64))
    assert not twice["probabilities"][:, :3].any() and twice["logits"].isfinite().all()


def test_blocks_that_add_nothing_hand_on_what_they_got():
    document = system("sagan-system")
    document["parameters"]["structure.gamma"] = 0.0
    assert near(outputs_of(document)["output"], as_tensor(document["inputs"]["image"]))
    document = system("universal-transformer")
    assert document["mechanism"]["steps"] == 2
    shapes = [{k: v["shape"] for k, v in run({**document, "mechanism": {**document["mechanism"], "steps": steps}})[
        "parameters"].items()} for steps in (1, 5)]
    assert shapes[0] == shapes[1]  # however many steps, the numbers are those of one layer
