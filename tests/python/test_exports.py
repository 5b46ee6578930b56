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
    "gelu and a window": {
        "type": "attention", "query": "self-attention", "score": {"type": "additive", "act": "gelu"},
        "alignment": {"type": "local-predictive", "renormalise": True}},
    "queries that are their own keys, at a distance of 0": {
        "type": "attention", "score": "similarity-l2", "inputs": {"query": "x"}},
    "improved clusters": {
        "type": "attention", "query": "self-attention",
        "core": {"type": "clustered", "clusters": 2, "improved": True, "k": 2}},
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
