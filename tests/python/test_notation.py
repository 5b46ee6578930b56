# SPDX-License-Identifier: Apache-2.0
"""docs/notation.md names every formula whose letters mean something else than its table says."""
import json
import os
import re
import subprocess

import pytest
from torch_parts import ROOT, TOOL

# A letter, and how a formula shows that it uses the letter otherwise: τ outside a threshold, M as a count or a memory.
SIGNS = {"τ": r"\\tau", "M": r"\\sqrt\{M\}|\bM_t|\\operatorname\{SAM\}\(M\)"}


def exceptions():
    """By letter, the mechanisms that the table of exceptions names."""
    with open(os.path.join(ROOT, "docs", "notation.md"), encoding="utf-8") as file:
        rows = re.findall(r"^\| `(.)` \| ((?:`[a-z0-9-]+`(?:, )?)+) \|", file.read(), re.MULTILINE)
    found = {}
    for letter, ids in rows:
        found.setdefault(letter, set()).update(re.findall(r"`([^`]+)`", ids))
    return found


@pytest.fixture(scope="module")
def mechanisms():
    done = subprocess.run([TOOL, "catalogue"], capture_output=True, text=True, check=True, timeout=60)
    return {one["id"]: one for one in json.loads(done.stdout)["mechanisms"]}


def test_the_table_of_exceptions_names_mechanisms_that_there_are(mechanisms):
    named = set().union(*exceptions().values())
    assert len(named) >= 8 and named <= set(mechanisms)


@pytest.mark.parametrize("letter", ["τ", "M"])
def test_a_formula_that_uses_a_letter_otherwise_is_named(mechanisms, letter):
    used = {name for name, one in mechanisms.items()
            if one["kind"] != "alignment" and re.search(SIGNS[letter], one["formula"])}
    assert used and used <= exceptions()[letter]
