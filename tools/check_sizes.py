#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Rejects a source file of more than 400 lines (one job a file), and a line of more than 120 characters."""

import re
import sys
from pathlib import Path

LIMIT = 400
WIDTH = 120
SUFFIXES = {".h", ".cpp", ".ts", ".mts", ".js", ".mjs", ".css", ".html", ".py", ".sh", ".cmake", ""}
TOPS = ("src", "bindings", "cli", "web", "tests", "bench", "tools", "cmake")
SKIPPED = {"node_modules", "__pycache__", "build", "dist"}
# A formula or a document stands in one piece, and an address cannot be broken.
ONE_PIECE = re.compile(r'\s*(R"|<?[\w-]*=?"?https?:|.*"(/bench/node_modules|\.\./\.\./build)/)')


def faults_of(text):
    lines = text.split("\n")
    if text.count("\n") > LIMIT:
        yield f"{text.count(chr(10))} lines, the limit is {LIMIT}"
    for number, line in enumerate(lines, 1):
        if len(line) > WIDTH and not ONE_PIECE.match(line):
            yield f"line {number} has {len(line)} characters, the limit is {WIDTH}"


def main():
    root = Path(__file__).resolve().parent.parent
    faults = 0
    for top in TOPS:
        for file in sorted((root / top).rglob("*")):
            if not file.is_file() or file.suffix not in SUFFIXES or SKIPPED & set(file.parts):
                continue
            for fault in faults_of(file.read_text(encoding="utf-8", errors="replace")):
                faults += 1
                print(f"{file.relative_to(root)}: {fault}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
