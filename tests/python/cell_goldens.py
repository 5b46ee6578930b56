#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/experiment/cell_goldens.json: documents with a recurrent cell, and what PyTorch's own
RNN, GRU and LSTM make of the same numbers in double, with their gradients."""
import json
import os

import torch

HERE = os.path.dirname(os.path.abspath(__file__))
PLACE = os.path.join(HERE, os.pardir, "experiment", "cell_goldens.json")
ROWS, WIDTH, HIDDEN = 5, 3, 4
MODULES = {"rnn": torch.nn.RNN, "gru": torch.nn.GRU, "lstm": torch.nn.LSTM}


def tensor(x):
    return {"shape": list(x.shape), "data": x.detach().reshape(-1).tolist()}


def leaf(*shape):
    return (torch.rand(*shape, dtype=torch.float64) * 1.6 - 0.8).requires_grad_()


def golden(name, reverse):
    module = MODULES[name](WIDTH, HIDDEN).double()
    gates = module.weight_ih_l0.shape[0]
    x, w, u, b = leaf(ROWS, WIDTH), leaf(WIDTH, gates), leaf(HIDDEN, gates), leaf(gates)
    ours = {"W": w, "U": u, "b": b}
    zero = torch.zeros(gates, dtype=torch.float64)
    if name == "gru":
        ours["c"] = zero = leaf(gates)
    theirs = {"weight_ih_l0": w.T, "weight_hh_l0": u.T, "bias_ih_l0": b, "bias_hh_l0": zero}
    for key in theirs:
        delattr(module, key)
        setattr(module, key, theirs[key])
    module._flat_weights = list(theirs.values())
    rows = x.flip(0) if reverse else x
    output = module(rows)[0]
    output = output.flip(0) if reverse else output
    (output * torch.cos(torch.arange(output.numel(), dtype=torch.float64)).reshape(output.shape)).sum().backward()
    return {
        "document": {
            "schema": "attention-playground/1", "inputs": {"x": tensor(x)},
            "mechanism": {"type": "fm-rnn", "cell": name, "reverse": reverse},
            "parameters": {"structure.cell." + key: tensor(value) for key, value in ours.items()},
            "gradient": {"of": "output", "cotangent": tensor(
                torch.cos(torch.arange(output.numel(), dtype=torch.float64)).reshape(output.shape))}},
        "output": tensor(output),
        "gradients": {"inputs.x": tensor(x.grad),
                      **{"structure.cell." + key: tensor(value.grad) for key, value in ours.items()}}}


if __name__ == "__main__":
    torch.manual_seed(1)
    with open(PLACE, "w", encoding="utf-8") as file:
        json.dump([golden(name, reverse) for name in MODULES for reverse in (False, True)], file, indent=1)
        file.write("\n")
