# SPDX-License-Identifier: Apache-2.0
"""`attend export numpy --module`: a function of NumPy alone that takes batches of unequal lengths, against attend64."""
import json
import os

import numpy as np
import pytest
import torch
from test_export_module import CASES, REFUSED, SYSTEMS, engine, near, sample, three_examples, tool
from torch_parts import system


def exported(document, folder):
    weights = os.path.join(folder, "weights.safetensors")
    code = tool("export", "numpy", "--module", "--weights", weights, "-", text=json.dumps(document))
    names = {"__name__": "exported"}
    exec(compile(code, "exported", "exec"), names)
    assert "torch" not in names
    return names, code, names["read_weights"](weights)


def arrays(tensors):
    return {name: one.numpy() if isinstance(one, torch.Tensor) else one for name, one in tensors.items()}


def compare(document, folder):
    names, code, weights = exported(document, folder)
    several, inputs, lengths = three_examples(names, code)
    for one in several:
        one.setdefault("parameters", {})
        if "from" not in one["parameters"]:
            for name, weight in weights.items():
                one["parameters"][name] = {"shape": list(weight.shape), "data": weight.reshape(-1).tolist()}
    answers = engine(several)
    drawn = {name for name in answers[0]["parameters"] if name not in weights}
    draws = {name: [np.array(one["parameters"][name]["data"]).reshape(one["parameters"][name]["shape"])
                    for one in answers] for name in drawn}
    if not lengths:
        draws = {name: np.stack(each) for name, each in draws.items()}
    results = names["model"](weights, **arrays(inputs), lengths=arrays(lengths) or None, return_maps=True, draws=draws)
    for i, answer in enumerate(answers):
        assert set(answer["outputs"]) == set(results)
        for name, one in answer["outputs"].items():
            expected = torch.tensor(one["data"], dtype=torch.float64).reshape(one["shape"])
            found = results[name][i][tuple(slice(0, extent) for extent in one["shape"])]
            near(torch.tensor(found), expected, f"{name} of example {i}")
    fewer = names["model"](weights, **arrays(inputs), lengths=arrays(lengths) or None, draws=draws)
    assert fewer.keys() <= results.keys()
    for name, one in fewer.items():
        near(torch.tensor(one), torch.tensor(results[name]), f"{name} without maps")


def compare_or_refuse(name, document, folder):
    if name not in REFUSED:
        return compare(document, folder)
    with pytest.raises(RuntimeError, match=REFUSED[name]):
        exported(document, folder)


@pytest.mark.parametrize("name", sample(CASES, 12))
def test_a_batch_in_numpy_is_what_the_engine_computes(name, tmp_path):
    compare_or_refuse(name, json.loads(CASES[name]()), tmp_path)


@pytest.mark.parametrize("name", sample(SYSTEMS, 12))
def test_a_batch_of_a_system_in_numpy_is_what_the_engine_computes(name, tmp_path):
    compare_or_refuse(name, system(name), tmp_path)
