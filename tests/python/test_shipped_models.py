# SPDX-License-Identifier: Apache-2.0
"""Each document of examples/trained with the weights beside it: it runs as it is, and writes what it learned to."""
import glob
import json
import os
import subprocess

import pytest
from judge import ROOT

TOOL = os.path.join(ROOT, "build", "bin", "attend")
FOLDER = os.path.join(ROOT, "examples", "trained")
MODELS = sorted(os.path.basename(path)[:-12] for path in glob.glob(os.path.join(FOLDER, "*.safetensors")))


def asked(command, name, outputs=()):
    with open(os.path.join(FOLDER, f"{name}.json"), encoding="utf-8") as file:
        document = json.load(file)
    document["parameters"] = {"from": f"{name}.safetensors"}
    if outputs:
        document["outputs"] = list(outputs)
    done = subprocess.run([TOOL, command, "-"], input=json.dumps(document), capture_output=True, text=True,
                          timeout=300, cwd=FOLDER)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("name", MODELS)
def test_it_runs_with_its_weights(name):
    assert asked("run", name)["outputs"]


@pytest.mark.parametrize("name", MODELS)
def test_it_writes_what_it_learned(name):
    answer = asked("write", name)
    assert answer["tokens"], answer
    # Of a source that is no words the task does not say what would be right.
    right = answer.get("task", {}).get("right")
    assert right is None or answer["tokens"] == right, answer
