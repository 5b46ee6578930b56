#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Rejects a source file of more than 400 lines: one job a file."""

import sys
from pathlib import Path

LIMIT = 400
SUFFIXES = {".h", ".cpp", ".ts", ".mts", ".js", ".mjs", ".css", ".html", ".py", ".sh", ".cmake", ""}
TOPS = ("src", "bindings", "cli", "web", "tests", "bench", "tools", "cmake")
SKIPPED = {"node_modules", "__pycache__", "build", "dist"}


def main():
    root = Path(__file__).resolve().parent.parent
    faults = 0
    for top in TOPS:
        for file in sorted((root / top).rglob("*")):
            if not file.is_file() or file.suffix not in SUFFIXES or SKIPPED & set(file.parts):
                continue
            lines = file.read_bytes().count(b"\n")
            if lines > LIMIT:
                faults += 1
                print(f"{file.relative_to(root)}: {lines} lines, the limit is {LIMIT}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
