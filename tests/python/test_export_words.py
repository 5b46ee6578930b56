# SPDX-License-Identifier: Apache-2.0
"""What exported code reads like: PyTorch's own words, one class for the same code, formulas that are no LaTeX."""
import json
import os

import pytest
from test_export_module import FOLDER, exported
from test_exports import ROOT, tool


def code_of(*path, folder):
    with open(os.path.join(FOLDER, *path), encoding="utf-8") as file:
        document = json.load(file)
    document.pop("parameters", None)
    return exported(document, folder)[1]


def classes(code):
    """The code of each class by its name."""
    found, name = {}, None
    for line in code[code.index("\nclass "):].splitlines():
        if line.startswith("class "):
            name = line[6:line.index("(")]
            found[name] = ""
        elif name:
            found[name] += line + "\n"
    return found


def test_a_decoder_looks_its_words_up_and_its_loss_is_that_of_pytorch(tmp_path):
    own = classes(code_of("translate.json", folder=tmp_path))
    assert "one_hot(" not in "".join(own.values())
    assert "F.embedding(target_before, self.E)" in own["Decoder"]
    assert "F.cross_entropy(logits.transpose(1, 2), target.long(), reduction=\"none\")" in own["Loss"]
    assert ".exp(" not in own["Loss"] and "L_2" not in own["Loss"]


def test_blocks_with_the_same_code_share_a_class(tmp_path):
    code = code_of("systems", "llama.json", folder=tmp_path)
    own = classes(code)
    assert "Block" in own and not any(name.startswith("Block") for name in own if name != "Block")
    assert own["Model"].count("Block()") >= 2
    # A bias needs no axis in front: adding makes it.
    assert "b_gate[None" not in code


def test_a_binary_cross_entropy_is_that_of_pytorch(tmp_path):
    own = exported(json.loads(tool("example", "binary-cross-entropy")), tmp_path)[1]
    assert "F.binary_cross_entropy_with_logits(" in own


@pytest.mark.parametrize("words", [("pytorch",), ("numpy",), ("pytorch", "--module"), ("numpy", "--module")])
def test_a_formula_above_code_is_no_latex(words):
    document = os.path.join(ROOT, "examples", "transformer-head.json")
    made = json.loads(open(document, encoding="utf-8").read())
    made.pop("title", None)
    code = tool("export", *words, "-", text=json.dumps(made))
    head = code[:code.index("import ")]
    assert "C = align(score(Q, K)) V" in head
    assert "operatorname" not in head and "\\" not in head
