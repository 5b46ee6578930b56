#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes src/import/unicode_kinds.h, unicode_letters.h, unicode_folds.h, unicode_scripts.h, unicode_canonical.h and
unicode_compatible.h: by these tables tokenizers split, fold and normalise text. Python knows no scripts, so Perl, which
every Debian has, lists their characters."""

import subprocess
import sys
import unicodedata
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "src" / "import"
KINDS = {"letters": "L", "numbers": "N", "marks": "Mn", "punctuation": "P", "separators": "Z",
         "spacing_marks": ("Mc", "Me"), "digits": "Nd", "symbols": "S"}
LETTERS = {"upper_letters": "Lu", "title_letters": "Lt", "modifier_letters": "Lm", "other_letters": "Lo"}
SCRIPTS = ("Han", "Hiragana", "Katakana", "Hangul", "Latin", "Cyrillic", "Greek", "Arabic", "Hebrew", "Devanagari",
           "Thai")
HEAD = """// SPDX-License-Identifier: Apache-2.0
// Written by tools/unicode_tables.py from Unicode {version}.
#pragma once

#include <array>

namespace attend::unicode {{
"""


def ranges_of(category):
    return joined_runs(code for code in range(0x80, 0x110000) if unicodedata.category(chr(code)).startswith(category))


def script(name):
    text = subprocess.run(["perl", "-e", f"for (0x80..0x10ffff) {{ print \"$_ \" if chr =~ /\\p{{Script={name}}}/ }}"],
                          capture_output=True, check=True, text=True).stdout
    return joined_runs(int(code) for code in text.split())


def joined_runs(codes):
    runs = []
    for code in codes:
        if runs and runs[-1][1] == code - 1:
            runs[-1][1] = code
        else:
            runs.append([code, code])
    return runs


def combining_runs():
    """Marks with the class by which they are ordered."""
    runs = []
    for code in range(0x110000):
        kind = unicodedata.combining(chr(code))
        if kind and runs and runs[-1][1:] == [code - 1, kind]:
            runs[-1][1] = code
        elif kind:
            runs.append([code, code, kind])
    return runs


def parts_of(code, compatible):
    """One step of the decomposition, as code points."""
    parts = unicodedata.decomposition(chr(code)).split()
    if not parts or parts[0].startswith("<") != compatible:
        return []
    return [int(part, 16) for part in parts[compatible:]]


def decompositions(name, compatible):
    """Characters that follow each other and have equally many parts are one run; the parts of all lie in one list."""
    runs, parts = [], []
    for code in range(0x110000):
        new = parts_of(code, compatible)
        if not new:
            continue
        if runs and runs[-1][0] + runs[-1][1] == code and runs[-1][2] == len(new):
            runs[-1][1] += 1
        else:
            runs.append([code, 1, len(new), len(parts)])
        parts += new
    return (array(f"{name}_runs", "PartsRun", runs, "Characters that have parts.")
            + numbers(f"{name}_parts", parts, "Their parts, one character after the other."))


def never_composed():
    """Characters that have two parts but are not made of them again."""
    codes = [code for code in range(0x110000) if len(parts_of(code, False)) == 2
             and unicodedata.normalize("NFC", chr(code)) != chr(code)]
    return joined_runs(codes)


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


def numbers(name, codes, says):
    return (f"\n// {says}\ninline constexpr std::array<char32_t, {len(codes)}> {name}{{\n    // clang-format off\n"
            + rows([f"{code}," for code in codes], 116) + "\n    // clang-format on\n};\n")


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
    folds = head + "\nstruct LowerRun {\n  char32_t first, last;\n  int step, by;\n};\n"
    folds += array("lower", "LowerRun", lower_runs(),
                   "Every step-th character from first to last has its lower case `by` further on.")
    scripts = head.replace("<array>\n", "<array>\n\n#include \"import/unicode_kinds.h\"\n")
    for name in SCRIPTS:
        scripts += array(name.lower(), "Range", script(name), f"Beyond ASCII, the script {name}.")
    canonical = head.replace("<array>\n", "<array>\n\n#include \"import/unicode_kinds.h\"\n")
    canonical += "\nstruct CombiningRun {\n  char32_t first, last;\n  int order;\n};\n"
    canonical += "struct PartsRun {\n  char32_t first;\n  unsigned count, length, at;\n};\n"
    canonical += array("combining", "CombiningRun", combining_runs(), "Marks are sorted by their class.")
    canonical += array("never_composed", "Range", never_composed(),
                       "Characters of two parts that no normal form makes of these parts.")
    canonical += decompositions("canonical", False)
    compatible = head.replace("<array>\n", "<array>\n\n#include \"import/unicode_canonical.h\"\n")
    compatible += decompositions("compatible", True)
    for name, text in (("folds", folds), ("scripts", scripts), ("canonical", canonical), ("compatible", compatible)):
        (FOLDER / f"unicode_{name}.h").write_text(text + "\n}  // namespace attend::unicode\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
