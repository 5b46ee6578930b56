#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""clang-tidy over src/ and cli/, in parallel. A file that passed is not read again until it, a header
of ours that it includes, its compile command or the rules change.

Read are the files that a change not yet pushed touches, themselves or by a header, and a fixed eighth of all others;
ATTEND_ALL=1 (./test --all) reads every file.

Most of the time goes into the headers, so files are first read many at a time, one text after another. A batch
with a complaint is halved until single files are left, and only what is said of a single file counts: two files
that merely cannot stand in one text (both have a helper of one name) cost time, not a failure."""

import hashlib
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / "build" / "tidy"
INCLUDE = re.compile(rb'^\s*#\s*include\s*"([^"]+)"', re.MULTILINE)
ANY_INCLUDE = re.compile(r'^\s*#\s*include\s*[<"][^>"]+[>"]', re.MULTILINE)
LARGEST = 20  # files in a batch
GCC_ONLY = ("-MD", "-Wno-restrict", "-Wno-stringop-overflow", "-Winvalid-pch")  # clang knows no such flag
ALONE = ("kernels", "ops", "fused")  # their files open whole namespaces of one another's names


def changed():
    """What differs from the branch that this one will go to: committed, uncommitted or new."""
    def git(*arguments):
        done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
        return done.stdout.split("\0") if done.returncode == 0 else []
    base = (git("merge-base", "HEAD", "origin/main") or ["HEAD"])[0].strip()
    names = git("diff", "-z", "--name-only", base) + git("ls-files", "-z", "--others", "--exclude-standard")
    return {ROOT / name for name in names if name}


def is_in_sample(file):
    return hashlib.sha256(str(file.relative_to(ROOT)).encode()).digest()[0] % 8 == 0


def commands():
    """(file, arguments) of every file of ours, as a native build compiles it that puts none together."""
    for entry in json.loads((ROOT / "build/apart/compile_commands.json").read_text()):
        file = Path(entry["file"])
        if any(file.is_relative_to(ROOT / top) for top in ("src", "cli")):
            yield file, shlex.split(entry["command"])


def closure(file, seen):
    """Adds the file and every header of ours below it."""
    if file in seen or not file.is_file():
        return
    seen.add(file)
    for name in INCLUDE.findall(file.read_bytes()):
        for base in (ROOT / "src", ROOT, file.parent):
            closure(base / name.decode(), seen)


def key_of(parts, arguments, rules):
    digest = hashlib.sha256(rules + "\0".join(arguments).encode())
    for part in sorted(parts):
        digest.update(part.read_bytes())
    return digest.hexdigest()


def flags(arguments):
    """The compiler's arguments without what only it knows, or what names the output."""
    first = next(i for i, argument in enumerate(arguments) if argument.startswith("-"))  # behind the compiler
    kept, skip = [], False
    for argument in arguments[first:]:
        if skip:
            skip = False
        elif argument in ("-o", "-MF", "-MT", "-include", "-c"):
            skip = argument != "-c"  # a header included from outside is the other compiler's precompiled one
        elif argument not in GCC_ONLY and not argument.endswith(".cpp"):
            kept.append(argument)
    return kept


def batches(jobs):
    """Jobs that one reading can serve: the same flags, the same kind."""
    groups = {}
    for job in jobs:
        file, arguments, _ = job
        room = file.relative_to(ROOT).parts[1]
        kind = file if room in ALONE else room
        groups.setdefault((kind, *flags(arguments)), []).append(job)
    for group in groups.values():
        count = -(-len(group) // LARGEST)
        yield from (group[start::count] for start in range(count))


def together(files):
    """The files as one text, behind every header."""
    texts = [file.read_text() for file in files]
    headers = sorted({line.strip() for text in texts for line in ANY_INCLUDE.findall(text)})
    return "\n".join(headers + [ANY_INCLUDE.sub("", text) for text in texts])


def read(file, arguments):
    return subprocess.run(["clang-tidy", "--quiet", str(file), "--", *flags(arguments)],
                          cwd=ROOT, capture_output=True, text=True, check=False)


def examine(batch):
    """The complaints about the files of a batch, one text a file."""
    files = [file for file, _, _ in batch]
    if len(batch) == 1:
        done = read(files[0], batch[0][1])
    else:
        # A folder below build/ inherits the rules of .clang-tidy as the sources do.
        with tempfile.NamedTemporaryFile("w", suffix=".cpp", dir=CACHE) as whole:
            whole.write(together(files))
            whole.flush()
            done = read(whole.name, batch[0][1])
    if done.returncode == 0:
        for _, _, stamp in batch:
            stamp.touch()
        return []
    if len(batch) > 1:
        return examine(batch[::2]) + examine(batch[1::2])
    errors = "\n".join(line for line in done.stderr.splitlines() if "warnings generated" not in line)
    return [f"{files[0].relative_to(ROOT)}\n{done.stdout}{errors}"]


def main():
    version = subprocess.run(["clang-tidy", "--version"], capture_output=True, check=True).stdout
    rules = version + (ROOT / ".clang-tidy").read_bytes()
    CACHE.mkdir(parents=True, exist_ok=True)
    jobs, keys, left_out = [], set(), 0
    touched = changed()
    for file, arguments in commands():
        parts = set()
        closure(file, parts)
        key = key_of(parts, arguments, rules)
        keys.add(key)
        if (CACHE / key).exists():
            continue
        if os.environ.get("ATTEND_ALL") == "1" or parts & touched or is_in_sample(file):
            jobs.append((file, arguments, CACHE / key))
        else:
            left_out += 1
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        complaints = [text for found in pool.map(examine, batches(jobs)) for text in found]
    for old in CACHE.iterdir():
        if old.name not in keys:
            old.unlink()
    print("\n".join(complaints))
    print(f"{len(keys)} files, {len(jobs)} of them read now, {left_out} left to ./test --all")
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
