# SPDX-License-Identifier: Apache-2.0
"""`attend import`: files of older programs (torch.save before 1.6, vocab.txt, merges.txt), models inside others, and
the rows that make a sentence."""
import json
import re
import struct

import numpy as np
import pytest
import torch
from checkpoints import write_safetensors
from family_cases import BERT as NAMES
from forward import gpt2
from import_cases import GPT2, HEADS, IDS, WIDTH, WORDS, attend, bert_tensors, compare, config, gpt2_tensors, imported
from test_import_readers import by_torch

LETTERS = list("abcdefghijklmnopqrstuvwxyz.,")


def save_old(path, content, **more):
    torch.save(content, path, _use_new_zipfile_serialization=False, **more)


@pytest.mark.parametrize("dtype, close", [("float32", 1e-5), ("float64", 1e-5), ("float16", 5e-3), ("bfloat16", 5e-2)])
@pytest.mark.parametrize("protocol", [2, 4])
def test_files_of_torch_before_1_6(tmp_path, dtype, close, protocol):
    stored, exact = gpt2_tensors(31, prefix="transformer.")
    tensors = {name: torch.from_numpy(array.copy()).to(getattr(torch, dtype)) for name, array in stored.items()}
    tensors["transformer.h.0.attn.masked_bias"] = torch.tensor(-1e4)
    # Transposed twice and cut from a larger table: strides and offsets that no new tensor has.
    table = torch.cat([torch.ones(3, stored["transformer.wte.weight"].shape[1], dtype=getattr(torch, dtype)),
                       tensors["transformer.wte.weight"]])
    tensors["transformer.wte.weight"] = table[3:]
    name = "transformer.h.0.mlp.c_fc.weight"
    tensors[name] = tensors[name].t().contiguous().t()
    state = {"epoch": 3, "optimizer": {"state": {0: {"step": 7, "exp_avg": torch.zeros(5, dtype=torch.int64)}}}}
    save_old(tmp_path / "pytorch_model.bin", {"state_dict": tensors, **state}, pickle_protocol=protocol)
    report, found = imported(tmp_path, [tmp_path / "pytorch_model.bin", config(tmp_path, **GPT2)], IDS)
    assert report["format"] == "pickle"
    compare(found, gpt2(exact, IDS, HEADS), close)


@pytest.mark.parametrize("change, words", [
    (lambda data: data[:-5], "the file is cut short"),
    (lambda data: re.sub(rb"(little_endianq.)\x88", b"\\1\x89", data), "big-endian"),
    (lambda data: data.replace(b"FloatStorage", b"QUIntStorage"), "unknown type"),
    (lambda data: data[:200], "pytorch_model.bin"),
    (lambda data: data.replace(b"_rebuild_tensor_v2", b"_rebuild_tensor_v9"), "not needed for weights"),
])
def test_damaged_files_of_torch_before_1_6_are_refused(tmp_path, change, words):
    path = tmp_path / "pytorch_model.bin"
    stored, _ = gpt2_tensors(32)
    save_old(path, {name: torch.from_numpy(array.copy()) for name, array in stored.items()})
    before = path.read_bytes()
    path.write_bytes(change(before))
    assert path.read_bytes() != before
    message = attend("import", path, config(tmp_path, **GPT2), "--to", tmp_path / "d.json", refused=True)
    assert words in message and not (tmp_path / "d.json").exists()


def test_a_storage_that_claims_too_much_is_refused(tmp_path):
    path = tmp_path / "pytorch_model.bin"
    save_old(path, {"wte.weight": torch.ones(2, 3)})
    data = path.read_bytes()
    path.write_bytes(data[:-32] + struct.pack("<Q", 1 << 61) + data[-24:])
    message = attend("import", path, config(tmp_path, **GPT2), "--to", tmp_path / "d.json", refused=True)
    assert "2305843009213693952 more numbers" in message


@pytest.mark.parametrize("front", ["model.", "net.module.", "base_model.model.", "student.encoder.inner."])
def test_a_model_inside_others(tmp_path, front):
    stored, exact = gpt2_tensors(33, prefix="transformer.")
    write_safetensors(tmp_path / "model.safetensors", {front + name: array for name, array in stored.items()})
    _, found = imported(tmp_path, [tmp_path / "model.safetensors", config(tmp_path, **GPT2)], IDS)
    compare(found, gpt2(exact, IDS, HEADS), 1e-5)


def test_a_front_that_not_all_tensors_have_is_no_front(tmp_path):
    stored, _ = gpt2_tensors(34)
    write_safetensors(tmp_path / "model.safetensors",
                      {**{"net." + name: array for name, array in stored.items()}, "scale": np.ones(2, np.float32)})
    message = attend("import", tmp_path / "model.safetensors", config(tmp_path, **GPT2), "--to", tmp_path / "d.json",
                     refused=True)
    assert "no known family has tensors of these names" in message


def bert_rows(folder, seed=35):
    m = bert_tensors(seed, NAMES, "encoder.layer.")
    write_safetensors(folder / "model.safetensors", m.tensors)
    config(folder, model_type="bert", num_attention_heads=HEADS)
    return by_torch.reader(m.exact(), IDS, HEADS, NAMES, "encoder.layer.{}.", 0, 1e-12)


def pooled_by(folder, **modes):
    (folder / "1_Pooling").mkdir(exist_ok=True)
    (folder / "1_Pooling" / "config.json").write_text(json.dumps({"word_embedding_dimension": 24, **modes}))


@pytest.mark.parametrize("mode, pool", [
    ("mean_tokens", lambda rows: rows.mean(0)), ("cls_token", lambda rows: rows[0]),
    ("max_tokens", lambda rows: rows.max(0)), ("lasttoken", lambda rows: rows[-1])])
def test_the_rows_that_make_a_sentence(tmp_path, mode, pool):
    rows = bert_rows(tmp_path)
    modes = {f"pooling_mode_{one}": one == mode for one in ("mean_tokens", "cls_token", "max_tokens", "lasttoken")}
    pooled_by(tmp_path, **modes)
    _, found = imported(tmp_path, [tmp_path], IDS, output="sentence.output")
    compare(found, pool(np.asarray(rows))[None], 1e-5)


@pytest.mark.parametrize("modes, words", [
    ({"pooling_mode_mean_tokens": True, "pooling_mode_cls_token": True},
     "pooling_mode_cls_token, pooling_mode_mean_tokens"),
    ({"pooling_mode_mean_tokens": False, "pooling_mode_mean_sqrt_len_tokens": True}, "mean_sqrt_len_tokens"),
    ({"pooling_mode_mean_tokens": False}, "none of its modes")])
def test_other_rows_of_a_sentence_are_refused(tmp_path, modes, words):
    bert_rows(tmp_path)
    pooled_by(tmp_path, **modes)
    message = attend("import", tmp_path, "--to", tmp_path / "d.json", refused=True)
    assert '"1_Pooling/config.json": it makes a sentence' in message, message
    assert words in message and "Leave the file out" in message


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


@pytest.mark.parametrize("lines, words", [(b"a\nb\n", "[UNK]"), (b"[UNK]\n[CLS]\n", "[SEP]"),
                                          (b"[UNK]\n\xff\n", "not text in UTF-8")])
def test_damaged_lines_of_words_are_refused(tmp_path, lines, words):
    bert_with_words(tmp_path, SPECIAL)
    (tmp_path / "vocab.txt").write_bytes(lines)
    message = attend("import", tmp_path, "--to", tmp_path / "d.json", refused=True)
    assert "vocab.txt" in message and words in message


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


def test_merges_without_their_numbers_leave_the_tokenizer_out(tmp_path):
    gpt2_with_merges(tmp_path, MERGES)
    (tmp_path / "vocab.json").unlink()
    assert "needs vocab.json" in attend("import", tmp_path, "--to", tmp_path / "d.json")["tokenizer_left"]


def test_merges_of_whole_words_leave_the_tokenizer_out(tmp_path):
    gpt2_with_merges(tmp_path, [("t", "h")])
    (tmp_path / "vocab.json").write_text(json.dumps({f"w{i}</w>": i for i in range(WORDS)}))
    assert "give tokenizer.json" in attend("import", tmp_path, "--to", tmp_path / "d.json")["tokenizer_left"]
