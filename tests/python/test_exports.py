#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the exported code of every mechanism and every example, and compares it with attend64.

One test a mechanism (or example) and dialect, and one for the gradients, which PyTorch finds by itself. Run by pytest.
"""
import contextlib
import io
import json
import math
import os
import subprocess
import warnings

import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.join(ROOT, "build", "bin", "attend64")
TOLERANCE = 1e-9
# Sizes and slots under which exported code takes another path than in the mechanism's own example.
VARIANTS = {
    "multi-head with everything": {
        "type": "attention", "query": "self-attention", "heads": {"type": "multi-head", "count": 2},
        "mask": ["mask-causal"], "position": ["pos-sinusoidal", "pos-relative-shaw"], "alignment": "sparsemax"},
    "recurrent under heads": {
        "type": "attention", "query": "self-attention", "heads": {"type": "multi-head", "count": 2},
        "score": "additive", "alignment": "adaptive-temperature", "mask": ["mask-causal"]},
    "heads that share keys": {
        "type": "attention", "query": "self-attention", "heads": {"type": "grouped-query", "count": 4, "groups": 2},
        "mask": ["mask-causal"], "score": "dot", "position": ["pos-relative-shaw"]},
    "gates of the token in heads that share keys": {
        "type": "attention", "query": "self-attention", "core": {"type": "gla", "gates": "token"},
        "heads": {"type": "multi-query", "count": 3}},
    "gelu and a window": {
        "type": "attention", "query": "self-attention", "score": {"type": "additive", "act": "gelu"},
        "alignment": {"type": "local-predictive", "renormalise": True}},
    "queries that are their own keys, at a distance of 0": {
        "type": "attention", "score": "similarity-l2", "inputs": {"query": "x"}},
    "improved clusters": {
        "type": "attention", "query": "self-attention",
        "core": {"type": "clustered", "clusters": 2, "improved": True, "k": 2}},
    "rotated and normed heads, stretched by yarn": {
        "type": "attention", "query": "self-attention", "heads": {"type": "multi-head", "count": 2},
        "qk": {"type": "qk-norm", "over": "heads", "kind": "layer"},
        "aggregate": {"type": "gated-output", "per": "head"},
        "position": {"type": "pos-rope", "scaling": "yarn", "factor": 4, "length": 16, "fast": 2, "slow": 0.2}},
    "rotated neighbours beside a core": {
        "type": "attention", "query": "self-attention", "core": "fast-weight",
        "position": {"type": "pos-rope", "pairs": "neighbour", "fraction": 0.7, "scaling": "llama3", "factor": 8,
                     "length": 16}},
    "no key allowed": {
        "type": "attention", "query": "self-attention",
        "mask": [{"type": "mask-explicit", "allowed": [[1, 0, 1], [0, 0, 0], [1, 1, 1]]}]},
}
VARIANTS.update({"activation " + act: {"type": "attention", "query": "self-attention",
                                       "score": {"type": "additive", "act": act}}
                 for act in "tanh relu leaky-relu elu selu sigmoid softplus identity".split()})


def tool(*arguments, text=None):
    done = subprocess.run([TOOL, *arguments], input=text, capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        raise RuntimeError(f"attend64 {' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


def execute(code, name):
    """What the script prints when it is run as a program."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("error")
        exec(compile(code, name, "exec"), {"__name__": "__main__"})
    return json.loads(printed.getvalue())


def differences(expected, found):
    """Sentences about what differs; empty when all is equal."""
    if expected.keys() != found.keys():
        return [f"results {sorted(found)} instead of {sorted(expected)}"]
    wrong = []
    for name, tensor in expected.items():
        if tensor["shape"] != found[name]["shape"]:
            wrong.append(f"{name}: shape {found[name]['shape']} instead of {tensor['shape']}")
            continue
        size = max([1.0] + [abs(x) for x in tensor["data"]])
        for cell, (a, b) in enumerate(zip(tensor["data"], found[name]["data"], strict=True)):
            near = abs(a - b) <= TOLERANCE * max(abs(a), 1e-3 * size)
            if not (near and math.isfinite(b)):
                wrong.append(f"{name}[{cell}]: {b!r} instead of {a!r}")
                break
    return wrong


def nested(values, shape):
    """A flat list as the nested lists of a shape."""
    for extent in reversed(shape[1:]):
        values = [values[i:i + extent] for i in range(0, len(values), extent)]
    return values


def check_values(dialect, name, document):
    expected = json.loads(tool("run", "-", text=document))["outputs"]
    if not expected:
        return ["no outputs to compare"]
    return differences(expected, execute(tool("export", dialect, "-", text=document), name))


def check_gradients(name, document, of=None):
    """Gradients of sum(cotangent * output) by every leaf, against PyTorch's own differentiation of the script."""
    document = json.loads(document)
    outputs = json.loads(tool("run", "-", text=json.dumps(document)))["outputs"]
    of = of or next(o for o in ("context", "output", *outputs) if o in outputs)
    shape = outputs[of]["shape"]
    cotangent = nested([math.sin(1 + i) for i in range(math.prod(shape))], shape) if shape else math.sin(1)
    document["gradient"] = {"of": of, "cotangent": cotangent}
    document.pop("outputs", None)
    text = json.dumps(document)
    expected = json.loads(tool("run", "-", text=text))["gradients"]
    script = {"__name__": "exported"}
    exec(compile(tool("export", "pytorch", "-", text=text), name, "exec"), script)
    torch = script["torch"]
    code = script["attention"].__code__
    leaves = {leaf: script[leaf].requires_grad_() for leaf in code.co_varnames[:code.co_argcount]}
    result = script["attention"](**leaves)[of]
    loss = (result * torch.tensor(cotangent, dtype=script["x_type"])).sum()
    if loss.requires_grad:
        loss.backward()
    found = {}
    for leaf in expected:
        tensor = leaves.get(leaf.removeprefix("inputs.").replace(".", "_").replace("-", "_"))
        slope = torch.zeros(expected[leaf]["shape"]) if tensor is None or tensor.grad is None else tensor.grad
        found[leaf] = {"shape": list(slope.shape), "data": slope.reshape(-1).tolist()}
    if not any(slope.any() for slope in (t.grad for t in leaves.values()) if slope is not None) and any(
            any(g["data"]) for g in expected.values()):
        return ["PyTorch finds no gradient at all"]
    return differences(expected, found)


def documents():
    """(name, function that gives the document) of each mechanism, example and variant."""
    for mechanism in json.loads(tool("catalogue"))["mechanisms"]:
        yield mechanism["id"], lambda id=mechanism["id"]: tool("example", id)
    folder = os.path.join(ROOT, "examples")
    for file in sorted(os.listdir(folder)) if os.path.isdir(folder) else []:
        if file.endswith(".json"):
            yield file, lambda path=os.path.join(folder, file): open(path, encoding="utf-8").read()
    for name, mechanism in VARIANTS.items():
        text = json.dumps({
            "schema": "attention-playground/1", "seed": 5, "mechanism": mechanism,
            "inputs": {"x": {"matrix": [[0.3, -1.1, 0.8, 0.2], [1.4, 0.1, -0.6, 0.9], [-0.7, 0.5, 0.4, -1.3]]}}})
        yield name, lambda text=text: text


EVERY_DOCUMENT = [pytest.param(name, give, id=name) for name, give in documents()]


@pytest.mark.parametrize("dialect", ["pytorch", "numpy"])
@pytest.mark.parametrize(("name", "give"), EVERY_DOCUMENT)
def test_exported_code_computes_the_same(name, give, dialect):
    assert not check_values(dialect, name, give())


@pytest.mark.parametrize(("name", "give"), EVERY_DOCUMENT)
def test_gradients_are_those_of_pytorch(name, give):
    assert not check_gradients(name, give())


def leaves_of(script):
    code = script["attention"].__code__
    return {name: script[name] for name in code.co_varnames[:code.co_argcount]}


# Numbers that are equal where the largest is taken, and zeros where only positive ones go on.
TIES = {
    "the largest of rows": ({"type": "fm-pool"}, {"x": [[1, 1], [1, 0]]}),
    "the larger of two": ({"type": "fm-combine", "by": "max"}, {"x1": [[1, 2], [0, 3]], "x2": [[1, 1], [0, 4]]}),
    "the larger of three": ({"type": "fm-combine", "by": "max"}, {"x1": [[1]], "x2": [[1]], "x3": [[1]]}),
    "zeros before relu": (
        {"type": "attention", "query": "self-attention", "score": {"type": "additive", "act": "relu"}},
        {"x": [[0, 0], [0, 0], [1, -1]]}),
    "one key of two equal ones": (
        {"type": "attention", "query": "query-basic", "score": "dot", "alignment": "hard-argmax"},
        {"query": [[1, 1]], "key": [[1, 0], [0, 1]], "value": [[1], [2]]}),
    "an image without strokes": ({"type": "fm-cnn2d", "pool": 2}, {"x": [[0, 0, 0, 0]] * 4}),
}


@pytest.mark.parametrize("name", TIES)
def test_gradients_on_ties_go_where_the_engine_sends_them(name):
    mechanism, inputs = TIES[name]
    document = {"schema": "attention-playground/1", "seed": 3, "mechanism": mechanism,
                "inputs": {key: {"matrix": rows} for key, rows in inputs.items()}}
    if name == "an image without strokes":
        document["inputs"] = {"x": {"shape": [4, 4, 1], "data": [0] * 16}}
    assert not check_gradients(name, json.dumps(document))


def longer(document, values):
    """The document with one row more in every matrix, and the parameters that it drew."""
    document = json.loads(json.dumps(document))
    for tensor in document["inputs"].values():
        if "data" not in tensor or len(tensor["shape"]) != 2:
            return None
        rows, width = tensor["shape"]
        tensor["shape"] = [rows + 1, width]
        tensor["data"] += [0.5 - x for x in tensor["data"][:width]]
    document["parameters"] = {**document.get("parameters", {}), **values["parameters"]}
    return document


def answer_for(script, document):
    """What the script makes of the document's inputs; None where it refuses them."""
    torch, leaves = script["torch"], leaves_of(script)
    for name, tensor in document["inputs"].items():
        name = name.replace(".", "_").replace("-", "_")
        if name in leaves:
            leaves[name] = torch.tensor(tensor["data"], dtype=script["x_type"]).reshape(tensor["shape"])
    try:
        results = script["attention"](**leaves)
    except (ValueError, RuntimeError, IndexError):
        return None
    return {name: {"shape": list(x.shape), "data": x.reshape(-1).tolist()} for name, x in results.items()}


EXAMPLES = [mechanism["id"] for mechanism in json.loads(tool("catalogue"))["mechanisms"]]


@pytest.mark.parametrize("name", EXAMPLES)
def test_given_more_rows_a_script_is_right_or_refuses(name):
    text = tool("example", name)
    more = longer(json.loads(text), json.loads(tool("run", "-", text=text)))
    if more is None:
        return
    script = {"__name__": "exported"}
    exec(compile(tool("export", "pytorch", "-", text=text), name, "exec"), script)
    found = answer_for(script, more)
    if found is None:
        return
    try:
        expected = json.loads(tool("run", "-", text=json.dumps(more)))["outputs"]
    except RuntimeError:
        return  # it is the document that cannot be so long
    assert not differences(expected, found)


def test_a_formula_takes_inputs_of_any_length_and_a_recurrent_script_only_its_own():
    text = tool("example", "scaled-dot")
    more = longer(json.loads(text), json.loads(tool("run", "-", text=text)))
    script = {"__name__": "exported"}
    exec(compile(tool("export", "pytorch", "-", text=text), "scaled-dot", "exec"), script)
    assert answer_for(script, more) is not None
    for dialect in ("pytorch", "numpy"):
        script = {"__name__": "exported"}
        exec(compile(tool("export", dialect, "-", text=tool("example", "rnnsearch")), "rnnsearch", "exec"), script)
        leaves = leaves_of(script)
        words = leaves["embedding_words"]
        leaves["embedding_words"] = (script["torch"].cat((words, words[:1])) if dialect == "pytorch"
                                     else script["np"].concatenate((words, words[:1])))
        with pytest.raises(ValueError, match="export the document again"):
            script["attention"](**leaves)
