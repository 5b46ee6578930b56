#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Runs a doctest program in pieces, one on each core: pieces.py PROGRAM [ARGUMENT...]. Prints what each piece
prints, then "N passed, N failed" over all of them."""

import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

PIECES = 24  # many more than cores: the longest case should not decide
COUNT = re.compile(r"passing the current filters: (\d+)")
# Told of a range, doctest counts the cases outside of it as passed; only the failures are the range's own.
SUMMARY = re.compile(r"^\[doctest\] test cases:.*?(\d+) failed.*$", re.MULTILINE)
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def output_of(command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          check=False)
    return done.returncode, COLOUR.sub("", done.stdout.decode(errors="replace"))


def run(piece):
    """(passed, failed, text) of the cases FIRST to LAST."""
    command, first, last = piece
    status, text = output_of([*command, f"--first={first}", f"--last={last}"])
    found = SUMMARY.search(text)
    if not found:
        return 0, 1, f"{text}\ncases {first} to {last} ended without a summary (status {status})"
    failed = max(int(found[1]), int(status != 0))
    said = f"cases {first} to {last}: {failed} failed"
    return last - first + 1 - failed, failed, SUMMARY.sub(said, text).rstrip()


def main():
    command = sys.argv[1:]
    status, text = output_of([*command, "--count"])
    found = COUNT.search(text)
    cases = int(found[1]) if found else 0
    if status != 0 or cases == 0:
        print(f"{text}\n0 passed, 1 failed")
        return 1
    size = max(1, -(-cases // PIECES))
    pieces = [(command, first, min(first + size - 1, cases)) for first in range(1, cases + 1, size)]
    passed = failed = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for good, bad, text in pool.map(run, pieces):
            passed, failed = passed + good, failed + bad
            print(text, flush=True)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
