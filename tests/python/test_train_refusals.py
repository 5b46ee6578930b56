# SPDX-License-Identifier: Apache-2.0
"""`attend train` with files that are not what they seem: an error with the place, exit 2, and no file is written."""
import json
import os
import struct
import subprocess

import pytest
from judge import ROOT

TOOL = os.path.join(ROOT, "build", "bin", "attend")
MODEL = [
    {"name": "embedding", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": 6},
    {"name": "encoder", "type": "fm-birnn", "inputs": {"x": "embedding"}, "hidden": 5},
    {"name": "decoder", "type": "om-decoder", "inputs": {"memory": "encoder", "target": "target"}},
    {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "decoder.logits", "target": "target"}},
]
LINES = "\n".join(f"w{i} x\tv{i % 3}" for i in range(40))


def train(folder, data=LINES, checkpoint=None, **training):
    """What `attend train` says on the error stream, with the file that it would have written."""
    document = {
        "schema": "attention-playground/1",
        "seed": 3,
        "inputs": {},
        "model": MODEL,
        "training": {"task": "task-pairs", "batch": 4, "steps": 3, **training},
    }
    (folder / "document.json").write_text(json.dumps(document))
    (folder / "data.txt").write_text(data)
    words = ["train", folder / "document.json", "--to", folder / "to.safetensors"]
    if data:
        words += ["--data", folder / "data.txt"]
    if checkpoint is not None:
        (folder / "from.safetensors").write_bytes(checkpoint)
        words += ["--steps", "6", "--from", folder / "from.safetensors"]
    done = subprocess.run([TOOL, *words], capture_output=True, text=True, timeout=120)
    return done, folder / "to.safetensors"


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    done, file = train(tmp_path_factory.mktemp("good"))
    assert done.returncode == 0, done.stderr
    return file.read_bytes()


def refused(done, written, path, says):
    assert done.returncode == 2
    error = json.loads(done.stderr)["error"]
    assert error["path"].startswith(path), error
    assert says in error["message"]
    assert [file for file in os.listdir(written.parent) if file.startswith("to.")] == []


@pytest.mark.parametrize(
    "path, says, asked",
    [
        ("/training/task/text", "two different sources", {"data": "one\ttwo"}),
        ("/training/task/text", "1000000 lines", {"data": "a\tb\n" * 1_000_000}),
        ("/training/task/text", "line 2", {"data": "a\tb\nc\t\nd\te"}),
        ("/training/optimiser/rate", "found 0", {"optimiser": {"type": "adam", "rate": 0}}),
        ("/training/optimiser/rate", "found -1", {"optimiser": {"type": "sgd", "rate": -1}}),
        ("/training/optimiser/rate", "at most 1000", {"optimiser": {"type": "adamw", "rate": 1e9}}),
        ("/training/batch", "36 examples are left", {"batch": 64}),
        ("/training/batch", "a batch of 4000 is larger", {"batch": 4000, "task": "task-translate", "data": ""}),
    ],
)
def test_what_cannot_be_learned_from_is_refused_at_its_place(tmp_path, path, says, asked):
    refused(*train(tmp_path, **asked), path, says)


def with_header(file, change):
    (size,) = struct.unpack("<Q", file[:8])
    header = json.loads(file[8 : 8 + size])
    change(header)
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + file[8 + size :]


def lie(header):
    header["decoder.b_c"]["shape"] = [10**6]


def rename(header):
    header["other.b_c"] = header.pop("decoder.b_c")


@pytest.mark.parametrize(
    "says, change",
    [
        ("another model", lambda file: with_header(file, rename)),
        ("cut short", lambda file: file[:-9]),
        ("holds NaN", lambda file: file[:-4] + struct.pack("<f", float("nan"))),
        ("should give the length of its header", lambda file: file[:6] + b"\x01" + file[7:]),
        ("its header is not JSON", lambda file: file[:8] + b"[[" + file[10:]),
        ("decoder.b_c", lambda file: with_header(file, lie)),
        ("it has 0 bytes", lambda file: b""),
    ],
)
def test_files_that_are_no_checkpoints_are_refused(tmp_path, good, says, change):
    refused(*train(tmp_path, checkpoint=change(good)), "--from", says)


def test_a_training_that_fails_says_so_by_its_exit_code_and_keeps_the_last_good_state(tmp_path):
    done, written = train(tmp_path, optimiser={"type": "adamw", "rate": 1000, "weight-decay": 1}, steps=200)
    assert done.returncode == 1
    assert done.stderr == ""
    assert "choose a smaller rate" in json.loads(done.stdout.splitlines()[-1])["failure"]
    assert written.exists()


def test_what_is_good_is_taken(tmp_path, good):
    done, written = train(tmp_path, checkpoint=good)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["step"] == 6
    assert written.exists()


@pytest.mark.parametrize("words", [["train", "--every"], ["examples", "--step"], ["sweep", "--jobs"]])
def test_an_option_that_counts_names_what_it_expects(words):
    command, option = words
    for given in ("0", "-1", "x"):
        done = subprocess.run([TOOL, command, "file", option, given], capture_output=True, text=True, timeout=60)
        assert done.returncode == 2
        assert f"{option}: expected a whole number of at least 1, found {given}" in done.stdout + done.stderr
