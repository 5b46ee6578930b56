# SPDX-License-Identifier: Apache-2.0
"""`attend import`: tokenizers of the older form, vocab.txt, and vocab.json with merges.txt."""
import json
import re

import numpy as np
import pytest
from checkpoints import write_safetensors
from family_cases import BERT as NAMES
from import_cases import GPT2, HEADS, WIDTH, WORDS, attend, bert_tensors, config, gpt2_tensors

LETTERS = list("abcdefghijklmnopqrstuvwxyz.,")


def bert_with_words(folder, pieces):
    m = bert_tensors(36, NAMES, "encoder.layer.")
    m.weight("embeddings.word_embeddings.weight", len(pieces), WIDTH)
    p = "cls.predictions."
    m.linear(p + "transform.dense", WIDTH, WIDTH)
    m.norm(p + "transform.LayerNorm")
    m.weight(p + "bias", len(pieces))
    write_safetensors(folder / "model.safetensors", m.tensors)
    config(folder, model_type="bert", num_attention_heads=HEADS)
    (folder / "vocab.txt").write_text("\n".join(pieces) + "\n")


SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


@pytest.mark.parametrize("more, settings, tokens", [
    ([], None, ["the", "ca", "##f", "##e", "[MASK]", "中"]),
    (["The", "É"], None, ["The", "[UNK]", "[MASK]", "中"]),
    (["The", "É"], {"do_lower_case": True}, ["the", "ca", "##f", "##e", "[MASK]", "中"]),
    ([], {"do_lower_case": True, "strip_accents": False}, ["the", "[UNK]", "[MASK]", "中"]),
    (["<mask>"], {"mask_token": {"content": "[MASK]", "__type": "AddedToken"}},
     ["the", "ca", "##f", "##e", "[MASK]", "中"]),
])
def test_the_words_of_bert_as_lines(tmp_path, more, settings, tokens):
    bert_with_words(tmp_path, [*SPECIAL, "the", "ca", "##f", "##e", "中", ".", *more])
    if settings is not None:
        (tmp_path / "tokenizer_config.json").write_text(json.dumps(settings))
    attend("import", tmp_path, "--to", tmp_path / "d.json")
    answer = attend("write", tmp_path / "d.json", "--prompt", "The Café[MASK]中")
    assert answer["tokens"] == ["[CLS]", *tokens, "[SEP]"]


def test_words_that_are_no_text_are_refused(tmp_path):
    bert_with_words(tmp_path, SPECIAL)
    (tmp_path / "vocab.txt").write_bytes(b"[UNK]\n\xff\n")
    message = attend("import", tmp_path, "--to", tmp_path / "d.json", refused=True)
    assert "vocab.txt" in message and "not text in UTF-8" in message


def left_out(folder):
    report = attend("import", folder, "--to", folder / "d.json")
    assert report["tokenizer"] is None
    return report["tokenizer_left"]


@pytest.mark.parametrize("lines, words", [
    ("a\nb\n", '"vocab.txt": it has no line "[UNK]"'), ("[UNK]\n[CLS]\n", 'no piece "[SEP]"'),
    ("[UNK]\n" + 5000 * "a", "a line of more than 4096 bytes begins at byte 6")], ids=["unknown", "mark", "long"])
def test_other_lines_than_words_of_bert_leave_the_tokenizer_out(tmp_path, lines, words):
    bert_with_words(tmp_path, SPECIAL)
    (tmp_path / "vocab.txt").write_text(lines)
    assert words in left_out(tmp_path)


@pytest.mark.parametrize("name", ["tokenizer_config.json", "config.json"])
def test_other_classes_of_tokenizers_leave_the_tokenizer_out(tmp_path, name):
    bert_with_words(tmp_path, [*SPECIAL, "the"])
    for kind in ("BertJapaneseTokenizer", "BertTokenizerFast"):
        (tmp_path / name).write_text(json.dumps({"model_type": "bert", "num_attention_heads": HEADS,
                                                 "tokenizer_class": kind, "subword_tokenizer_type": "character"}))
        if kind == "BertJapaneseTokenizer":
            assert f'the tokenizer_class "{kind}"' in left_out(tmp_path)
    assert attend("import", tmp_path, "--to", tmp_path / "d.json")["tokenizer"] == "vocab.txt"


def test_lines_beside_gpt2_leave_the_tokenizer_out(tmp_path):
    write_safetensors(tmp_path / "model.safetensors", gpt2_tensors(38)[0])
    config(tmp_path, **GPT2)
    (tmp_path / "vocab.txt").write_text("a\nb\n")
    assert '"[UNK]"' in left_out(tmp_path)


def gpt2_with_merges(folder, merges, **settings):
    """Letters, then what the merges make; a space is Ġ."""
    pieces = [*LETTERS, "Ġ", "<|endoftext|>", "<s>", "</s>"]
    pieces += [a + b for a, b in merges]
    stored, _ = gpt2_tensors(38)
    stored["wte.weight"] = np.resize(stored["wte.weight"], (len(pieces), stored["wte.weight"].shape[1]))
    write_safetensors(folder / "model.safetensors", stored)
    config(folder, **{**GPT2, "vocab_size": len(pieces), **settings})
    (folder / "vocab.json").write_text(json.dumps({piece: i for i, piece in enumerate(pieces)}))
    (folder / "merges.txt").write_text("#version: 0.2\n" + "\n".join(" ".join(pair) for pair in merges) + "\n")
    return pieces


def merged(text, merges):
    """The merges in their order, each wherever it fits: for these texts this is BPE."""
    ids = []
    for word in re.findall(r" ?[a-z]+|[.,]+", text):
        parts = list(word.replace(" ", "Ġ"))
        for a, b in merges:
            k = 0
            while k + 1 < len(parts):
                if (parts[k], parts[k + 1]) == (a, b):
                    parts[k:k + 2] = [a + b]
                k += 1
        ids += parts
    return ids


MERGES = [("t", "h"), ("th", "e"), ("Ġ", "the"), ("a", "n"), ("Ġ", "b"), ("Ġb", "an"), ("Ġban", "k")]


def test_the_merges_of_gpt2(tmp_path):
    pieces = gpt2_with_merges(tmp_path, MERGES)
    report = attend("import", tmp_path, "--to", tmp_path / "d.json")
    assert {"vocab.json", "merges.txt"} <= set(report["files"])
    text = "the bank, then the banana."
    answer = attend("write", tmp_path / "d.json", "--prompt", text, "--words", 1)
    expected = [pieces.index(piece) for piece in merged(text, MERGES)]
    assert answer["ids"][:len(expected)] == expected
    ended = attend("write", tmp_path / "d.json", "--prompt", "a<|endoftext|>b", "--words", 1)
    assert ended["ids"][:3] == [0, pieces.index("<|endoftext|>"), 1]


def test_added_tokens_and_a_start_token(tmp_path):
    pieces = gpt2_with_merges(tmp_path, MERGES)
    stored, _ = gpt2_tensors(38)
    stored["wte.weight"] = np.resize(stored["wte.weight"], (len(pieces) + 1, stored["wte.weight"].shape[1]))
    write_safetensors(tmp_path / "model.safetensors", stored)
    config(tmp_path, **{**GPT2, "vocab_size": len(pieces) + 1})
    (tmp_path / "added_tokens.json").write_text(json.dumps({"<|user|>": len(pieces)}))
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"add_bos_token": True, "bos_token": "<s>"}))
    attend("import", tmp_path, "--to", tmp_path / "d.json")
    answer = attend("write", tmp_path / "d.json", "--prompt", "a<|user|>b", "--words", 1)
    assert answer["ids"][:4] == [pieces.index("<s>"), 0, len(pieces), 1]


def gpt2_with_added(folder, added, rows=None, **settings):
    """The merges of GPT-2 with tokens beside them, and the tokens' numbers."""
    pieces = gpt2_with_merges(folder, MERGES)
    rows = rows or len(pieces) + len(added)
    stored, _ = gpt2_tensors(38)
    stored["wte.weight"] = np.resize(stored["wte.weight"], (rows, stored["wte.weight"].shape[1]))
    write_safetensors(folder / "model.safetensors", stored)
    config(folder, **{**GPT2, "vocab_size": rows})
    ids = {text: len(pieces) + k for k, text in enumerate(added)}
    (folder / "added_tokens.json").write_text(json.dumps(ids))
    (folder / "tokenizer_config.json").write_text(json.dumps(settings))
    return ids


def test_added_tokens_are_text_unless_they_are_declared_special(tmp_path):
    texts = ["  ", "<think>", "<|pad|>", "<|user|>", "<|tool|>"]
    ids = gpt2_with_added(tmp_path, texts, pad_token={"content": "<|pad|>"}, additional_special_tokens=["<|user|>"],
                          added_tokens_decoder={"7": {"content": "<|tool|>", "special": True},
                                                "8": {"content": "<think>", "special": False}})
    attend("import", tmp_path, "--to", tmp_path / "d.json")
    answer = attend("write", tmp_path / "d.json", "--prompt", "a  b<think><|pad|><|user|><|tool|>", "--words", 1)
    assert answer["ids"][:7] == [0, ids["  "], 1, *(ids[text] for text in texts[1:])]
    assert answer["text"].startswith("a  b<think>") and "<|" not in answer["text"]


def test_a_start_token_that_was_added(tmp_path):
    ids = gpt2_with_added(tmp_path, ["<|start|>"], add_bos_token=True, bos_token="<|start|>")
    attend("import", tmp_path, "--to", tmp_path / "d.json")
    assert attend("write", tmp_path / "d.json", "--prompt", "ab", "--words", 1)["ids"][:3] == [ids["<|start|>"], 0, 1]


def test_marks_of_bert_that_were_added(tmp_path):
    pieces = ["[UNK]", "[CLS]", "[MASK]", "the"]
    bert_with_words(tmp_path, [*pieces, "[SEP]"])
    (tmp_path / "vocab.txt").write_text("\n".join(pieces) + "\n")
    (tmp_path / "added_tokens.json").write_text(json.dumps({"[SEP]": 4}))
    attend("import", tmp_path, "--to", tmp_path / "d.json")
    assert attend("write", tmp_path / "d.json", "--prompt", "[MASK]")["tokens"] == ["[CLS]", "[MASK]", "[SEP]"]


def test_added_tokens_beyond_the_table_leave_the_tokenizer_out(tmp_path):
    ids = gpt2_with_added(tmp_path, ["<a>", "<b>"], rows=len(gpt2_with_merges(tmp_path, MERGES)) + 1)
    assert f"the number {ids['<b>']}, but the model has {ids['<b>']} rows" in left_out(tmp_path)


@pytest.mark.parametrize("name", ["tokenizer_config.json", "added_tokens.json"])
@pytest.mark.parametrize("content, words", [("{", "this is not JSON"), ("[]", "expected an object")])
def test_damaged_settings_leave_the_tokenizer_out(tmp_path, name, content, words):
    gpt2_with_added(tmp_path, ["<a>"])
    (tmp_path / name).write_text(content)
    assert f'"{name}": {words}' in left_out(tmp_path)


def test_a_damaged_merge_is_named(tmp_path):
    gpt2_with_merges(tmp_path, [*MERGES, ("", "th")])
    (tmp_path / "merges.txt").write_text("t h\nth\n")
    assert '"merges.txt": expected a merge of two pieces, found "th"' in left_out(tmp_path)


def test_merges_without_their_numbers_leave_the_tokenizer_out(tmp_path):
    gpt2_with_merges(tmp_path, MERGES)
    (tmp_path / "vocab.json").unlink()
    assert "needs vocab.json" in attend("import", tmp_path, "--to", tmp_path / "d.json")["tokenizer_left"]


def test_merges_of_whole_words_leave_the_tokenizer_out(tmp_path):
    gpt2_with_merges(tmp_path, [("t", "h")])
    (tmp_path / "vocab.json").write_text(json.dumps({f"w{i}</w>": i for i in range(WORDS)}))
    assert "give tokenizer.json" in attend("import", tmp_path, "--to", tmp_path / "d.json")["tokenizer_left"]
