# SPDX-License-Identifier: Apache-2.0
"""What an exported module, its NumPy form and train.py refuse, naming the field, what was expected, what was found."""
import json

import numpy as np
import pytest
import torch
from test_export_module import exported
from test_export_numpy_batches import exported as exported_numpy
from test_export_train import MODEL, attend, document, script, written


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    return exported(document(MODEL), tmp_path_factory.mktemp("module"))


@pytest.fixture(scope="module")
def function(tmp_path_factory):
    return exported_numpy(document(MODEL), tmp_path_factory.mktemp("function"))


def ids(names, name, rows=3):
    return torch.full((2, rows), len(names["VOCABULARY"][name]) - 1)


def test_ids_of_another_vocabulary(module, function):
    names, _, model = module
    words = len(names["VOCABULARY"]["source"])
    for wrong in (words, -1):
        source = ids(names, "source")
        source[1, 2] = wrong
        with pytest.raises(ValueError, match=f"source: expected word ids from 0 to {words - 1}, found"):
            model(source, ids(names, "target"))
        with pytest.raises(ValueError, match=f"source: expected word ids from 0 to {words - 1}"):
            function[0]["model"](function[2], source.numpy(), ids(names, "target").numpy())
    with pytest.raises(ValueError, match="source: expected word ids, found numbers of the type torch.float64"):
        model(ids(names, "source").double(), ids(names, "target"))
    with pytest.raises(ValueError, match=r"source: expected the shape \[any, any\], found \[2, 3, 4\]"):
        model(torch.zeros(2, 3, 4), ids(names, "target"))


@pytest.mark.parametrize("lengths, says", [
    ({"nothing": [1, 2]}, r"lengths: expected one of \['source', 'target'\], found 'nothing'"),
    ({"source": [1, 2, 3]}, r"lengths\['source'\]: expected 2 numbers, found \[3\]"),
    ({"source": [1, 4]}, r"lengths\['source'\]: expected numbers from 1 to 3, found \[1, 4\]"),
    ({"source": [0, 3]}, r"lengths\['source'\]: expected numbers from 1 to 3, found \[0, 3\]"),
    ({"source": [[True, False, True], [True, True, True]]}, r"lengths\['source'\]: the real rows of a padding mask"),
])
def test_lengths_that_are_none(module, function, lengths, says):
    names, _, model = module
    source, target = ids(names, "source"), ids(names, "target")
    with pytest.raises(ValueError, match=says):
        model(source, target, lengths=lengths)
    with pytest.raises(ValueError, match=says):
        function[0]["model"](function[2], source.numpy(), target.numpy(), lengths=lengths)


def test_a_length_that_is_fixed(tmp_path):
    mask = {"type": "mask-explicit", "allowed": [[1, 0], [1, 1]]}
    mechanism = {"type": "attention", "query": "self-attention", "mask": [mask]}
    what = {"schema": "attention-playground/1", "mechanism": mechanism, "inputs": {"x": {"matrix": [[1, 2], [3, 4]]}}}
    _, code, model = exported(what, tmp_path)
    assert "The length of x is fixed: " in code
    with pytest.raises(ValueError, match=r"x: expected the shape \[any, 2, 2\], found \[1, 3, 2\]"):
        model(torch.zeros(1, 3, 2).double())
    with pytest.raises(ValueError, match=r"lengths\['x'\]: this length is fixed at 2, found \[1\]"):
        model(torch.zeros(1, 2, 2).double(), lengths={"x": [1]})
    names, _, weights = exported_numpy(what, tmp_path)
    with pytest.raises(ValueError, match=r"x: expected the shape \[any, 2, 2\], found \[1, 3, 2\]"):
        names["model"](weights, np.zeros((1, 3, 2)))


def test_weights_of_another_model_are_listed(module, function, tmp_path):
    names, _, model = module
    tensors = {name: one for name, one in model.state_dict().items()}
    first, second = list(tensors)[:2]
    tensors["another"] = tensors.pop(first)
    tensors[second] = tensors[second].flatten()
    names["write_weights"](tmp_path / "other.safetensors", tensors, {})
    shape = list(model.state_dict()[second].shape)
    for read in (model.load, function[0]["read_weights"]):
        with pytest.raises(ValueError) as refused:
            read(tmp_path / "other.safetensors")
        said = str(refused.value)
        assert f"{first} is missing" in said and "another is unknown" in said
        assert f"{second} has the shape [{tensors[second].numel()}] instead of {shape}" in said


def test_training_data_of_another_vocabulary(tmp_path):
    file = written(tmp_path, document(MODEL))
    first, *rest = (tmp_path / "data.jsonl").read_text().splitlines()
    one = json.loads(first)
    one = one if "inputs" in one else json.loads(rest[0])
    one["inputs"]["source"]["tokens"][:2] = ["never", "heard"]
    (tmp_path / "data.jsonl").write_text(json.dumps(one) + "\n")
    process = script(tmp_path, "--from", "first.safetensors")
    error = process.communicate(timeout=300)[1]
    assert process.returncode == 1
    assert "--data: the model in model.py does not know these words of source: heard, never" in error
    (tmp_path / "data.jsonl").write_text(attend("examples", file, "--count", 2))
    assert "--data: expected lines of `attend examples FILE --step 1" in script(tmp_path).communicate(timeout=300)[1]
