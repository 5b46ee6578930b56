# SPDX-License-Identifier: Apache-2.0
"""Modules whose sizes are counts of blocks compute what the engine computes, also at lengths that no recording had."""
import json
import math

import numpy as np
import pytest
from test_exports import tool

LENGTHS = [(4, 5), (2, 3), (4, 11), (9, 30), (40, 70), (2, 130)]  # of the queries, and of the keys


def rows(count, width, shift):
    return [[round(2 * math.sin(1.7 * i + 2.3 * j + shift), 2) for j in range(width)] for i in range(count)]


def compare(document, lengths, tmp_path):
    """`lengths`: by input, the document's own first. A module of one length has to give its own alone."""
    weights = str(tmp_path / "weights.safetensors")
    code = tool("export", "numpy", "--module", "--weights", weights, "-", text=json.dumps(document))
    module = {"__name__": "exported"}
    exec(compile(code, "exported", "exec"), module)
    fixed = "is fixed:" in code
    read = module["read_weights"](weights)
    document["parameters"] = {name: {"shape": list(one.shape), "data": one.reshape(-1).tolist()}
                              for name, one in read.items()}
    for counts in lengths[:1] if fixed else lengths:
        for k, (name, count) in enumerate(counts.items()):
            document["inputs"][name] = {"matrix": rows(count, len(document["inputs"][name]["matrix"][0]), k)}
        expected = json.loads(tool("run", "-", text=json.dumps(document)))["outputs"]["context"]
        inputs = {name: np.array([document["inputs"][name]["matrix"]]) for name in counts}
        found = module["model"](read, **inputs)["context"][0]
        assert list(found.shape) == expected["shape"], counts
        assert np.allclose(found.reshape(-1), expected["data"], rtol=0, atol=1e-5), counts
    return not fixed


@pytest.mark.parametrize("blocks", [1, 2, 5, 6, 7, 8, 11, 16])
def test_a_number_of_blocks_is_rounded_up_at_every_length(blocks, tmp_path):
    mask = {"type": "mask-sortcut", "blocks": blocks, "t": (blocks + 1) // 2}
    document = {"schema": "attention-playground/1", "seed": 3, "outputs": ["context"],
                "inputs": {name: {"matrix": rows(count, 4, 0)} for name, count in
                           (("query", 4), ("key", 5), ("value", 5))},
                "mechanism": {"type": "attention", "query": "query-basic", "mask": [mask]}}
    assert compare(document, [{"query": m, "key": n, "value": n} for m, n in LENGTHS], tmp_path)


@pytest.mark.parametrize("core,knob,size", [("quest", "page", 3), ("quest", "page", 40), ("moba", "block", 1),
                                            ("moba", "block", 24), ("nsa", "block", 40)])
def test_a_length_is_free_only_where_its_blocks_are_counted(core, knob, size, tmp_path):
    document = {"schema": "attention-playground/1", "seed": 3, "outputs": ["context"],
                "inputs": {"x": {"matrix": rows(5, 4, 0)}},
                "mechanism": {"type": "attention", "query": "self-attention", "core": {"type": core, knob: size}}}
    free = compare(document, [{"x": n} for _, n in LENGTHS], tmp_path)
    assert free == (size == 1), "blocks of several rows cut the last one, for which no expression is written"
