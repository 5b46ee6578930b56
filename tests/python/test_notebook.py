# SPDX-License-Identifier: Apache-2.0
"""examples/grow.ipynb runs from top to bottom, with its training on two processes."""
import json
import os
import subprocess
import sys

from judge import ROOT

NOTEBOOK = os.path.join(ROOT, "examples", "grow.ipynb")
TOOL = os.path.join(ROOT, "build", "bin", "attend64")


def test_the_notebook_runs_from_top_to_bottom(tmp_path):
    with open(NOTEBOOK, encoding="utf-8") as file:
        cells = [one for one in json.load(file)["cells"] if one["cell_type"] == "code"]
    assert len(cells) >= 6
    code = "\n\n".join("".join(cell["source"]) for cell in cells)
    (tmp_path / "cells.py").write_text(code + "\nprint(\"the last cell\")\n")
    done = subprocess.run([sys.executable, "cells.py"], cwd=tmp_path, capture_output=True, text=True, timeout=300,
                          env=dict(os.environ, ATTEND=TOOL, PYTHONWARNINGS="ignore"))
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "the last cell"
    losses = [json.loads(line)["loss"] for line in done.stdout.splitlines() if line.startswith('{"step"')]
    assert losses[-1] < losses[0]


def test_its_outputs_are_not_stored():
    with open(NOTEBOOK, encoding="utf-8") as file:
        cells = json.load(file)["cells"]
    assert all(not one.get("outputs") for one in cells)
