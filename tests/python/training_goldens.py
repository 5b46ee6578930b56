#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes tests/experiment/training_goldens.json: a small RNNsearch that learns to reverse four digits, trained for 200
steps in double by PyTorch's own layers, optimisers, clipping and schedule, with the start, the data and every loss."""
import json
import math
import os

import torch
from torch.nn.utils.stateless import functional_call

HERE = os.path.dirname(os.path.abspath(__file__))
PLACE = os.path.join(HERE, os.pardir, "experiment", "training_goldens.json")
STEPS, BATCH, BATCHES, LENGTH = 200, 4, 8, 4
WORDS = ["<start>", "<end>", "<unknown>"] + [str(d) for d in range(10)]
E, DH, DS, A = 4, 3, 5, 4


def leaf(*shape):
    return torch.rand(*shape, dtype=torch.float64) * 1.2 - 0.6


def start():
    v = len(WORDS)
    p = {"embedding.E": leaf(v, E), "decoder.E": leaf(v, E)}
    cells = (("encoder.forward", E, DH), ("encoder.backward", E, DH), ("decoder.cell", E + 2 * DH, DS))
    for name, width, hidden in cells:
        p.update({name + ".W": leaf(width, 3 * hidden), name + ".U": leaf(hidden, 3 * hidden),
                  name + ".b": leaf(3 * hidden), name + ".c": leaf(3 * hidden)})
    p.update({"decoder.W_0": leaf(2 * DH, DS), "decoder.b_0": leaf(DS), "decoder.attention.score.W1": leaf(DS, A),
              "decoder.attention.score.W2": leaf(2 * DH, A), "decoder.attention.score.b": leaf(A),
              "decoder.attention.score.w": leaf(A), "decoder.W_c": leaf(DS + 2 * DH, v), "decoder.b_c": leaf(v)})
    return {name: x.requires_grad_() for name, x in p.items()}


def theirs(p, name, suffix):
    return {"weight_ih" + suffix: p[name + ".W"].T, "weight_hh" + suffix: p[name + ".U"].T,
            "bias_ih" + suffix: p[name + ".b"], "bias_hh" + suffix: p[name + ".c"]}


def loss_of(p, cell, places):
    """places [batch length], of digits."""
    rows = p["embedding.E"][places].transpose(0, 1)
    states = []
    for direction in ("forward", "backward"):
        h, own = torch.zeros(BATCH, DH, dtype=torch.float64), []
        for x in rows if direction == "forward" else rows.flip(0):
            h = functional_call(cell[DH], theirs(p, "encoder." + direction, ""), (x, h))
            own.append(h)
        states.append(torch.stack(own if direction == "forward" else own[::-1]))
    memory = torch.cat(states, 2).transpose(0, 1)
    last = torch.cat([states[0][-1], states[1][0]], 1)
    s = torch.tanh(last @ p["decoder.W_0"] + p["decoder.b_0"])
    ends = torch.ones(BATCH, 1, dtype=torch.long)
    target = torch.cat([places.flip(1), ends], 1)
    before = torch.cat([torch.zeros(BATCH, 1, dtype=torch.long), target[:, :-1]], 1)
    logits = []
    for t in range(LENGTH + 1):
        inner = torch.tanh((s @ p["decoder.attention.score.W1"]).unsqueeze(1) + memory @ p["decoder.attention.score.W2"]
                           + p["decoder.attention.score.b"])
        alpha = torch.softmax(inner @ p["decoder.attention.score.w"], 1)
        context = (alpha.unsqueeze(1) @ memory).squeeze(1)
        x = torch.cat([p["decoder.E"][before[:, t]], context], 1)
        s = functional_call(cell[DS], theirs(p, "decoder.cell", ""), (x, s))
        logits.append(torch.cat([s, context], 1) @ p["decoder.W_c"] + p["decoder.b_c"])
    return torch.nn.functional.cross_entropy(torch.stack(logits, 1).reshape(-1, len(WORDS)), target.reshape(-1))


def cosine(step):
    if step < 10:
        return (step + 1) / 10
    return 0.1 + 0.9 * (1 + math.cos(math.pi * (step - 9) / (STEPS - 10))) / 2


RUNS = [
    ("adam", {"optimiser": {"type": "adam", "rate": 0.02}, "clip": 1}, lambda w: torch.optim.Adam(w, lr=0.02), None),
    ("sgd", {"optimiser": {"type": "sgd", "rate": 0.2, "momentum": 0.9, "weight-decay": 0.001}, "clip": 0.5},
     lambda w: torch.optim.SGD(w, lr=0.2, momentum=0.9, weight_decay=0.001), None),
    ("adamw", {"optimiser": {"type": "adamw", "rate": 0.02, "weight-decay": 0.05, "beta2": 0.99},
               "schedule": {"type": "cosine", "warmup": 10, "end": 0.1}},
     lambda w: torch.optim.AdamW(w, lr=0.02, weight_decay=0.05, betas=(0.9, 0.99)), cosine)]


def main():
    torch.manual_seed(3)
    first = start()
    data = torch.randint(3, 13, (BATCHES, BATCH, LENGTH))
    cell = {DH: torch.nn.GRUCell(E, DH).double(), DS: torch.nn.GRUCell(E + 2 * DH, DS).double()}
    runs = []
    for name, settings, optimiser, schedule in RUNS:
        p = {key: x.detach().clone().requires_grad_() for key, x in first.items()}
        steps = optimiser(list(p.values()))
        rates = torch.optim.lr_scheduler.LambdaLR(steps, schedule) if schedule else None
        losses = []
        for step in range(STEPS):
            steps.zero_grad()
            loss = loss_of(p, cell, data[step % BATCHES])
            loss.backward()
            if "clip" in settings:
                torch.nn.utils.clip_grad_norm_(p.values(), settings["clip"])
            steps.step()
            if rates:
                rates.step()
            losses.append(loss.item())
        print(name, losses[0], losses[-1])
        runs.append({"name": name, "training": settings, "losses": losses})
    document = {
        "schema": "attention-playground/1",
        "inputs": {"source": {"tokens": ["1", "2", "3", "4"]}, "target": {"tokens": ["4", "3", "2", "1", "<end>"]}},
        "model": [
            {"name": "embedding", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": E},
            {"name": "encoder", "type": "fm-birnn", "inputs": {"x": "embedding"}, "hidden": DH},
            {"name": "decoder", "type": "om-decoder", "hidden": DS, "dim": E,
             "inputs": {"memory": "encoder", "target": "target", "initial": "encoder.last"},
             "attention": {"score": {"type": "additive", "hidden": A}}},
            {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "decoder.logits", "target": "target"}}],
        "parameters": {key: {"shape": list(x.shape), "data": x.detach().reshape(-1).tolist()}
                       for key, x in first.items()},
        "training": {"task": {"type": "task-reverse", "shortest": LENGTH, "longest": LENGTH},
                     "batch": BATCH, "steps": STEPS}}
    golden = {"document": document, "runs": runs,
              "batches": [[[WORDS[w] for w in example] for example in batch] for batch in data.tolist()]}
    with open(PLACE, "w", encoding="utf-8") as file:
        json.dump(golden, file)
        file.write("\n")


if __name__ == "__main__":
    main()
