#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Exports of recurrent cores in chunks compute what their loops compute, with the same gradients. Run by pytest."""
import json
import math

import pytest
import torch
from test_exports import differences, execute, tool

CORES = [one["id"] for one in json.loads(tool("catalogue"))["mechanisms"]
         if one["kind"] == "core" and one["always_causal"] and any(knob["name"] == "chunk" for knob in one["knobs"])]
ROWS = "2"  # of the five that the examples have


def document_of(core):
    rows = [[math.sin(3.0 * i + j) for j in range(4)] for i in range(5)]
    inputs = {name: {"matrix": [row[k:] + row[:k] for row in rows]} for k, name in enumerate(("query", "key", "value"))}
    return json.dumps({"schema": "attention-playground/1", "seed": 5, "inputs": inputs,
                       "mechanism": {"type": "attention", "core": core}})


def script_of(core, *options):
    return tool("export", "pytorch", *options, "-", text=document_of(core))


def slopes(code):
    """The gradients of the context's sum of squares by everything that the script reads."""
    script = {"__name__": "exported"}
    exec(compile(code, "script", "exec"), script)
    names = script["attention"].__code__.co_varnames[:script["attention"].__code__.co_argcount]
    leaves = {name: script[name].requires_grad_() for name in names}
    (script["attention"](**leaves)["context"] ** 2).sum().backward()
    return {name: {"shape": list(leaf.shape), "data": leaf.grad.reshape(-1).tolist()}
            for name, leaf in leaves.items() if leaf.grad is not None}


@pytest.mark.parametrize("dialect", ["pytorch", "numpy"])
@pytest.mark.parametrize("core", CORES)
def test_chunks_are_the_loop(core, dialect):
    document = document_of(core)
    loop = tool("export", dialect, "-", text=document)
    chunks = tool("export", dialect, "--chunked", ROWS, "-", text=document)
    assert " in range(3):" in chunks and " in range(3):" not in loop
    expected = json.loads(tool("run", "-", text=document))["outputs"]
    assert not differences(expected, execute(loop, core))
    assert not differences(expected, execute(chunks, core))


@pytest.mark.parametrize("core", CORES)
def test_chunks_have_the_gradients_of_the_loop(core):
    found = slopes(script_of(core, "--chunked", ROWS))
    assert found and not differences(slopes(script_of(core)), found)


@pytest.mark.parametrize("core", ["gla", "gated-deltanet", "mlstm", "gated-slot"])
def test_a_module_in_chunks_is_the_loop(core):
    rows = [[math.sin(3.0 * i + j) for j in range(4)] for i in range(5)]
    results = []
    for options in ((), ("--chunked", ROWS)):
        code = tool("export", "pytorch", "--module", *options, "-", text=document_of(core))
        assert (" in range(3):" in code) == bool(options), "rows in chunks only where they are asked for"
        module = {"__name__": "exported"}
        exec(compile(code, "module", "exec"), module)
        torch.manual_seed(0)
        inputs = [torch.tensor([row[k:] + row[:k] for row in rows]).repeat(2, 1, 1) for k in range(3)]
        results.append(module["Model"]()(*inputs)["context"])
    assert torch.allclose(*results, atol=1e-5)


def test_a_document_without_chunks_is_refused():
    with pytest.raises(RuntimeError, match="no core of this document computes rows in chunks"):
        tool("export", "pytorch", "--chunked", ROWS, "-", text=tool("example", "additive"))
