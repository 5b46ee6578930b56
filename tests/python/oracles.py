#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Two laws that need more than one build: float = double, and exported code = engine.

As a program it answers the fuzzers of tests/fuzz (programs/oracle.cpp): a task a line, the broken law a line, empty
where none is. As a module it serves test_fuzz_corpus.py.
"""
import contextlib
import io
import json
import math
import os
import random
import subprocess
import sys
import warnings

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.join(ROOT, "build", "bin", "attend64")
# Of the largest number of a tensor. Float has 7 digits, and a chain of sums and exponentials loses some.
FLOAT, EXPORT = 2e-4, 1e-8
# A cell whose exact value moves by so much when inputs and parameters move by a rounding is no matter of precision.
ROUNDINGS = (1e-7, 3e-7, 1e-6)
SHAKEN = 30


class Engine:
    """attend64, which is asked many documents."""

    def __init__(self, tool=TOOL):
        self.tool = tool
        self.process = None

    def run(self, document):
        if self.process is None or self.process.poll() is not None:
            self.process = subprocess.Popen(
                [self.tool, "run", "--lines"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            )
        self.process.stdin.write(json.dumps(document) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def export(self, document, dialect="numpy"):
        done = subprocess.run(
            [self.tool, "export", dialect, "-"],
            input=json.dumps(document),
            capture_output=True,
            text=True,
            timeout=60,
        )
        return done.stdout if done.returncode == 0 else None

    def close(self):
        if self.process is not None:
            self.process.communicate()
            self.process = None


def shaken(document, answer, by, seed):
    """The document with every number of its inputs and parameters moved by a rounding."""
    draw = random.Random(seed)

    def move(value):
        if isinstance(value, list):
            return [move(one) for one in value]
        whole = (
            isinstance(value, int) and not isinstance(value, bool) or isinstance(value, float) and value == int(value)
        )
        # Whole numbers may be indices, draws of 0 and 1, or counts.
        return value if whole or not isinstance(value, float) else value * (1 + by * draw.choice((-1, 1)))

    other = json.loads(json.dumps(document))
    for name, one in (other.get("inputs") or {}).items():
        if isinstance(one, dict):
            other["inputs"][name] = {
                key: move(part) if key in ("data", "matrix") else part for key, part in one.items()
            }
    drawn = {name: {"shape": one["shape"], "data": move(one["data"])} for name, one in answer["parameters"].items()}
    other["parameters"] = drawn
    return other


def apart(one, other, tolerance):
    """The cells of two lists of results that differ, as (name, cell, a, b)."""
    for name, tensor in one.items():
        if name not in other:
            yield name, -1, "there", "missing"
        elif tensor["shape"] != other[name]["shape"]:
            yield name, -1, tensor["shape"], other[name]["shape"]
        else:
            size = max([1.0] + [abs(x) for x in tensor["data"]])
            for cell, (a, b) in enumerate(zip(tensor["data"], other[name]["data"], strict=True)):
                if not abs(a - b) <= tolerance * size:
                    yield name, cell, a, b


def moves(engine, document, exact, name, cell, gap, size):
    """Whether roundings of what goes in move the exact value about as far as `gap`, or make the document fail."""
    for seed, by in enumerate(ROUNDINGS):
        answer = engine.run(shaken(document, exact, by, seed))
        if "outputs" not in answer:
            return True
        other = answer["outputs"][name]["data"][cell]
        if SHAKEN * abs(other - exact["outputs"][name]["data"][cell]) + FLOAT * size >= gap:
            return True
    return False


def broken_float(engine, document, outputs):
    """What differs between the float build's outputs and the double build; empty when nothing does."""
    exact = engine.run(document)
    if "outputs" not in exact:
        # Twice the memory may be too much.
        return (
            "" if "MiB" in exact["error"]["message"] else "double refuses what float computes: " + json.dumps(exact)
        )
    for name, cell, a, b in apart(exact["outputs"], outputs, FLOAT):
        size = max([1.0] + [abs(x) for x in exact["outputs"].get(name, {}).get("data", [])])
        if cell < 0 or not moves(engine, document, exact, name, cell, abs(a - b), size):
            return f"float: {name}[{cell}] is {b!r}, in double {a!r}"
    return ""


def execute(code):
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(code, "exported", "exec"), {"__name__": "__main__"})
    return json.loads(printed.getvalue())


def broken_export(engine, document):
    """What differs between the double build's outputs and its NumPy export; empty when nothing does."""
    exact = engine.run(document)
    code = engine.export(document)
    if "outputs" not in exact or code is None or not exact["outputs"]:
        return ""
    try:
        found = execute(code)
    except Exception as error:  # whatever the exported code does
        return f"the exported code fails: {type(error).__name__}: {error}"
    for name, cell, a, b in apart(exact["outputs"], found, EXPORT):
        if cell < 0 or not math.isfinite(b):
            return f"export: {name}[{cell}] is {b!r}, in the engine {a!r}"
        if not tie(engine, document, exact, name, cell, abs(a - b)):
            return f"export: {name}[{cell}] is {b!r}, in the engine {a!r}"
    return ""


def tie(engine, document, exact, name, cell, gap):
    """Whether the last digits decide: a rounding of double moves the value as far."""
    for seed, by in enumerate((1e-15, 1e-13, 1e-11)):
        answer = engine.run(shaken(document, exact, by, seed))
        if (
            "outputs" not in answer
            or SHAKEN * abs(answer["outputs"][name]["data"][cell] - exact["outputs"][name]["data"][cell]) >= gap
        ):
            return True
    return False


def main():
    engine = Engine()
    for line in sys.stdin:
        task = json.loads(line)
        if "outputs" in task:
            broken = broken_float(engine, task["document"], task["outputs"])
        else:
            broken = broken_export(engine, task["document"])
        print(" ".join(broken.split()), flush=True)


if __name__ == "__main__":
    main()
