# SPDX-License-Identifier: Apache-2.0
"""Texts of models with an encoder and a decoder: the tokenizers that come with T5 and Marian, tokenizer.json and
SentencePiece's files, and where the tokens come from with which a text begins and ends."""
import json
import struct

import pytest
from import_cases import attend
from pair_cases import MARIAN, T5, bart_tensors, stored, t5_tensors

BLOCK = "\u2581"
NORMAL, UNKNOWN, CONTROL = 1, 2, 3


def varint(x):
    out = b""
    while x > 127:
        out, x = out + bytes([x & 127 | 128]), x >> 7
    return out + bytes([x])


def field(number, value):
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def piece_file(pieces, model=1, prefix=1):
    out = b"".join(field(1, field(1, text.encode()) + field(2, float(score)) + (field(3, role) if role != 1 else b""))
                   for text, score, role in pieces)
    return out + field(2, field(3, model) + field(40, 2)) + field(3, field(1, b"nmt_nfkc") + field(3, prefix))


def pieces_of(words, marks=(("<pad>", CONTROL), ("</s>", CONTROL), ("<unk>", UNKNOWN))):
    return [(text, 0, role) for text, role in marks] + [(text, score, NORMAL) for text, score in words]


# "the" is likelier whole than in parts, and "house" is not.
LIST = [(BLOCK, -3), (BLOCK + "the", -1), (BLOCK + "t", -2), ("he", -2), (BLOCK + "house", -9), (BLOCK + "ho", -2),
        ("use", -2), (".", -2.5)] + [(c, -8) for c in "abehostu"]
THE_HOUSE = [BLOCK + "the", BLOCK + "ho", "use", ".", "</s>"]


def tokens(folder, files, text="the  house."):
    report = attend("import", *files, "--to", folder / "d.json")
    assert not report.get("tokenizer_left"), report
    answer = attend("write", folder / "d.json", "--prompt", text, "--words", 3)
    return answer


def test_the_pieces_of_t5_have_the_numbers_of_their_file(tmp_path):
    files = stored(tmp_path, t5_tensors(1).tensors, T5)
    pieces = pieces_of(LIST)
    (tmp_path / "spiece.model").write_bytes(piece_file(pieces))
    answer = tokens(tmp_path, [*files, tmp_path / "spiece.model"])
    assert answer["source"]["tokens"] == THE_HOUSE
    assert answer["source"]["ids"] == [[p[0] for p in pieces].index(t) for t in THE_HOUSE]
    # The document begins with the family's own text, and the decoder with its start.
    document = json.loads((tmp_path / "d.json").read_text())
    assert document["inputs"]["target"] == {"shape": [1, 1], "data": [0], "labels": ["<pad>"]}
    assert document["inputs"]["source"]["labels"][-1] == "</s>"
    assert tokens(tmp_path, [*files, tmp_path / "spiece.model"], "thx")["source"]["tokens"] == [
        BLOCK + "t", "h", "<unk>", "</s>"]


def test_the_same_as_tokenizer_json(tmp_path):
    files = stored(tmp_path, t5_tensors(2).tensors, T5)
    pieces = pieces_of(LIST)
    (tmp_path / "tokenizer.json").write_text(json.dumps({
        "added_tokens": [{"id": i, "content": pieces[i][0], "special": True} for i in range(3)],
        "normalizer": {"type": "Precompiled", "precompiled_charsmap": ""},
        "pre_tokenizer": {"type": "Sequence", "pretokenizers": [
            {"type": "WhitespaceSplit"}, {"type": "Metaspace", "replacement": BLOCK, "prepend_scheme": "always"}]},
        "post_processor": {"type": "TemplateProcessing", "single": [
            {"Sequence": {"id": "A", "type_id": 0}}, {"SpecialToken": {"id": "</s>", "type_id": 0}}]},
        "decoder": {"type": "Metaspace", "replacement": BLOCK, "prepend_scheme": "always"},
        "model": {"type": "Unigram", "unk_id": 2, "vocab": [[text, score] for text, score, _ in pieces]}}))
    answer = tokens(tmp_path, [*files, tmp_path / "tokenizer.json"])
    assert answer["source"]["tokens"] == THE_HOUSE
    assert len(answer["tokens"]) == 3 and answer["ids"][0] == 0
    assert answer["text"] == "".join(answer["tokens"]).replace(BLOCK, " ").removeprefix(" ")


def test_marian_reads_its_source_by_the_numbers_of_its_vocabulary(tmp_path):
    files = stored(tmp_path, bart_tensors(3, "marian", rows=0).tensors, MARIAN)
    texts = [text for text, _ in LIST]
    # What the target alone has would be the likeliest way to write the source.
    names = ["</s>", "<unk>", *reversed(texts), BLOCK + "the" + BLOCK + "house", ">>de<<", "x", "<pad>"]
    numbers = {text: i for i, text in enumerate(names)}
    (tmp_path / "source.spm").write_bytes(piece_file(pieces_of(LIST, (("<unk>", UNKNOWN), ("</s>", CONTROL)))))
    (tmp_path / "target.spm").write_bytes(piece_file(pieces_of([("x", -1)])))
    (tmp_path / "vocab.json").write_text(json.dumps(numbers))
    answer = tokens(tmp_path, [tmp_path])
    assert answer["source"]["tokens"] == THE_HOUSE
    assert answer["source"]["ids"] == [numbers[text] for text in THE_HOUSE]
    assert tokens(tmp_path, [tmp_path], ">>de<< x")["source"]["tokens"] == [">>de<<", BLOCK, "<unk>", "</s>"]
    (tmp_path / "vocab.json").unlink()
    report = attend("import", tmp_path, "--to", tmp_path / "d.json")
    assert "vocab.json" in report["tokenizer_left"] and report["tokenizer"] is None


def test_generation_config_says_how_a_text_begins_and_ends(tmp_path):
    members = {name: value for name, value in T5.items() if not name.endswith("token_id")}
    stored(tmp_path, t5_tensors(4).tensors, members)
    (tmp_path / "generation_config.json").write_text(json.dumps(
        {"decoder_start_token_id": 4, "eos_token_id": [7, 9], "forced_bos_token_id": None}))
    report = attend("import", tmp_path, "--to", tmp_path / "d.json")
    assert (report["sizes"]["start"], report["sizes"]["end"]) == (4, [7, 9])
    answer = attend("write", tmp_path / "d.json", "--ids", "[3, 5, 1]", "--words", 20)
    assert answer["ids"][0] == 4 and not {7, 9} & set(answer["ids"])


@pytest.mark.parametrize("name, change, words", [
    ("spiece.model", lambda b: b[:-3], "cut short"), ("spiece.model", lambda b: b[:9], "cut short"),
    ("spiece.model", lambda b: b"", "no pieces"), ("spiece.model", lambda b: b"\x0f" + b, "type 7"),
    ("spiece.model", lambda b: b"\xff" * 12 + b, "ten bytes"),
    ("spiece.model", lambda b: b.replace(b"use", b"\xffse"), "UTF-8"),
    ("spiece.model", lambda b: b.replace(struct.pack("<f", -2.5), struct.pack("<f", float("inf"))), "finite")])
def test_a_damaged_file_of_pieces_is_refused(tmp_path, name, change, words):
    files = stored(tmp_path, t5_tensors(5).tensors, T5)
    (tmp_path / name).write_bytes(change(piece_file(pieces_of(LIST))))
    message = attend("import", *files, tmp_path / name, "--to", tmp_path / "d.json", refused=True)
    assert words in message and name in message, message


def test_other_files_of_pieces_are_left_with_a_reason(tmp_path):
    (tmp_path / "spiece.model").write_bytes(piece_file(pieces_of(LIST)))
    files = stored(tmp_path, bart_tensors(6).tensors, {**MARIAN, "model_type": "bart", "max_position_embeddings": 16})
    report = attend("import", *files, tmp_path / "spiece.model", "--to", tmp_path / "d.json")
    assert report["tokenizer"] is None and "tokenizer.json" in report["tokenizer_left"]
    (tmp_path / "spiece.model").write_bytes(piece_file(pieces_of(LIST), model=2))
    files = stored(tmp_path, t5_tensors(6).tensors, T5)
    report = attend("import", *files, tmp_path / "spiece.model", "--to", tmp_path / "d.json")
    assert "BPE" in report["tokenizer_left"]


def marian_folder(folder, config=MARIAN, change=lambda numbers: numbers):
    stored(folder, bart_tensors(3, "marian", rows=0).tensors, config)
    (folder / "source.spm").write_bytes(piece_file(pieces_of(LIST, (("<unk>", UNKNOWN), ("</s>", CONTROL)))))
    names = ["</s>", "<unk>", *[text for text, _ in LIST], "a1", "a2", "a3", "a4", "<pad>"]
    numbers = change({text: i for i, text in enumerate(names)})
    (folder / "vocab.json").write_text(json.dumps(numbers))
    return folder


@pytest.mark.parametrize("change, words", [
    (lambda numbers: {**numbers, "a1": numbers["a2"]}, "a different number for each piece"),
    (lambda numbers: {("b1" if text == "</s>" else text): i for text, i in numbers.items()}, "</s>"),
    (lambda numbers: {("b1" if text == "<unk>" else text): i for text, i in numbers.items()}, "<unk>")])
def test_a_damaged_vocabulary_is_refused(tmp_path, change, words):
    message = attend("import", marian_folder(tmp_path, change=change), "--to", tmp_path / "d.json", refused=True)
    assert words in message and "vocab.json" in message, message


def test_two_vocabularies_are_left_to_ids(tmp_path):
    config = {**MARIAN, "share_encoder_decoder_embeddings": False}
    report = attend("import", marian_folder(tmp_path, config), "--to", tmp_path / "d.json")
    assert report["tokenizer"] is None and "another one for the target" in report["tokenizer_left"]


@pytest.mark.parametrize("id, found", [(-1, "-1"), (1.5, "1.5")])
def test_ids_of_a_source_are_whole_numbers(tmp_path, id, found):
    attend("import", marian_folder(tmp_path), "--to", tmp_path / "d.json")
    document = json.loads((tmp_path / "d.json").read_text())
    source = next(name for name in document["inputs"] if "source" in name)
    document["inputs"][source]["data"] = [3, id, *document["inputs"][source]["data"][2:]]
    document["inputs"][source]["shape"] = [len(document["inputs"][source]["data"]), 1]
    (tmp_path / "d.json").write_text(json.dumps(document))
    message = attend("write", tmp_path / "d.json", "--words", 1, refused=True)
    assert f"found {found} at 1" in message, message
