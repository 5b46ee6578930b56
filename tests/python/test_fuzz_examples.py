# SPDX-License-Identifier: Apache-2.0
"""`attend examples` with settings of a training that nobody wrote: it prints as many lines as asked for, the same ones
again, or refuses with a place below the changed member. It never crashes or hangs."""
import copy
import glob
import json
import os
import random
import subprocess

from test_exports import ROOT, TOOL

DOCUMENTS = []
for file_name in sorted(glob.glob(os.path.join(ROOT, "examples", "trained", "*.json"))):
    with open(file_name, encoding="utf-8") as opened:
        DOCUMENTS.append(json.load(opened))
VALUES = [0, 1, 2, 3, 7, 26, 27, 1000, -1, 1.5, 1e18, "", "x", None, True, [], {}, [1]]
COMMANDS = [[], ["--held-out"], ["--words"], ["--step", "3"], ["--step", "1", "--steps", "2", "--draws"]]


def near(value, draw):
    """A value that may well be allowed."""
    if isinstance(value, int):
        return draw.randint(0, value + 2)
    return value * draw.random() if isinstance(value, float) else value


def changed(document, draw):
    """The document with one to three settings of its task or of its training replaced."""
    made = copy.deepcopy(document)
    made.pop("parameters", None)  # the file of weights lies beside the document, which standard input is not
    for _ in range(draw.randint(1, 3)):
        inside = draw.random() < .8 and isinstance(made["training"].get("task"), dict)
        place = made["training"]["task"] if inside else made["training"]
        name = draw.choice([key for key in place if key != "type"] or ["count"])
        place[name] = near(place.get(name), draw) if draw.random() < .7 else draw.choice(VALUES)
    return made


def ask(document, command):
    done = subprocess.run([TOOL, "examples", "-", "--count", "5", *command], input=json.dumps(document), timeout=30,
                          capture_output=True, text=True, check=False)
    assert done.returncode >= 0, (done.returncode, done.stderr)
    return done


def test_examples_of_changed_trainings_are_printed_or_refused():
    draw, printed, refused = random.Random(1), 0, 0
    for document in [one for one in DOCUMENTS if "training" in one] * 8:
        made = changed(document, draw)
        command = draw.choice(COMMANDS)
        done = ask(made, command)
        if done.returncode == 0:
            lines = [json.loads(line) for line in done.stdout.splitlines()]
            assert lines and (command not in ([], ["--held-out"]) or len(lines) == 5), (made["training"], command)
            assert ask(made, command).stdout == done.stdout
            printed += 1
            continue
        error = json.loads(done.stdout or done.stderr)["error"]
        assert error["path"].startswith(("/training", "/model", "/inputs")), (error, made["training"])
        assert error["message"], made["training"]
        refused += 1
    assert printed > 10 and refused > 10, (printed, refused)
