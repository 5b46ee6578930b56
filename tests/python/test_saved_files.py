# SPDX-License-Identifier: Apache-2.0
"""Files that the page saved: `attend` reads the document in them, with the weights that came along."""
import base64
import json
import os
import subprocess

import pytest
from judge import ROOT
from test_weights_beside import weights

TOOL = os.path.join(ROOT, "build", "bin", "attend")
DOCUMENT = {
    "schema": "attention-playground/1",
    "inputs": {"x": {"matrix": [[1, 0], [0, 1]]}},
    "mechanism": {"query": "self-attention"},
}


def run(document):
    return subprocess.run([TOOL, "run", "-"], input=json.dumps(document), capture_output=True, text=True, timeout=120)


def saved_by_the_page():
    path = os.path.join(ROOT, "tests", "corpus", "1.0.0", "saved.jsonl")
    with open(path, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


@pytest.mark.parametrize("saved", saved_by_the_page(), ids=lambda saved: saved["name"])
def test_a_saved_file_runs(saved):
    # A model that ships with the page is named in the file, not in it: its weights lie in this folder.
    done = subprocess.run([TOOL, "run", "-"], input=saved["text"], capture_output=True, text=True, timeout=300,
                          cwd=os.path.join(ROOT, "examples", "trained"))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["outputs"]


def test_its_weights_are_used():
    own = {**DOCUMENT, "parameters": {"from": "my-own"}}
    done = run({**own, "seen": {"place": "train"}, "compare": DOCUMENT,
                "weights": {"my-own": base64.b64encode(weights()).decode()}})
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)["parameters"]["query.W_Q"]
    assert found["data"] == [1.0, 0.0, 0.0, 1.0], found
    done = run({**own, "weights": {"another": base64.b64encode(weights()).decode()}})
    assert done.returncode == 2
    assert json.loads(done.stderr)["error"]["path"] == "/parameters/from"


@pytest.mark.parametrize("wrong, path", [
    (5, "/weights"), ({"my-own": 5}, "/weights/my-own"), ({"my-own": "AAA"}, "/weights/my-own"),
    ({"my-own": "A*=="}, "/weights/my-own"), ({"a/b": "A==="}, "/weights/a~1b"),
])
def test_weights_that_are_none_are_refused(wrong, path):
    done = run({**DOCUMENT, "weights": wrong})
    assert done.returncode == 2
    assert json.loads(done.stderr)["error"]["path"] == path
