# SPDX-License-Identifier: Apache-2.0
"""`attend import` of whole folders: which files are read, which tokenizers are used, and what `attend write` then
refuses."""
import json
import subprocess

import numpy as np
import pytest
from checkpoints import write_safetensors, write_torch
from forward import gpt2
from import_cases import GPT2, HEADS, IDS, LENGTH, TOOL, WORDS, attend, compare, config, gpt2_tensors, imported

LETTERS = [chr(97 + i) for i in range(WORDS - 1)] + ["\u0120"]


def tokenizer(folder, pattern=None, **more):
    """One piece for each letter, by bytes; another pattern splits the text before them."""
    steps = [{"type": "ByteLevel", "add_prefix_space": False, "use_regex": pattern is None}]
    if pattern is not None:
        steps.insert(0, {"type": "Split", "pattern": {"Regex": pattern}, "behavior": "Isolated"})
    model = {"type": "BPE", "vocab": {letter: i for i, letter in enumerate(LETTERS)}, "merges": []}
    (folder / "tokenizer.json").write_text(json.dumps(
        {"pre_tokenizer": {"type": "Sequence", "pretokenizers": steps}, "decoder": {"type": "ByteLevel"},
         "model": model, **more}))


def model(folder, seed=31, save=write_safetensors, name="model.safetensors", **settings):
    stored, exact = gpt2_tensors(seed)
    save(folder / name, stored)
    config(folder, **{**GPT2, **settings})
    return exact


def test_a_token_with_a_part_of_a_character_has_its_bytes(tmp_path):
    model(tmp_path)
    tokenizer(tmp_path)
    described = json.loads((tmp_path / "tokenizer.json").read_text())
    vocabulary = described["model"]["vocab"]
    # The stand-in of the byte C3, with which "é" begins, and those of both bytes of "é".
    for piece, letter in {"\u00c3": "a", "\u00c3\u00a9": "b"}.items():
        vocabulary[piece] = vocabulary.pop(letter)
    (tmp_path / "tokenizer.json").write_text(json.dumps(described))
    attend("import", tmp_path, "--to", tmp_path / "d.json")
    also = attend("write", tmp_path / "d.json", "--ids", json.dumps(IDS), "--words", 1, "--also", "[0, 1, 2]")["also"]
    assert [(one["token"], one.get("bytes")) for one in also] == [("<0xC3>", [0xC3]), ("é", None), ("c", None)]


def test_the_same_weights_twice(tmp_path):
    exact = model(tmp_path)
    write_torch(tmp_path / "pytorch_model.bin", gpt2_tensors(32)[0])
    for name in ("training_args.bin", "optimizer.pt", "scheduler.pt", "rng_state.pth"):
        (tmp_path / name).write_bytes(b"\x80\x02no weights")
    report, found = imported(tmp_path, [tmp_path], IDS)
    compare(found, gpt2(exact, IDS, HEADS))
    left = {one["file"].rsplit("/", 1)[-1]: one["why"] for one in report["left_files"]}
    assert set(left) == {"pytorch_model.bin", "training_args.bin", "optimizer.pt", "scheduler.pt", "rng_state.pth"}
    assert "model.safetensors" in left["pytorch_model.bin"]
    message = attend("import", tmp_path / "model.safetensors", tmp_path / "pytorch_model.bin", tmp_path / "config.json",
                     "--to", tmp_path / "x.json", refused=True)
    assert "one model only" in message


def test_a_folder_that_the_import_writes_into(tmp_path):
    exact = model(tmp_path)
    imported(tmp_path, [tmp_path])
    report, found = imported(tmp_path, [tmp_path], IDS)  # what the first one wrote is not read
    assert report["files"] == ["model.safetensors", "config.json"]
    compare(found, gpt2(exact, IDS, HEADS))
    before = (tmp_path / "model.safetensors").read_bytes()
    for given in (tmp_path, tmp_path / "model.safetensors"):
        assert "another name" in attend("import", given, "--to", tmp_path / "model.json", refused=True)
    assert (tmp_path / "model.safetensors").read_bytes() == before


def test_a_folder_with_pt_only(tmp_path):
    exact = model(tmp_path, save=write_torch, name="ckpt.pt")
    report, found = imported(tmp_path, [tmp_path], IDS)
    assert "left_files" not in report
    compare(found, gpt2(exact, IDS, HEADS))


QWEN2 = (r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)"
         r"|\s+")


@pytest.mark.parametrize("pattern", [QWEN2, QWEN2.replace(r"\p{N}| ", r"\p{N}{1,3}| ")])
def test_known_patterns(tmp_path, pattern):
    model(tmp_path)
    tokenizer(tmp_path, pattern)
    report = attend("import", tmp_path, "--to", tmp_path / "d.json")
    assert report["tokenizer"] == "tokenizer.json" and "tokenizer_left" not in report
    answer = attend("write", tmp_path / "d.json", "--prompt", "abc d", "--words", 1)
    assert answer["ids"][:5] == [0, 1, 2, WORDS - 1, 3]


def test_an_unknown_pattern_leaves_only_the_tokenizer_out(tmp_path):
    exact = model(tmp_path)
    tokenizer(tmp_path, "x{1,3}+")
    report, found = imported(tmp_path, [tmp_path], IDS)
    assert report["tokenizer"] is None and "x{1,3}+" in report["tokenizer_left"]
    expected = gpt2(exact, IDS, HEADS)
    compare(found, expected)
    answer = attend("write", tmp_path / "document.json", "--ids", json.dumps(IDS), "--words", 1)
    assert answer["ids"] == [*IDS, int(np.argmax(expected[-1]))]
    assert "--ids" in attend("write", tmp_path / "document.json", "--prompt", "a", refused=True)


def test_the_example_text_fits_the_positions(tmp_path):
    stored, _ = gpt2_tensors(33)
    short = 5
    stored["wpe.weight"] = stored["wpe.weight"][:short]
    write_safetensors(tmp_path / "model.safetensors", stored)
    config(tmp_path, **{**GPT2, "n_positions": short})
    tokenizer(tmp_path)
    attend("import", tmp_path, "--to", tmp_path / "d.json")
    text = json.loads((tmp_path / "d.json").read_text())["inputs"]["text"]
    assert text["labels"] == ["n", "c", "e"]  # of "Once"; the tokenizer has no capitals
    attend("run", tmp_path / "d.json")


def test_a_token_outside_of_the_vocabulary(tmp_path):
    model(tmp_path)
    attend("import", tmp_path, "--to", tmp_path / "d.json")
    message = attend("write", tmp_path / "d.json", "--ids", json.dumps([1, WORDS]), refused=True)
    assert str(WORDS) in message and f"0 to {WORDS - 1}" in message
    for option in ("--temperature", "--top-p"):
        done = subprocess.run([TOOL, "write", tmp_path / "d.json", "--ids", "[1]", option, "nan"], capture_output=True,
                              text=True, timeout=60)
        assert done.returncode != 0 and option in done.stderr and "nan" in done.stderr
    assert len(attend("write", tmp_path / "d.json", "--ids", f"[{WORDS - 1}]", "--words", 1)["ids"]) <= LENGTH


@pytest.mark.parametrize("more, word", [
    ({"added_tokens": [{"id": 1, "content": "x", "special": 3}]}, "special"),
    ({"normalizer": {"type": "BertNormalizer", "lowercase": "yes"}}, "lowercase"),
    ({"post_processor": {"type": "Sequence"}}, "processors")])
def test_a_damaged_tokenizer_is_named(tmp_path, more, word):
    model(tmp_path)
    tokenizer(tmp_path, **more)
    message = attend("import", tmp_path, "--to", tmp_path / "d.json", refused=True)
    assert "tokenizer.json" in message and word in message and "json.exception" not in message
