# SPDX-License-Identifier: Apache-2.0
"""`attend sweep`: a grid of documents on this machine's processors, resumable, and what it refuses."""
import importlib.util
import json
import os
import shutil
import subprocess
import sys

import pytest
from judge import ROOT
from test_export_train import MODEL, TOOL, document

GRID = {"/seed": [1, 2], "/training/optimiser/rate": [0.01, 0.02, 0.03]}


def sweep(grid, *words):
    return subprocess.run([TOOL, "sweep", grid, *map(str, words)], capture_output=True, text=True, timeout=300)


@pytest.fixture
def grid(tmp_path):
    def made(cells=GRID, what=None):
        what = what or document(MODEL, steps=4, optimiser={"type": "adam", "rate": 0.01})
        (tmp_path / "grid.json").write_text(json.dumps({"document": what, "grid": cells}))
        return tmp_path / "grid.json"
    return made


def lines(text):
    return [json.loads(line) for line in text.splitlines()]


def test_every_cell_is_the_training_of_its_own_document(grid, tmp_path):
    file = grid()
    assert sweep(file, "--count").stdout == "6\n"
    done = sweep(file, "--jobs", 2)
    assert done.returncode == 0, done.stderr
    cells = lines(done.stdout)
    assert [one["cell"] for one in cells] == list(range(6))
    assert [one["values"] for one in cells] == [
        {"/seed": seed, "/training/optimiser/rate": rate} for seed in GRID["/seed"]
        for rate in GRID["/training/optimiser/rate"]]
    assert done.stderr.splitlines()[-1] == "6 of 6 cells"
    for one in cells[1::4]:
        what = document(MODEL, steps=4, optimiser={"type": "adam", "rate": one["values"]["/training/optimiser/rate"]})
        what["seed"] = one["values"]["/seed"]
        (tmp_path / "one.json").write_text(json.dumps(what))
        last = json.loads(subprocess.run([TOOL, "train", tmp_path / "one.json"], capture_output=True, text=True,
                                         timeout=300, check=True).stdout.splitlines()[-1])
        last.pop("stepsPerSecond")
        assert one["result"] == last
        assert lines(sweep(file, "--cell", one["cell"]).stdout) == [one]


def test_a_sweep_that_was_stopped_goes_on(grid, tmp_path):
    file, out = grid(), tmp_path / "lines.jsonl"
    whole = sweep(file).stdout.splitlines()
    # Two cells are there, one of them failed, and a line is cut short.
    broken = json.dumps({"cell": 1, "values": json.loads(whole[1])["values"], "error": {"path": "", "message": "no"}})
    out.write_text("\n".join([whole[0], broken, whole[3][:20]]) + "\n")
    done = sweep(file, "--to", out)
    assert done.returncode == 0 and done.stderr.splitlines()[0] == "2 of 6 cells"
    added = out.read_text().splitlines()[3:]
    assert added == whole[1:]
    assert sweep(file, "--to", out).stderr == ""


def test_a_cell_that_fails_leaves_the_others(grid):
    file = grid({"/training/optimiser/rate": [0.01, -1, 0.02]})
    done = sweep(file)
    assert done.returncode == 1
    first, second, third = lines(done.stdout)
    assert "result" in first and "result" in third
    assert second["error"]["path"] == "/training/optimiser/rate"
    assert done.stderr.splitlines()[-1] == "3 of 3 cells, 1 failed"


def test_a_document_without_training_is_run(grid):
    what = {"schema": "attention-playground/1", "inputs": {"x": {"matrix": [[1, 2], [3, 4]]}},
            "mechanism": {"type": "attention", "query": "self-attention", "score": "dot"}}
    done = sweep(grid({"/mechanism/score": ["dot", "additive"]}, what))
    assert [set(one["result"]) >= {"weights", "context"} for one in lines(done.stdout)] == [True, True]


@pytest.mark.parametrize("cells, path, says", [
    ({"/nothing/here": [1]}, "/grid/~1nothing~1here", "nothing at \"/nothing\""),
    ({"seed": [1]}, "/grid/seed", "JSON pointer"),
    ({"/seed": []}, "/grid/~1seed", "list of values"),
    ({"/seed": list(range(1000)), "/training/batch": list(range(1, 1001))}, "/grid", "100000 cells"),
    ({}, "/grid", "lists of values"),
])
def test_what_is_no_grid_is_refused(grid, cells, path, says):
    done = sweep(grid(cells))
    assert done.returncode == 2
    error = json.loads(done.stderr)["error"]
    assert error["path"] == path and says in error["message"]


SCRIPTS = os.path.join(ROOT, "examples", "sweep")


def on_two_workers(folder, command, lines_file):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300,
                          env=dict(os.environ, OMP_NUM_THREADS="1"))
    assert done.returncode == 0, done.stderr
    assert (folder / lines_file).read_text() == sweep(folder / "grid.json").stdout


@pytest.mark.skipif(shutil.which("snakemake") is None, reason="needs Debian's package snakemake")
def test_the_snakefile_gives_the_lines_of_the_local_sweep(grid, tmp_path):
    grid({"/training/optimiser/rate": [0.01, -1], "/seed": [1, 2]})
    shutil.copy(os.path.join(SCRIPTS, "Snakefile"), tmp_path)
    on_two_workers(tmp_path, ["snakemake", "--cores", "2", "--config", "grid=grid.json", f"attend={TOOL}"],
                   "lines.jsonl")


@pytest.mark.skipif(importlib.util.find_spec("distributed") is None,
                    reason="needs Debian's package python3-distributed")
def test_the_dask_script_gives_the_lines_of_the_local_sweep(grid, tmp_path):
    grid({"/training/optimiser/rate": [0.01, -1], "/seed": [1, 2]})
    on_two_workers(tmp_path, [sys.executable, os.path.join(SCRIPTS, "dask_sweep.py"), "grid.json", "lines.jsonl",
                              "--workers", "2", "--attend", TOOL], "lines.jsonl")
