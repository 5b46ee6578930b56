# SPDX-License-Identifier: Apache-2.0
"""Weights that ship as bytes with a scale for each column: exported modules read them as the engine does."""
import json
import os
import shutil

import numpy as np
import pytest
import torch
from test_exports import ROOT, tool

TRAINED = os.path.join(ROOT, "examples", "trained", "systems")
NAMES = sorted(name[:-len(".json")] for name in os.listdir(TRAINED) if name.endswith(".json"))


def exported(form, document, weights):
    code = tool("export", form, "--module", "--weights", weights, document)
    names = {"__name__": "exported"}
    exec(compile(code, "exported", "exec"), names)
    return names


def shipped(name, folder):
    """A trained system with its weights, as the page opens it, and these weights."""
    path = shutil.copy(os.path.join(TRAINED, f"{name}.safetensors"), folder)
    with open(path, "rb") as file:
        assert b'"I8"' in file.read(100_000), "the test is about bytes"
    with open(os.path.join(TRAINED, f"{name}.json"), encoding="utf-8") as file:
        document = {**json.load(file), "parameters": {"from": f"{name}.safetensors"}}
    (folder / "document.json").write_text(json.dumps(document), encoding="utf-8")
    return str(folder / "document.json"), path


# Of 39 a handful: the first, the middle and the last.
@pytest.mark.parametrize("name", NAMES[::len(NAMES) // 2])
def test_bytes_with_scales_are_the_weights_of_the_engine(name, tmp_path):
    weights = str(tmp_path / "weights.safetensors")  # what the engine made of the file
    document, path = shipped(name, tmp_path)
    names = exported("pytorch", document, weights)
    of_engine, of_file = (names["Model"]().double() for _ in range(2))
    of_engine.load(weights)
    of_file.load(path)
    for key, expected in of_engine.state_dict().items():
        assert torch.allclose(of_file.state_dict()[key], expected, rtol=1e-6, atol=0), key
    names = exported("numpy", document, weights)
    expected = names["read_weights"](weights)
    for key, one in names["read_weights"](path).items():
        assert np.allclose(one, expected[key], rtol=1e-6, atol=0), key
