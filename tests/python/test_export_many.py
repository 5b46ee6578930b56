# SPDX-License-Identifier: Apache-2.0
"""Documents of ours that train, as modules: each takes the same steps on one process and on two as `attend train`.

A plain run tries one of each kind; with ATTEND_ALL all of them."""
import json
import os

import pytest
from judge import ROOT
from test_export_module import sample
from test_export_train import attend, free_port, lines, said, same_losses, script

FOLDER = os.path.join(ROOT, "examples", "trained")
STEPS = 4


def trained_documents():
    """By name: every document whose training is shipped, but those that only show what another one learned."""
    for folder in (FOLDER, os.path.join(FOLDER, "systems")):
        for file in sorted(os.listdir(folder)):
            if file.endswith(".json") and file != "translated.json":
                yield os.path.relpath(os.path.join(folder, file), FOLDER)


DOCUMENTS = list(trained_documents())


# The engine alone leads a map to the pixels of an image; these train here without it.
GUIDED_TO_PIXELS = {"shapes.json", os.path.join("systems", "show-attend-tell.json")}


# Their steps depend on the length, and the task has examples of other lengths than the document.
FIXED = {os.path.join("systems", name) for name in
         ("las.json", "reformer-lm.json", "structured-attention.json")}


def document_of(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        document = json.load(file)
    document.pop("parameters", None)
    if name in GUIDED_TO_PIXELS:
        document["training"].pop("guide", None)
    return document


@pytest.mark.parametrize("name", [name for name in DOCUMENTS if name in GUIDED_TO_PIXELS])
def test_a_map_that_is_led_to_pixels_is_refused(name):
    error = attend("export", "train", os.path.join(FOLDER, name), expect=2)
    assert error["path"] == "/training/guide"


def test_there_are_thirty():
    assert len(DOCUMENTS) >= 30


@pytest.mark.parametrize("name", sample(DOCUMENTS, 12))
def test_one_process_and_two_take_the_steps_of_the_engine(name, tmp_path):
    file = tmp_path / "document.json"
    document = document_of(name)
    document["training"]["steps"] = STEPS
    file.write_text(json.dumps(document))
    (tmp_path / "model.py").write_text(attend("export", "pytorch", "--module", file))
    (tmp_path / "train.py").write_text(attend("export", "train", file))
    attend("train", file, "--steps", 0, "--to", tmp_path / "first.safetensors")
    (tmp_path / "data.jsonl").write_text(attend("examples", file, "--step", 1, "--steps", STEPS, "--draws"))
    expected = [one for one in lines(attend("train", file, "--every", 1)) if "stepsPerSecond" in one]
    port = free_port()
    alone = script(tmp_path, "--from", "first.safetensors")
    if name in FIXED:
        assert "The length of source is fixed: " in (tmp_path / "model.py").read_text()
        assert "source: expected the shape [any, " in alone.communicate(timeout=300)[1]
        return
    both = [script(tmp_path, "--from", "first.safetensors", rank=rank, port=port) for rank in (0, 1)]
    same_losses(said(alone), expected)
    first, second = (said(one) for one in both)
    same_losses(first, expected)
    assert second == []
