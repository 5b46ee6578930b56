#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How much is answered right by length, with attention and from one fixed vector: the table of docs/training.md.

The document of examples/trained/recall.json learns with 2 to 8 pairs; beside it stands the same document whose decoder
reads at every step what the encoder ended with (`fixed-vector-baseline`). Each is trained natively from several seeds
and then asked over 500 held-out questions of each length; the last lengths are longer than any that it met.
by_length.py [--seeds 5] [--steps 800] [--longest 8]"""
import argparse
import json
import pathlib
import statistics
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
BEYOND = 2  # pairs more than any example that was learned from


def documents(steps, longest):
    """The two documents by what they are called; they differ in the decoder alone."""
    attending = json.loads((ROOT / "examples/trained/recall.json").read_text())
    attending["training"]["task"] = {"type": "task-recall", "fewest": 2, "most": longest}
    attending["training"]["steps"] = steps
    fixed = json.loads(json.dumps(attending))
    (decoder,) = [module for module in fixed["model"] if module["type"] == "om-decoder"]
    decoder["type"] = "fixed-vector-baseline"
    del decoder["attention"]
    return {"attention": attending, "fixed vector": fixed}


def train(file, *options):
    done = subprocess.run([ROOT / "build/bin/attend", "train", file, *options], capture_output=True, text=True)
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode != 0 or any("failure" in line for line in lines):
        raise SystemExit(f"{file}: {done.stdout}{done.stderr}")
    return lines[-1]


def document_in(file):
    """The document as a file of weights holds it, with the vocabularies of its training."""
    data = file.read_bytes()
    (size,) = struct.unpack("<Q", data[:8])
    return json.loads(json.loads(data[8:8 + size])["__metadata__"]["document"])


def by_length(document, lengths, folder):
    file, weights = folder / "document.json", folder / "weights.safetensors"
    file.write_text(json.dumps(document))
    train(file, "--every", "1000000", "--weights", "float", "--to", weights)
    trained = document_in(weights)
    found = []
    for length in lengths:
        trained["training"]["task"].update({"fewest": length, "most": length})
        asked = folder / "asked.json"
        asked.write_text(json.dumps(trained))
        found.append(train(asked, "--measure", "--from", weights)["accuracy"])
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--steps", type=int, default=800)
    parser.add_argument("--longest", type=int, default=8)
    asked = parser.parse_args()
    lengths = range(2, asked.longest + BEYOND + 1)
    print("| pairs |", *(f"{length} |" for length in lengths))
    print("| --- |", *("--- |" for _ in lengths))
    with tempfile.TemporaryDirectory() as folder:
        for name, document in documents(asked.steps, asked.longest).items():
            runs = []
            for seed in range(1, asked.seeds + 1):
                runs.append(by_length({**document, "seed": seed}, lengths, pathlib.Path(folder)))
                print(name, seed, *(f"{share:.3f}" for share in runs[-1]), file=sys.stderr)
            columns = list(zip(*runs))
            print(f"| {name} |", *(f"{statistics.mean(column):.3f} ({min(column):.3f} to {max(column):.3f}) |"
                                   for column in columns))


if __name__ == "__main__":
    main()
