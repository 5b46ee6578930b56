# SPDX-License-Identifier: Apache-2.0
"""`attend examples`, `attend document` and `attend export train`: what a training reads can be had by other programs,
and the exported script takes the same steps on one process and on two.

Two processes are started with the variables that torchrun sets: the launcher of Debian's torch 1.13 does not run under
its Python 3.11.
"""
import json
import os
import socket
import subprocess
import sys

import pytest
import torch
from judge import ROOT
from test_judge_training import tensors

TOOL = os.path.join(ROOT, "build", "bin", "attend64")
STEPS = 50
MODEL = [
    {"name": "embedding", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": 6},
    {"name": "encoder", "type": "fm-rnn", "inputs": {"x": "embedding"}, "hidden": 5, "reverse": True},
    {"name": "decoder", "type": "om-decoder", "hidden": 7, "dim": 4,
     "inputs": {"memory": "encoder", "target": "target", "initial": "encoder.last"},
     "attention": {"score": {"type": "additive", "hidden": 6}}},
    {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "decoder.logits", "target": "target"}},
]
HEADS = {"type": "multi-head", "count": 2}
TRANSFORMER = [
    {"name": "read", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": 8},
    {"name": "encoder", "type": "attention", "inputs": {"x": "read"}, "query": "self-attention", "heads": HEADS,
     "output": "selfatt-residual"},
    {"name": "written", "type": "fm-embedding", "inputs": {"x": "target"}, "dim": 8, "before": True},
    {"name": "look", "type": "attention", "heads": HEADS,
     "inputs": {"query": "written", "key": "encoder", "value": "encoder"}},
    {"name": "both", "type": "fm-concat", "inputs": {"x1": "written", "x2": "look"}},
    {"name": "out", "type": "om-softmax", "inputs": {"x": "both"}},
    {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "out.logits", "target": "target"}},
]
# No decoder reads its answer, so nothing is read in the place of dropped words of the answer.
MEMORY = [
    {"name": "word", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": 8},
    {"name": "reader", "type": "fm-rnn", "inputs": {"x": "word"}, "hidden": 8},
    {"name": "hops", "type": "memnet-hop", "hops": 2, "inputs": {"memory": "word", "query": "reader.last"}},
    {"name": "answer", "type": "om-softmax", "inputs": {"x": "hops"}},
    {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "answer.logits", "target": "target"}},
]
TRAININGS = {
    "word dropout without a decoder": (MEMORY, {"task": "task-recall", "word-dropout": 0.3}),
    "adam, clipped, cosine": (MODEL, {"optimiser": {"type": "adam", "rate": 0.01}, "clip": 1,
                                      "schedule": {"type": "cosine", "warmup": 5, "end": 0.1}}),
    "adamw, dropout and word dropout, guided": (
        MODEL, {"optimiser": {"type": "adamw", "rate": 0.01, "weight-decay": 0.1}, "dropout": 0.2, "guide": 0.1,
                "word-dropout": {"source": 0.2, "target": 0.3}}),
    "nesterov": (TRANSFORMER, {"optimiser": {"type": "sgd", "rate": 0.05, "momentum": 0.9, "nesterov": True},
                               "clip": 0.5, "schedule": {"type": "linear", "end": 0.2}}),
    "adam with decay, inverse square root": (
        TRANSFORMER, {"optimiser": {"type": "adam", "rate": 0.01, "weight-decay": 0.01},
                      "schedule": {"type": "inverse-square-root", "warmup": 10}}),
}


def document(model, **training):
    return {"schema": "attention-playground/1", "seed": 5, "inputs": {}, "model": model,
            "training": {"task": {"type": "task-reverse", "end": 0}, "batch": 8, "steps": STEPS, **training}}


def attend(*words, expect=0):
    done = subprocess.run([TOOL, *map(str, words)], capture_output=True, text=True, timeout=300)
    assert done.returncode == expect, done.stderr
    return done.stdout if expect == 0 else json.loads(done.stderr)["error"]


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def written(folder, what):
    """The document, its module, its script, its first weights and the data of all steps, as files of the folder."""
    file = folder / "document.json"
    file.write_text(json.dumps(what))
    (folder / "model.py").write_text(attend("export", "pytorch", "--module", file))
    (folder / "train.py").write_text(attend("export", "train", file))
    attend("train", file, "--steps", 0, "--to", folder / "first.safetensors")
    (folder / "data.jsonl").write_text(attend("examples", file, "--step", 1, "--steps", STEPS, "--draws"))
    return file


def script(folder, *words, rank=None, port=None):
    # PyTorch 2 expects libuv unless told otherwise, and Debian builds it without.
    variables = dict(os.environ, PYTHONWARNINGS="ignore", OMP_NUM_THREADS="1", USE_LIBUV="0")
    if rank is not None:
        variables.update(RANK=str(rank), LOCAL_RANK=str(rank), WORLD_SIZE="2", MASTER_ADDR="127.0.0.1",
                         MASTER_PORT=str(port))
    return subprocess.Popen([sys.executable, "train.py", "--dtype", "float64", "--data", "data.jsonl",
                             *map(str, words)], cwd=folder, env=variables, stdout=subprocess.PIPE,
                            stderr=subprocess.PIPE, text=True)


def said(process):
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return lines(out)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def same_losses(found, expected):
    assert [one["step"] for one in found] == [one["step"] for one in expected]
    for one, other in zip(found, expected, strict=True):
        for name in ("loss", "gradientNorm", "rate"):
            assert abs(one[name] - other[name]) <= 1e-6 * max(1, abs(other[name])), (name, one, other)


@pytest.mark.parametrize("name", TRAININGS)
def test_the_script_takes_the_steps_of_attend_train(name, tmp_path):
    model, training = TRAININGS[name]
    file = written(tmp_path, document(model, **training))
    expected = lines(attend("train", file, "--every", 1, "--to", tmp_path / "engine.safetensors"))
    found = said(script(tmp_path, "--from", "first.safetensors", "--to", "script.safetensors"))
    assert len(found) == STEPS
    same_losses(found, expected)
    (ours, metadata), (theirs, other) = (tensors(tmp_path / f"{who}.safetensors") for who in ("script", "engine"))
    assert sorted(ours) == sorted(theirs)
    for key, one in theirs.items():
        assert (ours[key] - one).abs().max() <= 1e-6 * max(1, float(one.abs().max())), key
    assert {key: metadata[key] for key in ("step", "epoch", "batch", "format")} == {
        key: other[key] for key in ("step", "epoch", "batch", "format")}


def test_either_program_goes_on_where_the_other_stopped(tmp_path):
    model, training = TRAININGS["adam, clipped, cosine"]
    file = written(tmp_path, document(model, **training))
    expected = lines(attend("train", file, "--every", 1))
    half = STEPS // 2
    attend("train", file, "--steps", half, "--to", tmp_path / "half.safetensors")
    same_losses(said(script(tmp_path, "--from", "half.safetensors")), expected[half:])
    said(script(tmp_path, "--from", "first.safetensors", "--steps", half, "--to", "own.safetensors"))
    same_losses(lines(attend("train", file, "--every", 1, "--from", tmp_path / "own.safetensors")), expected[half:])


def test_two_processes_take_the_same_steps(tmp_path):
    model, training = TRAININGS["adam, clipped, cosine"]
    written(tmp_path, document(model, **training))
    expected = said(script(tmp_path, "--from", "first.safetensors"))
    port = free_port()
    both = [script(tmp_path, "--from", "first.safetensors", "--to", "both.safetensors", rank=rank, port=port)
            for rank in (0, 1)]
    first, second = (said(one) for one in both)
    same_losses(first, expected)
    assert second == []  # rank 0 alone writes
    assert (tmp_path / "both.safetensors").exists()


def test_a_process_that_dies_leaves_a_checkpoint_that_resumes(tmp_path):
    model, training = TRAININGS["adam, clipped, cosine"]
    written(tmp_path, document(model, **training))
    expected = said(script(tmp_path, "--from", "first.safetensors"))
    process = script(tmp_path, "--from", "first.safetensors", "--to", "kept.safetensors", "--save-every", 10)
    for line in process.stdout:
        if json.loads(line)["step"] >= 25:
            process.kill()
            break
    process.communicate()
    _, metadata = tensors(tmp_path / "kept.safetensors")
    step = int(metadata["step"])
    assert step % 10 == 0 and step >= 20
    same_losses(said(script(tmp_path, "--from", "kept.safetensors")), expected[step:])


def test_what_does_not_fit_is_said(tmp_path):
    model, training = TRAININGS["adam, clipped, cosine"]
    written(tmp_path, document(model, **{**training, "batch": 7}))
    port = free_port()
    for one in [script(tmp_path, "--from", "first.safetensors", rank=rank, port=port) for rank in (0, 1)]:
        assert "a batch of 7 examples cannot be shared by 2 processes" in one.communicate(timeout=300)[1]
    other = tmp_path / "other"
    other.mkdir()
    small = [dict(model[0], dim=3), *model[1:]]
    written(other, document(small))
    process = script(tmp_path, "--from", other / "first.safetensors")
    assert "embedding.E has the shape [" in process.communicate(timeout=300)[1]
    what = document(model, **{"teacher-forcing": 0.5})
    (tmp_path / "forced.json").write_text(json.dumps(what))
    assert attend("export", "train", tmp_path / "forced.json", expect=2)["path"] == "/training/teacher-forcing"


def test_examples_have_their_truth(tmp_path):
    file = tmp_path / "document.json"
    file.write_text(json.dumps(document(MODEL)))
    words = json.loads(attend("examples", file, "--words"))["words"]
    training, held = (lines(attend("examples", file, "--count", 20, *more)) for more in ([], ["--held-out"]))
    assert len(training) == len(held) == 20
    for one in training + held:
        source, target = (one["inputs"][name] for name in ("source", "target"))
        assert [words["source"][i] for i in source["ids"]] == source["tokens"]
        assert one["truth"] == target["tokens"] == source["tokens"][::-1]
        for row, column, kind in one["links"]:
            assert kind == "means" and target["tokens"][row] == source["tokens"][column]
    sources = {tuple(one["inputs"]["source"]["tokens"]) for one in held}
    assert not sources & {tuple(one["inputs"]["source"]["tokens"]) for one in training}
    batch = lines(attend("examples", file, "--step", 3))
    assert len(batch) == 8 and {one["step"] for one in batch} == {3}
    assert len({len(one["inputs"]["source"]["ids"]) for one in batch}) == 1
    assert attend("examples", file, "--step", 1, "--steps", 3).splitlines()[-8:] == [
        json.dumps(one, separators=(",", ":"), sort_keys=True, ensure_ascii=False) for one in batch]


def test_a_file_of_weights_gives_its_document(tmp_path):
    folder = os.path.join(ROOT, "examples", "trained")
    for name in ("transformer", "glyphs"):
        what = json.loads(attend("document", os.path.join(folder, f"{name}.safetensors")))
        assert what["parameters"] == {"from": f"{name}.safetensors"}
        (tmp_path / f"{name}.safetensors").write_bytes(open(os.path.join(folder, f"{name}.safetensors"), "rb").read())
        (tmp_path / "whole.json").write_text(json.dumps(what))
        assert json.loads(attend("run", tmp_path / "whole.json"))["outputs"]["loss"]["data"][0] < 0.5
    (tmp_path / "none.safetensors").write_bytes((2).to_bytes(8, "little") + b"{}")
    assert "no document" in attend("document", tmp_path / "none.safetensors", expect=2)["message"]


def test_a_layer_more_in_torch_and_the_weights_come_back(tmp_path):
    """A researcher adds a layer, trains on, and hands the rest of the weights back to the engine."""
    file = written(tmp_path, document(MODEL))
    names = {"__name__": "exported"}
    exec((tmp_path / "model.py").read_text(), names)
    model = names["Model"]().double()
    model.load(tmp_path / "first.safetensors")
    batch = lines(attend("examples", file, "--step", 1))
    inputs = {name: names["encode"](name, [one["inputs"][name]["tokens"] for one in batch])[0]
              for name in ("source", "target")}
    words = len(names["VOCABULARY"]["target"])
    extra = torch.nn.Linear(words, words).double()
    optimiser = torch.optim.Adam([*model.parameters(), *extra.parameters()], lr=0.01)
    losses = []
    for _ in range(20):
        logits = model(**inputs, return_maps=True)["decoder.logits"]
        loss = torch.nn.functional.cross_entropy((logits + extra(logits)).flatten(0, 1), inputs["target"].flatten())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(float(loss))
    assert losses[-1] < losses[0]
    model.save(tmp_path / "back.safetensors")
    what = json.loads(attend("document", tmp_path / "back.safetensors"))
    (tmp_path / "back.json").write_text(json.dumps(what))
    answer = json.loads(attend("run", tmp_path / "back.json"))
    for name, one in model.state_dict().items():
        assert answer["parameters"][name]["data"] == one.flatten().tolist()
