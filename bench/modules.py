#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Exported modules beside PyTorch written by hand: modules.py [--rounds 5] [--rows 512] [--batch 8] [--training STEPS].

Three mechanisms forward and with gradients, and train.py beside a loop written by hand around the same module. Both
sides have the same weights and inputs, and their results are compared first. One thread, float. Prints milliseconds of
processor time, the best round and in brackets the middle one, and how much more the exported code takes."""

import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import torch
import torch.nn.functional as F

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Either build writes the same code.
TOOL = next((path for path in (ROOT / "build/bin/attend", ROOT / "build/bin/attend64") if path.exists()), "attend")
WIDTH, HEADS = 64, 4
PROJECTIONS = ("query.W_Q", "key.W_K", "value.W_V")
FUSED = getattr(F, "scaled_dot_product_attention", None)


def attend(*words, text=None):
    done = subprocess.run([TOOL, *map(str, words)], input=text, capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(done.stderr)
    return done.stdout


def document(mechanism):
    """Eight rows: the module takes any number."""
    numbers = [[math.sin(1 + WIDTH * row + column) for column in range(WIDTH)] for row in range(8)]
    return {"schema": "attention-playground/1", "seed": 3, "inputs": {"x": {"matrix": numbers}},
            "mechanism": {"type": "attention", "query": "self-attention", **mechanism}}


def multi_head(w, x):
    """Causal attention in heads."""
    q, k, v = (torch.einsum("bnd,hdp->bhnp", x, w["heads.W_" + name]) for name in "QKV")
    if FUSED is not None:
        heads = FUSED(q, k, v, is_causal=True)
    else:
        future = torch.ones(x.shape[1], x.shape[1], dtype=torch.bool).triu(1)
        scores = (q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5).masked_fill(future, -math.inf)
        heads = torch.softmax(scores, -1) @ v
    return heads.transpose(1, 2).flatten(2) @ w["heads.W_O"]


def additive(w, x):
    """A hidden layer over every pair of a query and a key."""
    q, k, v = (x @ w[name] for name in PROJECTIONS)
    hidden = torch.tanh((q @ w["score.W1"])[:, :, None] + (k @ w["score.W2"])[:, None] + w["score.b"])
    return torch.softmax(hidden @ w["score.w"], -1) @ v


def linear(w, x):
    """Linear attention by features elu + 1."""
    q, k, v = (x @ w[name] for name in PROJECTIONS)
    q, k = F.elu(q) + 1, F.elu(k) + 1
    total = k.sum(1, keepdim=True)
    return q @ (k.transpose(1, 2) @ v) / (q * total).sum(-1, keepdim=True)


WORKS = {
    "multi-head, causal": (multi_head, {"heads": {"type": "multi-head", "count": HEADS}, "mask": ["mask-causal"],
                                        "score": "scaled-dot"}),
    "additive": (additive, {"score": {"type": "additive", "hidden": 16}}),
    "linear": (linear, {"core": "linear"}),
}


def timed(call, seconds=0.5):
    """Milliseconds of processor time, which other programs on the machine disturb less."""
    times, end = [], time.perf_counter() + seconds
    while time.perf_counter() < end or len(times) < 3:
        start = time.process_time()
        call()
        times.append(1000 * (time.process_time() - start))
    return min(times)


def module_of(what, folder):
    weights = folder / "weights.safetensors"
    code = attend("export", "pytorch", "--module", "--weights", weights, "-", text=json.dumps(what))
    names = {"__name__": "exported"}
    exec(compile(code, "exported", "exec"), names)
    model = names["Model"]()
    model.load(weights)
    return model


def compare(name, rounds, batch, rows, folder):
    by_hand, mechanism = WORKS[name]
    model = module_of(document(mechanism), folder)
    weights = {key: value.detach().clone().requires_grad_() for key, value in model.state_dict().items()}
    torch.manual_seed(1)
    x = torch.randn(batch, rows, WIDTH)
    exported = lambda: model(x)["context"]
    own = lambda: by_hand(weights, x)
    gap = float((exported() - own()).abs().max())
    assert gap < 1e-4, f"{name}: the results are {gap} apart"
    upstream = torch.randn_like(own())

    def forward(call):
        with torch.no_grad():
            call()

    for kind, run in (("forward", forward), ("with gradients", lambda call: call().backward(upstream))):
        found = {"exported": [], "by hand": []}
        for _ in range(rounds):
            for side, call in (("exported", exported), ("by hand", own)):
                found[side].append(timed(lambda: run(call)))
        said(f"{name}, {kind}", found)


def said(what, found):
    best = {side: min(times) for side, times in found.items()}
    middle = {side: statistics.median(times) for side, times in found.items()}
    print(f"| {what} | " + " | ".join(f"{best[side]:.1f} ({middle[side]:.1f})" for side in found) +
          f" | {best['exported'] / best['by hand']:.2f} ({middle['exported'] / middle['by hand']:.2f}) |", flush=True)


LOOP = """
import itertools, json, sys
import torch
from model import Model, encode
model = Model()
model.load("first.safetensors")
optimiser = torch.optim.AdamW(model.parameters(), lr=0.005)
model.train()
lines = map(json.loads, open("data.jsonl"))
for step, examples in itertools.groupby(lines, lambda one: one["step"]):
    if step > int(sys.argv[1]):
        break
    examples = [one["inputs"] for one in examples]
    inputs = {name: encode(name, [one[name]["tokens"] for one in examples])[0] for name in examples[0]}
    loss = model(**inputs)["loss"].mean()
    optimiser.zero_grad()
    loss.backward()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimiser.step()
"""


def train(name, rounds, steps, folder):
    """The processor time of a step: that of a whole training less that of one of few steps."""
    what = json.loads((ROOT / "examples/trained" / name).read_text())
    what.pop("parameters", None)
    what["training"] = {"task": what["training"]["task"], "optimiser": {"type": "adamw", "rate": 0.005},
                        "batch": 32, "steps": steps, "clip": 1}
    file = folder / "document.json"
    file.write_text(json.dumps(what))
    (folder / "model.py").write_text(attend("export", "pytorch", "--module", file))
    (folder / "train.py").write_text(attend("export", "train", file))
    (folder / "loop.py").write_text(LOOP)
    attend("train", file, "--steps", 0, "--to", folder / "first.safetensors")
    (folder / "data.jsonl").write_text(attend("examples", file, "--step", 1, "--steps", steps))
    sides = {"exported": lambda count: ("train.py", "--data", "data.jsonl", "--from", "first.safetensors", "--device",
                                        "cpu", "--steps", str(count)),
             "by hand": lambda count: ("loop.py", str(count))}

    def spent(words):
        before = sum(os.times()[2:4])
        subprocess.run([sys.executable, *words], cwd=folder, stdout=subprocess.DEVNULL, check=True,
                       env=dict(os.environ, OMP_NUM_THREADS="1", PYTHONWARNINGS="ignore"))
        return sum(os.times()[2:4]) - before

    few, found = max(1, steps // 6), {side: [] for side in sides}
    for _ in range(rounds):
        for side, words in sides.items():
            found[side].append(1000 * (spent(words(steps)) - spent(words(few))) / (steps - few))
    said(f"a step of {name}", found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--rows", type=int, default=512)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--training", type=int, default=60, help="steps of a training run; 0 leaves it out")
    parser.add_argument("--only", help="part of a work's name")
    asked = parser.parse_args()
    torch.set_num_threads(1)
    print(f"torch {torch.__version__}, {asked.batch} examples of {asked.rows} rows, width {WIDTH}; "
          "milliseconds of processor time\n")
    print("| work | exported | by hand | ratio |\n| --- | --: | --: | --: |")
    with tempfile.TemporaryDirectory() as folder:
        for name in WORKS:
            if asked.only is None or asked.only in name:
                compare(name, asked.rounds, asked.batch, asked.rows, pathlib.Path(folder))
        for name in ("transformer.json", "translate.json"):
            if asked.training and (asked.only is None or asked.only in name):
                train(name, asked.rounds, asked.training, pathlib.Path(folder))


if __name__ == "__main__":
    main()
