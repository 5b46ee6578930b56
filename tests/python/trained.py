#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Trains the documents of examples/trained/ and writes what ships, tests/experiment/trained.json (the first losses, and
what the weights can do as they were and as halves), and prints the table of docs/training.md. Names of documents as
arguments train those alone. What other seeds come to, seeds.py prints."""
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDER = ROOT / "examples/trained"
RECORD = ROOT / "tests/experiment/trained.json"
SHIPPED = ["translate", "transformer", "reverse", "recall", "aspects", "shapes", "glyphs"]
MEASURED = ["accuracy", "exact", "alignment", "agrees", "heldOutLoss", "heads"]


def train(file, *options):
    done = subprocess.run([ROOT / "build/bin/attend", "train", file, *options], capture_output=True, text=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode != 0 or any("failure" in line for line in lines):
        raise SystemExit(f"{file}: {done.stdout}{done.stderr}")
    return lines


def measured(line):
    return {name: line[name] for name in MEASURED if name in line}


def main():
    asked = sys.argv[1:] or SHIPPED
    record = json.loads(RECORD.read_text()) if RECORD.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        for name in asked:
            document = FOLDER / f"{name}.json"
            whole, ships = pathlib.Path(folder) / "whole", FOLDER / f"{name}.safetensors"
            own = record.setdefault(name, {})
            own.clear()
            own["losses"] = [line["loss"] for line in train(document, "--steps", "6", "--every", "1")]
            own["whole"] = measured(train(document, "--every", "1000000", "--weights", "float", "--to", whole)[-1])
            train(document, "--from", whole, "--measure", "--weights", "half", "--to", ships)
            own["half"] = measured(train(document, "--from", ships, "--measure")[0])
            RECORD.write_text(json.dumps(record, indent=1) + "\n")
    for name, own in record.items():
        print(f"| {name} |", *(f"{own[of][what]:.3f} |"
                               for what in ("accuracy", "alignment", "agrees") for of in ("whole", "half")))


if __name__ == "__main__":
    main()
