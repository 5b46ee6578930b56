#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Milliseconds of processor time that each system takes, natively and in the page's module: bench/systems.py [FOLDER].

Every run is made anew, recorded and computed: another document stands between two runs of one. FOLDER is where
attention.mjs lies (build/wasm/bin); without such a file only the native column is measured. Prints a table."""
import json
import os
import resource
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TOOL = os.path.join(ROOT, "build", "bin", "attend")
OTHER = json.dumps({"schema": "attention-playground/1", "inputs": {"query": {"matrix": [[1]]}},
                    "mechanism": {"type": "attention"}})
TIMES, ROUNDS = 20, 5


def spent(lines):
    """Processor time of one process that runs these documents."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([TOOL, "run", "--lines"], input="\n".join(lines), capture_output=True, text=True, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def native(text):
    """The least of some rounds: whatever else the machine does only adds."""
    return min(spent([OTHER, text] * TIMES) - spent([OTHER, OTHER] * TIMES) for _ in range(ROUNDS)) / TIMES * 1000


def in_page(folder, texts):
    done = subprocess.run(["node", os.path.join(ROOT, "bench", "systems.mjs"), folder], capture_output=True, text=True,
                          input=json.dumps({"other": OTHER, "texts": texts, "times": TIMES, "rounds": ROUNDS}),
                          check=True)
    return json.loads(done.stdout)


def main():
    folder = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "build", "wasm", "bin"))
    names = sorted(name[:-5] for name in os.listdir(os.path.join(ROOT, "systems")) if name.endswith(".json"))
    texts = []
    for name in names:
        with open(os.path.join(ROOT, "systems", name + ".json"), encoding="utf-8") as file:
            texts.append(json.dumps(json.load(file)["document"]))
    page = in_page(folder, texts) if os.path.exists(os.path.join(folder, "attention.mjs")) else [None] * len(texts)
    print("| system | native, ms | page, ms |\n| --- | ---: | ---: |")
    for name, text, inside in zip(names, texts, page):
        print(f"| {name} | {max(native(text), 0):.1f} | {'' if inside is None else f'{inside:.1f}'} |", flush=True)


if __name__ == "__main__":
    main()
