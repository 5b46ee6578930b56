#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Rejects an include that points up, or a library outside its layer. Tries itself on bad trees first."""

import re
import sys
import tempfile
from pathlib import Path

# What a layer may include besides itself. The order is the house: what stands lower comes first.
ABOVE_OPS = ("ops",)
LAYERS = {
    "src/kernels": (),
    "src/ops": ("kernels",),
    "src/catalogue": ABOVE_OPS,
    "src/assembly": ("catalogue", "ops"),
    "src/fused": ("kernels", "ops"),
    # The optimiser is one loop over all weights.
    "src/training": ("kernels", "ops"),
    "src/evaluation": ("catalogue", "ops"),
    "src/export": ABOVE_OPS,
    "src/experiment": ("export", "training", "evaluation", "fused", "assembly", "catalogue", "ops"),
    # Files of other programs become documents.
    "src/import": ("experiment", "ops"),
}
LIBRARY_LAYERS = tuple(Path(layer).name for layer in LAYERS)
TOP = ("import", "experiment", "export", "training", "evaluation", "fused", "assembly", "catalogue", "ops")
LAYERS |= {"bindings": TOP, "cli": TOP}
# The rooms of src/experiment, lowest first: a file includes its own room and those below. What stands beside the rooms,
# the face of the engine, includes all of them.
ROOMS = ("text", "files", "reading", "recording", "describing", "running", "sessions", "measuring", "learning",
         "exporting")
# The scalar type is everybody's.
COMMON = ("kernels/real.h",)

# Where a library may be seen; a prefix of the include's text.
LIBRARIES = {
    "xsimd/": ("src/kernels", "src/fused"),
    # bench/ compares with it.
    "Eigen/": ("src/kernels", "bench"),
    "unsupported/Eigen/": ("src/kernels",),
    # Tests ask Node for a variable of the environment.
    "emscripten": ("bindings", "tests"),
    "CLI/": ("cli",),
    "doctest/": ("tests",),
}
SUFFIXES = {".h", ".hpp", ".cpp", ".cc", ".inc"}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def includes(file):
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match[1]


def layer_of(path):
    return next((layer for layer in LAYERS if path.startswith(layer + "/")), None)


def room_of(path):
    """How high the room of a path as "experiment/ROOM/FILE" lies; files without a room lie above all."""
    room = path.split("/")[1]
    return ROOMS.index(room) if room in ROOMS else len(ROOMS)


def verdict(path, layer, text):
    """Why this include may not stand in this file, or None."""
    for library, homes in LIBRARIES.items():
        if text.startswith(library) and not any(path.startswith(home + "/") for home in homes):
            return f"<{text}> may be seen only in {' and '.join(homes)}"
    if layer is None or text in COMMON:
        return None
    if ".." in text.split("/"):
        return f'"{text}": write the path from src/'
    first = text.split("/")[0]
    if layer == "src/experiment" and first == "experiment" and room_of(text) > room_of(path.removeprefix("src/")):
        return f'"{text}": a room of src/experiment may include only those below it, in the order {", ".join(ROOMS)}'
    if first in LIBRARY_LAYERS and "/" in text and f"src/{first}" != layer and first not in LAYERS[layer]:
        return f'"{text}": {layer} may include only {", ".join(LAYERS[layer]) or "itself"}'
    if first in ("bindings", "cli", "tests", "bench") and first != layer:
        return f'"{text}": nothing below may include {first}'
    return None


def check(root):
    """Every fault below root as a line of text, and the number of files seen."""
    faults, seen = [], 0
    for folder in sorted((root / "src").glob("*")):
        if folder.is_dir() and f"src/{folder.name}" not in LAYERS:
            faults.append(f"src/{folder.name}: an unknown layer; tools/check_layers.py says what each may include")
    for folder in sorted((root / "src/experiment").glob("*")):
        if folder.is_dir() and folder.name not in ROOMS:
            faults.append(f"src/experiment/{folder.name}: an unknown room; tools/check_layers.py lists them in order")
    for top in ("src", "bindings", "cli", "tests", "bench"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in SUFFIXES or "node_modules" in file.parts:
                continue
            seen += 1
            path = file.relative_to(root).as_posix()
            for number, text in includes(file):
                why = verdict(path, layer_of(path), text)
                if why:
                    faults.append(f"{path}:{number}: {why}")
    return faults, seen


# path, line, whether it must be rejected
TRIALS = [
    ("src/kernels/a.cpp", '#include "ops/graph.h"', True),
    ("src/kernels/a.cpp", "#include <xsimd/xsimd.hpp>", False),
    ("src/ops/a.cpp", "#include <xsimd/xsimd.hpp>", True),
    ("src/ops/a.h", "# include <Eigen/LU>", True),
    ("src/ops/a.cpp", '#include "kernels/rows.h"', False),
    ("src/ops/deep/er/a.cpp", '#include "catalogue/mechanism.h"', True),
    ("src/catalogue/scores/a.cpp", '#include "kernels/rows.h"', True),
    ("src/catalogue/scores/a.cpp", '#include "kernels/real.h"', False),
    ("src/catalogue/scores/a.cpp", '#include "../../kernels/rows.h"', True),
    ("src/catalogue/scores/a.cpp", '#include "export/latex.h"', True),
    ("src/catalogue/scores/a.cpp", '#include "assembly/builder.h"', True),
    ("src/ops/a.cpp", '#include "assembly/builder.h"', True),
    ("src/assembly/a.cpp", '#include "catalogue/scope.h"', False),
    ("src/assembly/a.cpp", '#include "experiment/running/run.h"', True),
    ("src/assembly/a.cpp", '#include "fused/fuse.h"', True),
    ("src/experiment/a.cpp", '#include "assembly/builder.h"', False),
    ("src/novelty/a.cpp", '#include "ops/graph.h"', True),
    ("src/export/a.cpp", '#include "experiment/running/run.h"', True),
    ("src/experiment/a.cpp", '#include "export/latex.h"', False),
    ("src/experiment/a.cpp", '#include "import/checkpoint.h"', True),
    ("src/import/a.cpp", '#include "experiment/reading/document.h"', False),
    ("src/experiment/reading/a.cpp", '#include "experiment/text/json_parse.h"', False),
    ("src/experiment/reading/a.cpp", '#include "experiment/running/run.h"', True),
    ("src/experiment/running/a.cpp", '#include "experiment/service.h"', True),
    ("src/experiment/service.cpp", '#include "experiment/running/run.h"', False),
    ("src/experiment/hall/a.cpp", '#include "ops/graph.h"', True),
    ("src/experiment/a.cpp", "#include <emscripten/val.h>", True),
    ("src/experiment/a.cpp", '#include "bindings/pack.h"', True),
    ("bindings/a.cpp", "#include <emscripten/bind.h>", False),
    ("bindings/a.cpp", '#include "kernels/matmul.h"', True),
    ("cli/a.cpp", '#include "experiment/running/run.h"', False),
    ("cli/a.cpp", '#include "bindings/pack.h"', True),
    ("tests/ops/a_test.cpp", "#include <Eigen/Dense>", True),
    ("tests/ops/a_test.cpp", '#include "ops/graph.h"', False),
]


def try_itself():
    wrong = []
    for path, line, must_be_rejected in TRIALS:
        with tempfile.TemporaryDirectory() as folder:
            file = Path(folder) / path
            file.parent.mkdir(parents=True)
            file.write_text("// first line\n" + line + "\n", encoding="utf-8")
            faults, _ = check(Path(folder))
            if bool(faults) != must_be_rejected:
                wrong.append(f"self-test: {path}: {line} was {'rejected' if faults else 'let through'}")
    return wrong


def main():
    wrong = try_itself()
    faults, seen = check(Path(__file__).resolve().parent.parent)
    for line in wrong + faults:
        print(line)
    failed = len(wrong) + bool(faults)
    print(f"{seen} files")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
