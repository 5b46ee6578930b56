# SPDX-License-Identifier: Apache-2.0
"""Training, judged from outside: `attend64 train` on a reader's own pairs against the same model in PyTorch, loss by
loss, and what a training stopped, swapped or begun anew may not lose."""
import json
import math
import os
import struct
import subprocess

import pytest
import torch
from judge import ROOT
from torch.nn import functional as F
from torch.nn.utils.stateless import functional_call
from torch_parts import below, cell_weights

STEPS = 200
# One batch is all that is not held out: the order of examples says nothing then.
LINES = ["a b c d\tx y x", "d c b a\ty y z", "b b a c\tz x x", "c d d a\tx z y", "a a c b\tz z x", "d b c c\ty x z",
         "b a d d\tx x z", "c a b d\tz y y"]
READS, WRITES = (["<start>", "<end>", "<unknown>"] + list(dict.fromkeys(" ".join(
    line.split("\t")[side] for line in LINES).split())) for side in (0, 1))
RNNSEARCH = [
    {"name": "embedding", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": 6},
    {"name": "encoder", "type": "fm-rnn", "inputs": {"x": "embedding"}, "hidden": 5, "reverse": True},
    {"name": "memory", "type": "fm-concat", "inputs": {"x1": "embedding", "x2": "encoder"}},
    {"name": "decoder", "type": "om-decoder", "hidden": 7, "dim": 4,
     "inputs": {"memory": "memory", "target": "target", "initial": "encoder.last"},
     "attention": {"score": {"type": "additive", "hidden": 6}}},
    {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "decoder.logits", "target": "target"}},
]
HEADS = {"type": "multi-head", "count": 2}
TRANSFORMER = [
    {"name": "read", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": 8},
    {"name": "encoder", "type": "attention", "inputs": {"x": "read"}, "query": "self-attention", "heads": HEADS,
     "output": "selfatt-residual"},
    {"name": "memory", "type": "om-ffn", "inputs": {"x": "encoder"}, "hidden": 12},
    {"name": "written", "type": "fm-embedding", "inputs": {"x": "target"}, "dim": 8, "before": True},
    {"name": "decoder", "type": "attention", "inputs": {"x": "written"}, "query": "self-attention",
     "mask": ["mask-causal"], "heads": HEADS, "output": "selfatt-residual"},
    {"name": "look", "type": "attention", "heads": HEADS,
     "inputs": {"query": "decoder", "key": "memory", "value": "memory"}},
    {"name": "both", "type": "fm-concat", "inputs": {"x1": "decoder", "x2": "look"}},
    {"name": "say", "type": "om-ffn", "inputs": {"x": "both"}, "hidden": 12},
    {"name": "out", "type": "om-softmax", "inputs": {"x": "say"}},
    {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "out.logits", "target": "target"}},
]


def document(model, seed=5, **training):
    return {"schema": "attention-playground/1", "seed": seed, "inputs": {}, "model": model,
            "training": {"task": "task-pairs", "batch": 7, "steps": STEPS, **training}}


def train(folder, what, to, *words, tool="attend64", data="\n".join(LINES)):
    """The lines that a training says; its file is `to` in the folder."""
    (folder / "document.json").write_text(json.dumps(what))
    asked = [os.path.join(ROOT, "build", "bin", tool), "train", folder / "document.json", "--to", folder / to, *words]
    if data:
        (folder / "data.txt").write_text(data)
        asked += ["--data", folder / "data.txt"]
    done = subprocess.run(asked, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def tensors(file):
    data = file.read_bytes()
    size = struct.unpack("<Q", data[:8])[0]
    header = json.loads(data[8:8 + size])
    metadata = header.pop("__metadata__")
    kinds = {"F64": torch.float64, "F32": torch.float32}
    found = {}
    for name, one in header.items():
        first, last = (8 + size + place for place in one["data_offsets"])
        found[name] = torch.frombuffer(bytearray(data[first:last]), dtype=kinds[one["dtype"]]).reshape(one["shape"])
    return found, metadata


def norm(p, x):
    return F.layer_norm(x, x.shape[-1:], p["gamma"], p["beta"], 1e-5)


def feed_forward(p, x):
    return norm(p, x + torch.relu(x @ p["W1"] + p["b1"]) @ p["W2"] + p["b2"])


def rnnsearch(p, source, before):
    """source [examples n], before [examples t]; logits [examples t words]."""
    words = p["embedding.E"][source]
    encoder = cell_weights(below(p, "encoder.cell"))
    gru = torch.nn.GRUCell(words.shape[2], encoder["weight_hh"].shape[1]).double()
    h, states = torch.zeros(len(source), gru.hidden_size, dtype=torch.float64), []
    for k in reversed(range(words.shape[1])):
        h = functional_call(gru, encoder, (words[:, k], h))
        states.append(h)
    memory = torch.cat([words, torch.stack(states[::-1], 1)], 2)
    d, score = below(p, "decoder"), below(p, "decoder.attention.score")
    s, logits, decoder = torch.tanh(h @ d["W_0"] + d["b_0"]), [], cell_weights(below(d, "cell"))
    unit = torch.nn.GRUCell(d["E"].shape[1] + memory.shape[2], s.shape[1]).double()
    for word in before.T:
        inner = torch.tanh((s @ score["W1"])[:, None] + memory @ score["W2"] + score["b"])
        context = (torch.softmax(inner @ score["w"], 1)[:, None] @ memory)[:, 0]
        s = functional_call(unit, decoder, (torch.cat([d["E"][word], context], 1), s))
        logits.append(torch.cat([s, context], 1) @ d["W_c"] + d["b_c"])
    return torch.stack(logits, 1)


def attend(p, query, key, mask=0):
    """Heads [h d p] side by side, without biases."""
    q, k, v = (torch.einsum("end,hdp->ehnp", x, p["heads.W_" + one])
               for x, one in ((query, "Q"), (key, "K"), (key, "V")))
    looks = torch.softmax(q @ k.transpose(2, 3) / math.sqrt(q.shape[3]) + mask, 3)
    return torch.cat(list((looks @ v).unbind(1)), 2) @ p["heads.W_O"]


def transformer(p, source, before):
    x = p["read.E"][source]
    memory = feed_forward(below(p, "memory"), norm(below(p, "encoder.output"), x + attend(below(p, "encoder"), x, x)))
    y = p["written.E"][before]
    later = torch.triu(torch.full((before.shape[1],) * 2, -math.inf, dtype=torch.float64), 1)
    y = norm(below(p, "decoder.output"), y + attend(below(p, "decoder"), y, y, later))
    say = feed_forward(below(p, "say"), torch.cat([y, attend(below(p, "look"), y, memory)], 2))
    return say @ p["out.W_c"] + p["out.b_c"]


def losses_of(model, p):
    """The loss of each line."""
    sides = [[[words.index(word) for word in line.split("\t")[side].split()] for line in LINES]
             for side, words in enumerate((READS, WRITES))]
    source, target = torch.tensor(sides[0]), torch.tensor([[*line, 1] for line in sides[1]])
    before = torch.cat([torch.zeros(len(LINES), 1, dtype=torch.long), target[:, :-1]], 1)
    return F.cross_entropy(model(p, source, before).transpose(1, 2), target, reduction="none").mean(1)


def cosine(step):
    at = (step + 1 - 20) / (STEPS - 20)
    return (step + 1) / 20 if step < 20 else 0.05 + 0.95 * (1 + math.cos(math.pi * at)) / 2


def linear(step):
    return (step + 1) / 10 if step < 10 else 0.1 + 0.9 * (1 - (step + 1 - 10) / (STEPS - 10))


def root(step):
    return (step + 1) / 16 if step < 16 else math.sqrt(16 / (step + 1))


@pytest.mark.parametrize("model, theirs, settings, optimiser, factor", [
    (RNNSEARCH, rnnsearch, {"optimiser": {"type": "adamw", "rate": 0.02, "weight-decay": 0.25, "beta2": 0.98},
                            "clip": 1, "schedule": {"type": "cosine", "warmup": 20, "end": 0.05}},
     lambda w: torch.optim.AdamW(w, lr=0.02, betas=(0.9, 0.98), weight_decay=0.25), cosine),
    (RNNSEARCH, rnnsearch, {"optimiser": {"type": "sgd", "rate": 0.1, "momentum": 0.9, "nesterov": True,
                                          "weight-decay": 0.01}, "clip": 0.4,
                            "schedule": {"type": "inverse-square-root", "warmup": 16}},
     lambda w: torch.optim.SGD(w, lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.01), root),
    (TRANSFORMER, transformer, {"optimiser": {"type": "adam", "rate": 0.01, "eps": 1e-6, "beta1": 0.8}, "clip": 0.5,
                                "schedule": {"type": "linear", "warmup": 10, "end": 0.1}},
     lambda w: torch.optim.Adam(w, lr=0.01, betas=(0.8, 0.999), eps=1e-6), linear),
    (TRANSFORMER, transformer, {"optimiser": {"type": "sgd", "rate": 0.2, "momentum": 0.5}},
     lambda w: torch.optim.SGD(w, lr=0.2, momentum=0.5), lambda step: 1),
], ids=["rnnsearch-adamw", "rnnsearch-sgd", "transformer-adam", "transformer-sgd"])
def test_two_hundred_steps_are_those_of_pytorch(tmp_path, model, theirs, settings, optimiser, factor):
    what = document(model, **settings)
    train(tmp_path, what, "start.safetensors", "--steps", "0")
    said = train(tmp_path, what, "end.safetensors", "--every", "1")
    start, metadata = tensors(tmp_path / "start.safetensors")
    assert metadata["step"] == "0"
    p = {name: x.clone().requires_grad_() for name, x in start.items() if not name.startswith("optimiser.")}
    first = losses_of(theirs, p).detach()
    # Which line is held out, the first loss says.
    held = int(torch.argmin(abs((first.sum() - first) / 7 - said[0]["loss"])))
    steps = optimiser(list(p.values()))
    schedule = torch.optim.lr_scheduler.LambdaLR(steps, factor)
    most = 0
    for k in range(STEPS):
        steps.zero_grad()
        all_of_them = losses_of(theirs, p)
        loss = (all_of_them.sum() - all_of_them[held]) / 7
        loss.backward()
        length = torch.nn.utils.clip_grad_norm_(p.values(), settings.get("clip", math.inf))
        steps.step()
        schedule.step()
        most = max(most, abs(said[k]["loss"] - loss.item()) / loss.item(),
                   abs(said[k]["gradientNorm"] - length.item()) / length.item())
    assert most < 1e-4
    assert said[-1]["heldOutLoss"] == pytest.approx(losses_of(theirs, p)[held].item(), rel=1e-4)
    for name, x in tensors(tmp_path / "end.safetensors")[0].items():
        if name in p:
            assert torch.allclose(x, p[name].detach(), rtol=1e-4, atol=1e-6), name


NOISY = {"optimiser": {"type": "adam", "rate": 0.01}, "batch": 4, "steps": 60, "dropout": 0.3, "word-dropout": 0.2,
         "teacher-forcing": 0.6, "clip": 1, "schedule": {"type": "cosine", "warmup": 5, "end": 0.1}}
SAMPLES = [{**module, "attention": {"score": "dot", "alignment": "hard-sample"}, "hidden": 11}
           if module["name"] == "decoder" else module for module in RNNSEARCH]


@pytest.mark.parametrize("estimator", [None, "straight-through", "moving-baseline"])
def test_stopped_and_resumed_is_unbroken_to_the_bit(tmp_path, estimator):
    what = document(SAMPLES if estimator else RNNSEARCH, **NOISY, **({"estimator": estimator} if estimator else {}))
    train(tmp_path, what, "whole", "--steps", "60", tool="attend")
    train(tmp_path, what, "part", "--steps", "23", tool="attend")
    train(tmp_path, what, "more", "--steps", "24", "--from", tmp_path / "part", tool="attend")
    train(tmp_path, what, "rest", "--steps", "60", "--from", tmp_path / "more", tool="attend")
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "rest").read_bytes()
    assert (tmp_path / "part").read_bytes() != (tmp_path / "rest").read_bytes()


def test_no_steps_are_no_steps(tmp_path):
    assert train(tmp_path, document(RNNSEARCH), "start", "--steps", "0", tool="attend") == []
    assert tensors(tmp_path / "start")[1]["step"] == "0"


@pytest.mark.parametrize("before", [{"type": "sgd", "rate": 0.05, "momentum": 0.95}, {"type": "sgd", "rate": 0.05}])
def test_another_optimiser_begins_with_nothing_remembered(tmp_path, before):
    train(tmp_path, document(RNNSEARCH, optimiser=before), "sgd", "--steps", "50")
    adam = document(RNNSEARCH, optimiser={"type": "adam", "rate": 0.01})
    train(tmp_path, adam, "adam", "--steps", "51", "--from", tmp_path / "sgd")
    old, new = (tensors(tmp_path / name)[0] for name in ("sgd", "adam"))
    moved = torch.cat([(new[name] - x).abs().reshape(-1) for name, x in old.items() if name in new
                       and not name.startswith("optimiser.")])
    # Adam's first step is its rate, whatever the slope.
    assert moved.max() <= 0.01 * (1 + 1e-9)
    assert moved.median() > 0.0099
    # And from there it goes on as if nobody had stopped it.
    train(tmp_path, adam, "whole", "--steps", "60", "--from", tmp_path / "sgd")
    train(tmp_path, adam, "rest", "--steps", "60", "--from", tmp_path / "adam")
    assert (tmp_path / "whole").read_bytes() == (tmp_path / "rest").read_bytes()
