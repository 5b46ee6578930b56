# SPDX-License-Identifier: Apache-2.0
"""A trained system writes as many words as the right answer has, whatever the length of what it reads."""
import json
import os
import subprocess

import pytest
from judge import ROOT

TOOL = os.path.join(ROOT, "build", "bin", "attend")
FOLDER = os.path.join(ROOT, "examples", "trained", "systems")
SYSTEMS = sorted(name.removesuffix(".safetensors") for name in os.listdir(FOLDER) if name.endswith(".safetensors"))


def attend(*arguments, text=None):
    return subprocess.run([TOOL, *arguments], input=text, capture_output=True, text=True, timeout=300, cwd=FOLDER)


def trained(name):
    return json.loads(attend("document", f"{name}.safetensors").stdout)


def written(document):
    done = attend("write", "-", text=json.dumps(document))
    return json.loads(done.stdout) if done.returncode == 0 else {}


@pytest.mark.parametrize("name", SYSTEMS)
def test_the_pinned_answer_is_whole(name):
    answer = written(trained(name))
    right = answer.get("task", {}).get("right")
    if right:
        assert len(answer["tokens"]) == len(right)


@pytest.mark.parametrize("words", ["3 1 2", "5 4 3 2 1 0"])
def test_the_pointer_network_sorts_few_and_many(words):
    document = trained("pointer-network")
    document["inputs"]["source"]["tokens"] = words.split()
    assert written(document)["tokens"] == sorted(words.split())
