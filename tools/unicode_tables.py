#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/import/unicode_kinds.h, unicode_letters.h and unicode_folds.h: by these tables tokenizers split and fold
text."""

import sys
import unicodedata
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "src" / "import"
KINDS = {"letters": "L", "numbers": "N", "marks": "Mn", "punctuation": "P", "separators": "Z",
         "spacing_marks": ("Mc", "Me"), "digits": "Nd", "symbols": "S"}
LETTERS = {"upper_letters": "Lu", "title_letters": "Lt", "modifier_letters": "Lm", "other_letters": "Lo"}
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


def bare(character):
    """The character without its accents, or None where that is no single other character."""
    plain = [c for c in unicodedata.normalize("NFD", character) if unicodedata.category(c) != "Mn"]
    return plain[0] if len(plain) == 1 and plain[0] != character else None


def lower_runs():
    """Every step-th code from first to last has its lower case `by` further on."""
    runs = []
    for code in range(0x80, 0x110000):
        lower = chr(code).lower()
        if lower == chr(code) or len(lower) != 1:
            continue
        by = ord(lower) - code
        last = runs[-1] if runs else None
        if last and last[3] == by and (code - last[1] == last[2] or last[0] == last[1] and code - last[1] == 2):
            last[1:3] = [code, code - last[1]]
        else:
            runs.append([code, code, 1, by])
    return runs


def rows(texts, width):
    line, lines = "", []
    for text in texts:
        if line and len(line) + len(text) + 1 > width:
            lines.append(line)
            line = ""
        line += (" " if line else "    ") + text
    return "\n".join([*lines, line])


def array(name, kind, pairs, says):
    entries = ["{" + ", ".join(f"{n:#x}" for n in entry) + "}," for entry in pairs]
    return (f"\n// {says}\ninline constexpr std::array<{kind}, {len(pairs)}> {name}{{{{\n"
            "    // clang-format off\n" + rows(entries, 116) + "\n    // clang-format on\n}};\n")


def categories(named):
    text = ""
    for name, category in named.items():
        said = category if isinstance(category, str) else " and ".join(category)
        text += array(name, "Range", ranges_of(category), f"Beyond ASCII, the category {said}.")
    return text


def main():
    head = HEAD.format(version=unicodedata.unidata_version)
    kinds = head + "\nstruct Range {\n  char32_t first, last;\n};\n" + categories(KINDS)
    (FOLDER / "unicode_kinds.h").write_text(kinds + "\n}  // namespace attend::unicode\n", encoding="utf-8")
    letters = head.replace("<array>\n", "<array>\n\n#include \"import/unicode_kinds.h\"\n") + categories(LETTERS)
    (FOLDER / "unicode_letters.h").write_text(letters + "\n}  // namespace attend::unicode\n", encoding="utf-8")
    codes = [code for code in range(0x80, 0x10000) if not 0xD800 <= code <= 0xDFFF and bare(chr(code))]
    folds = head + "\nstruct Fold {\n  char32_t from, to;\n};\n"
    folds += "struct LowerRun {\n  char32_t first, last;\n  int step, by;\n};\n"
    pairs = [(code, ord(bare(chr(code)))) for code in codes]
    folds += array("bare", "Fold", pairs, "Characters without their accents, up to U+FFFF.")
    folds += array("lower", "LowerRun", lower_runs(),
                   "Every step-th character from first to last has its lower case `by` further on.")
    (FOLDER / "unicode_folds.h").write_text(folds + "\n}  // namespace attend::unicode\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
