#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/import/unicode_kinds.h and unicode_folds.h, the tables by which tokenizers split and fold text."""

import sys
import unicodedata
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "src" / "import"
KINDS = {"letters": "L", "numbers": "N", "marks": "Mn", "punctuation": "P", "separators": "Z"}
HEAD = """// SPDX-License-Identifier: Apache-2.0
// Written by tools/unicode_tables.py from Unicode {version}.
#pragma once

#include <array>

namespace attend::unicode {{
"""


def ranges_of(category):
    ranges = []
    for code in range(0x80, 0x110000):
        if not unicodedata.category(chr(code)).startswith(category):
            continue
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return ranges


def folded(character):
    """Lower case without accents, as BERT's normaliser makes it, or None where that is no single other character."""
    plain = [c for c in unicodedata.normalize("NFD", character.lower()) if unicodedata.category(c) != "Mn"]
    return plain[0] if len(plain) == 1 and plain[0] != character else None


def rows(texts, width):
    line, lines = "", []
    for text in texts:
        if line and len(line) + len(text) + 1 > width:
            lines.append(line)
            line = ""
        line += (" " if line else "    ") + text
    return "\n".join([*lines, line])


def array(name, kind, pairs, says):
    entries = [f"{{{a:#x}, {b:#x}}}," for a, b in pairs]
    return (f"\n// {says}\ninline constexpr std::array<{kind}, {len(pairs)}> {name}{{{{\n"
            "    // clang-format off\n" + rows(entries, 116) + "\n    // clang-format on\n}};\n")


def main():
    head = HEAD.format(version=unicodedata.unidata_version)
    kinds = head + "\nstruct Range {\n  char32_t first, last;\n};\n"
    for name, category in KINDS.items():
        kinds += array(name, "Range", ranges_of(category), f"Beyond ASCII, the category {category}.")
    (FOLDER / "unicode_kinds.h").write_text(kinds + "\n}  // namespace attend::unicode\n", encoding="utf-8")
    pairs = [(code, ord(folded(chr(code)))) for code in range(0x80, 0x2000) if folded(chr(code))]
    folds = head + "\nstruct Fold {\n  char32_t from, to;\n};\n"
    folds += array("folds", "Fold", pairs, "Lower case without accents, up to U+1FFF.")
    (FOLDER / "unicode_folds.h").write_text(folds + "\n}  // namespace attend::unicode\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
