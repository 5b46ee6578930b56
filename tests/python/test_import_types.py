# SPDX-License-Identifier: Apache-2.0
"""Weights in half precision, as bfloat16 and as bytes stay so when a model is imported, and its products read them as
they are: tensors above 65,536 numbers, at once and one row at a time."""
import json
import subprocess

import import_cases
import numpy as np
import pytest
from checkpoints import bfloat16, write_safetensors
from forward import gpt2
from import_cases import GPT2, HEADS, IDS, TOOL, attend, compare, config, gpt2_tensors, imported
from judge import TOOL as DOUBLE

WIDTH, HIDDEN, WORDS = 256, 512, 300


@pytest.fixture(autouse=True)
def wide(monkeypatch):
    for name, value in {"WIDTH": WIDTH, "HIDDEN": HIDDEN, "WORDS": WORDS}.items():
        monkeypatch.setattr(import_cases, name, value)


def in_bytes(name, array):
    """A large matrix as the import writes it, back as numbers: each column has its own scale. Small ones stay."""
    if array.size < 16384:
        return array
    scale = (np.abs(array).max(axis=0, keepdims=True) / np.float32(127)).astype(np.float32)
    return np.clip(np.rint(array / scale), -127, 127).astype(np.float64) * scale


ROUNDED = {"F16": lambda name, array: array.astype(np.float16).astype(np.float64),
           "BF16": lambda name, array: (bfloat16(array).astype(np.uint32) << 16).view(np.float32).astype(np.float64),
           "I8": in_bytes}


def types_of(file):
    with open(file, "rb") as stream:
        header = json.loads(stream.read(int.from_bytes(stream.read(8), "little")))
    return {name: one["dtype"] for name, one in header.items() if name != "__metadata__"}


@pytest.mark.parametrize("dtype", ["F16", "BF16", "I8"])
def test_products_read_the_type_of_the_file(tmp_path, dtype):
    stored, _ = gpt2_tensors(5)
    file = tmp_path / "model.safetensors"
    write_safetensors(file, stored, dtype="F32" if dtype == "I8" else dtype)
    more = ["--bytes"] if dtype == "I8" else []
    sizes = config(tmp_path, **{**GPT2, "n_embd": WIDTH, "vocab_size": WORDS})
    _, found = imported(tmp_path, [file, sizes, *more], IDS)
    types = types_of(tmp_path / "document.safetensors")
    tables = [name for name in types if name.endswith(".E") or name == "E" or name.endswith("W_Q")]
    assert len(tables) > 2 and all(types[name] == dtype for name in tables), types
    expected = gpt2({name: ROUNDED[dtype](name, array) for name, array in stored.items()}, IDS, HEADS)
    compare(found, expected)
    # One row at a time: the word behind these, and its probability.
    attend("import", file, sizes, *more, "--to", tmp_path / "again.json")
    best = attend("write", tmp_path / "again.json", "--ids", json.dumps(IDS), "--words", 1)["next"][0]
    weights = np.exp(expected[-1] - expected[-1].max())
    assert best["id"] == int(expected[-1].argmax())
    assert abs(best["probability"] - weights.max() / weights.sum()) < 1e-4


def softmax(logits):
    weights = np.exp(logits - logits.max())
    return weights / weights.sum()


def files_of_gpt2(folder):
    stored, _ = gpt2_tensors(5)
    write_safetensors(folder / "model.safetensors", stored)
    return [folder / "model.safetensors", config(folder, **{**GPT2, "n_embd": WIDTH, "vocab_size": WORDS})]


def with_parameters(file, **more):
    document = json.loads(file.read_text())
    given = {**document["parameters"], **more}
    document["parameters"] = {name: value for name, value in given.items() if value is not None}
    file.write_text(json.dumps(document))


class Int8(np.ndarray):
    """A matrix as `in_bytes` leaves it, which rounds the rows that it is multiplied with, if it is large. Of the stored
    matrix each column has a scale; where the transpose is multiplied, a row meets those scales first."""

    def __matmul__(self, other):
        return np.asarray(self) @ other

    def __rmatmul__(self, rows):
        matrix, rows = np.asarray(self), np.asarray(rows)
        if matrix.size < 65536:
            return rows @ matrix
        scale = np.abs(matrix).max(1) / 127 if self.flags.f_contiguous else 1
        rows = rows * scale
        least, most = rows.min(-1, keepdims=True), rows.max(-1, keepdims=True)
        step = (most - least) / 127
        rounded = least + step * np.floor((rows - least) / step + 0.5)
        return (rounded / scale) @ matrix


def logits_of(tool, file):
    done = subprocess.run([tool, "run", str(file)], capture_output=True, text=True, timeout=300, check=True)
    (_, logits), = json.loads(done.stdout)["outputs"].items()
    return np.array(logits["data"]).reshape(logits["shape"])


def test_activations_that_meet_int8_weights_can_be_int8_too(tmp_path):
    files = files_of_gpt2(tmp_path)
    _, exact = imported(tmp_path, [*files, "--bytes"], IDS)
    file = tmp_path / "document.json"
    # Named in the document, a run of the whole text rounds them.
    with_parameters(file, activations="int8")
    stored, _ = gpt2_tensors(5)
    expected = gpt2({name: in_bytes(name, array).view(Int8) for name, array in stored.items()}, IDS, HEADS)
    assert np.abs(exact - expected).max() > 0.1
    compare(logits_of(DOUBLE, file), expected, 1e-6)
    # In float a number in the middle of two values may become the other one, and its row differs; most rows have none.
    found = logits_of(TOOL, file)
    assert np.mean(np.abs(found - expected).max(1) < 1e-3) >= 0.5
    # So does a run row by row, to the same words; without the setting the option asks for it.
    chances = softmax(found[-1])
    asked = ["write", file, "--ids", json.dumps(IDS), "--words", 1]
    rounded = attend(*asked)["next"]
    assert max(abs(one["probability"] - chances[one["id"]]) for one in rounded) < 1e-6
    with_parameters(file, activations=None)
    assert attend(*asked, "--activations", "int8")["next"] == rounded != attend(*asked)["next"]


@pytest.mark.parametrize("parameters, message", [
    ({"activations": "int4"}, 'expected "int8", found "int4"'),
    ({"activations": "int8"}, "numbers and more can have int8 activations, and this file has none"),
    ({"activations": "int8", "from": None}, 'expected a file of weights in "from" as well'),
])
def test_activations_that_cannot_be_int8_are_refused(tmp_path, parameters, message):
    imported(tmp_path, files_of_gpt2(tmp_path), IDS)
    with_parameters(tmp_path / "document.json", **parameters)
    assert message in attend("run", tmp_path / "document.json", refused=True)
