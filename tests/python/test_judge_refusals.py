# SPDX-License-Identifier: Apache-2.0
"""What is wrong in a document of structures, images or models is refused where it is wrong, in words that name it."""
import pytest
from judge_parts import run_all

TABLE = {"shape": [6, 4], "data": [0.5] * 24}
NARROW = {"shape": [3, 5], "data": [0.5] * 15}
IMAGE = {"shape": [6, 6, 3], "data": [0.5] * 108}
LINEAR = {"type": "fm-linear", "inputs": {"x": "x"}}


def one(mechanism, inputs):
    return {"schema": "attention-playground/1", "inputs": inputs, "mechanism": mechanism}


def model(*modules, inputs=None, **more):
    return {"schema": "attention-playground/1", "inputs": inputs or {"x": TABLE}, "model": list(modules), **more}


def spans(*list_):
    return one({"type": "hierarchical", "spans": list(list_)}, {"x": TABLE})


E_THREE, TIE = {"name": "e", **LINEAR, "width": 3}, {"b.score.W": "e.W"}
ASKS = {"name": "b", "type": "attention", "inputs": {"query": "x", "key": "x"}, "score": "general"}
DECODER = {
    "name": "d",
    "type": "om-decoder",
    "inputs": {"memory": "x"},
    "feed": "greedy",
    "vocabulary": ["<start>", "<end>", "<unknown>", "a"],
}

WORDS = ["<start>", "<end>", "<unknown>", "a", "b"]

WRONG = {
    "spans that overlap": (spans([0, 3], [2, 6]), "/mechanism/spans/1", "overlaps"),
    "spans with a gap": (spans([0, 2], [3, 6]), "/mechanism/spans/1", "gap"),
    "spans that go past the end": (spans([0, 2], [2, 7]), "/mechanism/spans/1", "goes past the end"),
    "spans that stop early": (spans([0, 2], [2, 5]), "/mechanism/spans", "must reach the end"),
    "documents that overlap": (
        one({"type": "hierarchical-3tier", "spans": [[0, 3], [3, 6]], "documents": [[0, 2], [1, 2]]}, {"x": TABLE}),
        "/mechanism/documents/1",
        "overlaps",
    ),
    "a missing source": (one({"type": "coatt-interactive"}, {"key1": TABLE}), "/inputs", '"key2"'),
    "two unfitting widths": (one({"type": "coatt-bidaf"}, {"key1": TABLE, "key2": NARROW}), "/inputs/key2", "[3 4]"),
    "two widths that a score cannot compare": (
        one({"type": "agg-pooling"}, {"key1": TABLE, "key2": NARROW}),
        "/mechanism/affinity",
        "equally wide",
    ),
    "representations of unequal length": (
        one({"type": "multi-representational"}, {"x1": TABLE, "x2": NARROW}),
        "/inputs/x2",
        "found [3 5]",
    ),
    "a patch larger than the image": (
        one({"type": "vit-patch", "P": 9}, {"image": IMAGE}),
        "/mechanism/P",
        "larger than the image",
    ),
    "an image that patches do not tile": (
        one({"type": "vit-patch", "P": 4}, {"image": IMAGE}),
        "/mechanism/P",
        "divide",
    ),
    "an unknown module": (
        model({"name": "a", "type": "fm-nothing", "inputs": {"x": "x"}}),
        "/model/0/type",
        'unknown structure "fm-nothing"',
    ),
    "a cycle": (
        model(
            {"name": "a", "type": "fm-linear", "inputs": {"x": "b"}},
            {"name": "b", "type": "fm-linear", "inputs": {"x": "a"}},
        ),
        "/model/0/inputs/x",
        "later",
    ),
    "a module that reads itself": (
        model({"name": "a", "type": "fm-linear", "inputs": {"x": "a"}}),
        "/model/0/inputs/x",
        "itself",
    ),
    "a port that is not fed": (model({"name": "a", "type": "fm-linear"}, inputs={"z": TABLE}), "/inputs", '"x"'),
    "a port that is not there": (
        model({"name": "a", "type": "fm-linear", "inputs": {"x": "x", "y": "x"}}),
        "/model/0/inputs/y",
        '"y"',
    ),
    "an output that is not there": (
        model({"name": "a", **LINEAR}, {"name": "b", "type": "fm-linear", "inputs": {"x": "a.no"}}),
        "/model/1/inputs/x",
        'no output "no"',
    ),
    "no modules": (model(), "/model", "1 to 256"),
    "10,000 modules": (model(*[{"name": f"m{i}", **LINEAR} for i in range(10000)]), "/model", "found 10000"),
    "a cell that is not there": (
        model({"name": "a", "type": "fm-rnn", "inputs": {"x": "x"}, "cell": "no"}),
        "/model/0/cell",
        'unknown cell "no"',
    ),
    "a wrong first state": (
        model({**DECODER, "inputs": {"memory": "x", "initial": "s"}}, inputs={"x": TABLE, "s": NARROW}),
        "/inputs/s",
        "[1 d0]",
    ),
    "two first states of a reader": (
        model(
            {"name": "a", "type": "fm-rnn", "inputs": {"x": "x", "initial": "s"}}, inputs={"x": TABLE, "s": NARROW}
        ),
        "/inputs/s",
        "[1 dh]",
    ),
    "a first state of another width": (
        model(
            {"name": "a", "type": "fm-rnn", "hidden": 3, "inputs": {"x": "x", "initial": "s"}},
            inputs={"x": TABLE, "s": {"matrix": [[1, 2]]}},
        ),
        "/",
        "3",
    ),
    "a batch of 0": (model({"name": "a", **LINEAR}, examples=[]), "/examples", "at least one"),
    "steps that cost too much": (model({**DECODER, "steps": 850000}), "/m", "seconds"),
    "tied shapes, the other first": (model(E_THREE, ASKS, tie=TIE), "/tie/b.score.W", "[4 4]"),
    "tied shapes, the other last": (model(ASKS, E_THREE, tie=TIE), "/tie/b.score.W", "[4 4]"),
    "tied shapes, the other given": (
        model(E_THREE, ASKS, tie=TIE, parameters={"e.W": {"shape": [4, 3], "data": [0.1] * 12}}),
        "/tie/b.score.W",
        "[4 4]",
    ),
    "tied to a parameter that is not there": (model(E_THREE, tie={"e.W": "e.X"}), "/tie/e.W", '"e.X"'),
    "an input that is called as a module's result": (
        model({"name": "a", **LINEAR}, inputs={"x": TABLE, "a.output": NARROW}),
        "/inputs/a.output",
        'result of the module "a"',
    ),
    "classes without words": (
        model(
            {"name": "l", **LINEAR, "width": 4},
            {"name": "c", "type": "cross-entropy", "inputs": {"logits": "l", "target": "t"}},
            inputs={"x": TABLE, "t": {"tokens": ["a", "b", "a", "b", "a", "b"]}},
        ),
        "/inputs/t",
        '"vocabulary"',
    ),
    "classes with other words": (
        model(
            {"name": "l", **LINEAR, "width": 4},
            {"name": "c", "type": "cross-entropy", "inputs": {"logits": "l", "target": "t"}, "vocabulary": WORDS},
            inputs={"x": TABLE, "t": {"tokens": ["a", "b", "a", "b", "a", "b"]}},
        ),
        "/model/1/vocabulary",
        "same vocabulary",
    ),
    "rows that are joined with a rest": (
        model({"name": "f", "type": "fm-flatten", "size": 4, "inputs": {"x": "x"}}),
        "/model/0/size",
        "divide",
    ),
}


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_refused_where_it_is_wrong(name):
    document, path, words = WRONG[name]
    answer = run_all([document])[0]
    assert "error" in answer, list(answer["outputs"])
    assert answer["error"]["path"].startswith(path), answer["error"]
    assert words in answer["error"]["message"], answer["error"]


@pytest.mark.parametrize("type_", ["se", "cbam", "mhca", "sagan", "spatial-generalized", "ram-glimpse"])
def test_an_image_of_one_place_is_an_image(type_):
    answer = run_all([one({"type": type_}, {"image": {"shape": [1, 1], "data": [0.5]}})])[0]
    assert "error" not in answer, answer["error"]


@pytest.mark.parametrize(
    "alias,id_",
    [
        ("bidaf", "coatt-bidaf"),
        ("qanet", "coatt-qanet"),
        ("sordoni", "coatt-sordoni"),
        ("pooling", "agg-pooling"),
        ("hermitian", "coatt-hermitian"),
        ("perceptron", "agg-perceptron"),
        ("nested-perceptron", "agg-nested-perceptron"),
    ],
)
def test_an_id_stands_without_its_prefix(alias, id_):
    answers = run_all([one({"type": name}, {"key1": TABLE, "key2": TABLE}) for name in (alias, id_)])
    assert "error" not in answers[0], answers[0]["error"]
    assert answers[0]["outputs"] == answers[1]["outputs"]
