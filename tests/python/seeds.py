#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What "I love you" looks at after training from several seeds.

Each seed trains examples/trained/translate.json natively with `attend train`, which measures 500 held-out sentences at
its end; then `attend run` computes the pinned sentence with the weights that were learned. The rows of the table are
judged by what the grammar of the task links them to.
seeds.py [--seeds 5] [--set /training/batch=32 ...] [document]"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

from by_length import ROOT, document_in, train

SOURCE = ["I", "love", "you"]
# What each word of the answer means, and what its form agrees with, as src/training/tasks/translate.cpp links them:
# je or j' is decided by the two words behind it, te or t' by the verb, aime or aimes by the subject.
LINKS = {"je": ("I", ["love", "you"]), "t'": ("you", ["love"]), "aime": ("love", ["I"])}
MEASURES = ["accuracy", "alignment", "agrees"]


def with_setting(document, setting):
    """Puts the JSON behind `=` at the pointer before it."""
    pointer, value = setting.split("=", 1)
    *owners, last = pointer.strip("/").split("/")
    place = document
    for name in owners:
        place = place[int(name)] if isinstance(place, list) else place.setdefault(name, {})
    place[int(last) if isinstance(place, list) else last] = json.loads(value)


def rows_of(weights, folder):
    """The rows of the map after training, by the word that each writes, each as {word of the source: weight}."""
    document = document_in(weights)
    del document["training"]
    document["parameters"] = {"from": weights.name}
    file = folder / "look.json"
    file.write_text(json.dumps(document))
    done = subprocess.run([ROOT / "build/bin/attend", "run", file], capture_output=True, text=True, check=True)
    attention = json.loads(done.stdout)["outputs"]["decoder.weights"]
    columns = attention["shape"][1]
    assert document["inputs"]["source"]["tokens"] == SOURCE and columns == len(SOURCE)
    return {word: dict(zip(SOURCE, attention["data"][k * columns:(k + 1) * columns])) for k, word in enumerate(LINKS)}


def judged(rows):
    """By row: where it looks most, its share on what the word means, and on that or on what it agrees with."""
    found = {}
    for word, (means, agrees) in LINKS.items():
        row = rows[word]
        found[word] = {"most": max(row, key=row.get), "right": max(row, key=row.get) == means, "means": row[means],
                       "linked": row[means] + sum(row[other] for other in agrees)}
    return found


def seed_row(document, seed, folder):
    file, weights = folder / "document.json", folder / "weights.safetensors"
    file.write_text(json.dumps({**document, "seed": seed}))
    measures = train(file, "--every", "1000000", "--weights", "float", "--to", weights)
    rows = rows_of(weights, folder)
    return {"seed": seed, "measures": measures, "rows": rows, "judged": judged(rows)}


def cells(found):
    """The cells of one seed's row in the table."""
    short = "{:.2f}".format
    yield str(found["seed"])
    yield from (f"{found['measures'][name]:.3f}" for name in MEASURES)
    for word, row in found["rows"].items():
        own = found["judged"][word]
        numbers = " ".join(short(row[column]).removeprefix("0") for column in SOURCE)
        yield f"{numbers}; {own['most']}, {short(own['means'])}, {short(own['linked'])}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--set", action="append", default=[], metavar="POINTER=JSON", help="another setting to try")
    parser.add_argument("document", nargs="?", default=ROOT / "examples/trained/translate.json", type=pathlib.Path)
    asked = parser.parse_args()
    document = json.loads(asked.document.read_text())
    for setting in asked.set:
        with_setting(document, setting)
    head = ["seed", "words right", "alignment", "with agreement",
            *(f"{word}: {', '.join(SOURCE)}; most, means, or agrees" for word in LINKS)]
    print("|", " | ".join(head), "|")
    print("|", " | ".join("---" for _ in head), "|")
    right = 0
    with tempfile.TemporaryDirectory() as folder:
        for seed in range(1, asked.seeds + 1):
            found = seed_row(document, seed, pathlib.Path(folder))
            right += all(own["right"] for own in found["judged"].values())
            print("|", " | ".join(cells(found)), "|", flush=True)
    print(f"{right} of {asked.seeds} seeds look most at what the word means, in every row", file=sys.stderr)


if __name__ == "__main__":
    main()
