# SPDX-License-Identifier: Apache-2.0
"""Unicode's normal forms in tokenizers, against Python's unicodedata: letters with marks in random orders. The
vocabulary has one piece for each byte, so the ids are the bytes of the text as the model reads it."""
import json
import random
import unicodedata

import import_cases
import pytest
from checkpoints import write_safetensors
from import_cases import GPT2, HEADS, attend, config, gpt2_tensors
from test_import_patterns import SIGNS

LETTERS = [*"aeiouAOncsgh", *"가각αωиअनडﬁ②Ａ½ǆ한ㅎ가각", *map(chr, range(0x1EA0, 0x1EFA))]
MARKS = [chr(c) for c in range(0x300, 0x1200) if unicodedata.combining(chr(c)) or 0x1160 < c < 0x1200]
LENGTH = 1500


def texts():
    chance = random.Random(5)
    return ["".join(chance.choice(LETTERS) + "".join(chance.choices(MARKS, k=chance.randint(0, 4))) for _ in range(100))
            for _ in range(4)]


@pytest.mark.parametrize("form", ["NFC", "NFD", "NFKC", "NFKD"])
def test_normal_forms(tmp_path, monkeypatch, form):
    monkeypatch.setattr(import_cases, "WORDS", len(SIGNS))
    monkeypatch.setattr(import_cases, "LENGTH", LENGTH)
    write_safetensors(tmp_path / "model.safetensors", gpt2_tensors(7)[0])
    (tmp_path / "tokenizer.json").write_text(json.dumps({
        "normalizer": {"type": form}, "pre_tokenizer": {"type": "ByteLevel", "use_regex": False},
        "model": {"type": "BPE", "vocab": {sign: b for b, sign in SIGNS.items()}, "merges": []}}))
    settings = config(tmp_path, **{**GPT2, "vocab_size": len(SIGNS), "n_positions": LENGTH, "n_head": HEADS})
    report = attend("import", tmp_path / "model.safetensors", settings, tmp_path / "tokenizer.json", "--to",
                    tmp_path / "d.json")
    assert report["tokenizer"] and "tokenizer_left" not in report
    for text in texts():
        expected = list(unicodedata.normalize(form, text).encode())
        assert expected != list(text.encode()) and len(expected) < LENGTH
        read = attend("write", tmp_path / "d.json", "--prompt", text, "--words", 1)["ids"]
        assert read[:len(expected)] == expected and len(read) <= len(expected) + 1
