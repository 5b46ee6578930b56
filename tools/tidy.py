#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""clang-tidy over src/ and cli/, in parallel. A file that passed is not read again until it, a header
of ours that it includes, its compile command or the rules change."""

import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / "build" / "tidy"
INCLUDE = re.compile(rb'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)


def commands():
    """(file, arguments) of every file of ours that the native release build compiles."""
    for entry in json.loads((ROOT / "build/release/compile_commands.json").read_text()):
        file = Path(entry["file"])
        if any(file.is_relative_to(ROOT / top) for top in ("src", "cli")):
            yield file, shlex.split(entry["command"])


def closure(file, seen):
    """The file and every header of ours below it."""
    if file in seen or not file.is_file():
        return
    seen.add(file)
    for name in INCLUDE.findall(file.read_bytes()):
        for base in (ROOT / "src", ROOT, file.parent):
            closure(base / name.decode(), seen)


def key_of(file, arguments, rules):
    digest = hashlib.sha256(rules + "\0".join(arguments).encode())
    seen = set()
    closure(file, seen)
    for part in sorted(seen):
        digest.update(part.read_bytes())
    return digest.hexdigest()


def flags(arguments):
    """The compiler's arguments without what only it knows, or what names the output."""
    kept, skip = [], False
    for argument in arguments[1:]:
        if skip:
            skip = False
        elif argument in ("-o", "-MF", "-MT", "-include", "-c"):
            skip = argument != "-c"  # a header included from outside is the other compiler's precompiled one
        elif argument not in ("-MD", "-Wno-restrict", "-Winvalid-pch") and not argument.endswith(".cpp"):
            kept.append(argument)
    return kept


def examine(job):
    file, arguments, stamp = job
    done = subprocess.run(
        ["clang-tidy", "--quiet", str(file), "--", *flags(arguments)],
        cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode == 0:
        stamp.touch()
        return None
    errors = "\n".join(line for line in done.stderr.splitlines() if "warnings generated" not in line)
    return f"{file.relative_to(ROOT)}\n{done.stdout}{errors}"


def main():
    version = subprocess.run(["clang-tidy", "--version"], capture_output=True, check=True).stdout
    rules = version + (ROOT / ".clang-tidy").read_bytes()
    CACHE.mkdir(parents=True, exist_ok=True)
    jobs, keys = [], set()
    for file, arguments in commands():
        key = key_of(file, arguments, rules)
        keys.add(key)
        if not (CACHE / key).exists():
            jobs.append((file, arguments, CACHE / key))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        complaints = [text for text in pool.map(examine, jobs) if text]
    for old in CACHE.iterdir():
        if old.name not in keys:
            old.unlink()
    print("\n".join(complaints))
    print(f"{len(keys)} files, {len(jobs)} of them read now")
    print(f"{0 if complaints else 1} passed, {1 if complaints else 0} failed")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
