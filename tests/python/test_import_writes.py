# SPDX-License-Identifier: Apache-2.0
"""`attend write` of imported models: greedy text, sampling, masked words. The real file of llama2.c is read where
ATTEND_STORIES names the folder with stories260K.bin and tok512.bin."""
import json
import os

import numpy as np
import pytest
from checkpoints import write_llama2c, write_llama2c_tokenizer, write_torch
from forward import BERT, bert, gelu, layer_norm, llama2c
from import_cases import (HEADS, LAYERS, SIZES, WIDTH, WORDS, Maker, attend, bert_tensors, config, llama2c_tensors,
                          scored_pieces)


def test_llama2c_writes_greedily(tmp_path):
    m = llama2c_tensors(9)
    write_llama2c(tmp_path / "model.bin", SIZES, m.tensors)
    write_llama2c_tokenizer(tmp_path / "tok23.bin", scored_pieces(23))
    attend("import", tmp_path / "model.bin", tmp_path / "tok23.bin", "--to", tmp_path / "document.json")
    # " abcd": the best pair of neighbours merges first, " a" and "cd" before "ab" or "bc", then " a" + "b".
    words = {text: i for i, (text, _) in enumerate(scored_pieces(23))}
    answer = attend("write", tmp_path / "document.json", "--prompt", "abcd", "--words", 12)
    ids = [1, words[" ab"], words["cd"]]
    assert answer["ids"][:3] == ids
    for _ in range(12):
        best = int(np.argmax(llama2c(m.exact(), ids, SIZES["heads"], SIZES["kv_heads"])[-1]))
        if best in (1, 2):
            break
        ids.append(best)
    assert answer["ids"] == ids


def test_sampling_follows_the_seed_and_the_probabilities(tmp_path):
    m = llama2c_tensors(10)
    write_llama2c(tmp_path / "model.bin", SIZES, m.tensors)
    attend("import", tmp_path / "model.bin", "--to", tmp_path / "document.json")

    def drawn(*more):
        return attend("write", tmp_path / "document.json", "--ids", "[1, 5]", "--words", 1, "--temperature", 1, *more)

    logits = llama2c(m.exact(), [1, 5], SIZES["heads"], SIZES["kv_heads"])[-1]
    p = np.exp(logits - logits.max())
    p /= p.sum()
    first = drawn("--seed", 4)
    assert first == drawn("--seed", 4)
    assert abs(first["next"][0]["probability"] - p.max()) < 1e-5
    assert {tuple(drawn("--seed", s)["ids"]) for s in range(12)} != {tuple(first["ids"])}
    assert len(drawn("--top-k", 3)["next"]) == 3
    order = np.sort(p)[::-1]
    kept = int(np.searchsorted(np.cumsum(order), 0.5) + 1)
    assert len(drawn("--top-p", 0.5)["next"]) == min(kept, 10)
    # Tokens that are asked for have the rank and the probability that plain NumPy gives them.
    also = drawn("--also", json.dumps([3, int(np.argmin(p))]))["also"]
    for one in also:
        assert abs(one["probability"] - p[one["id"]]) < 1e-5
        assert one["rank"] == 1 + int((p > p[one["id"]]).sum())
    assert also[1]["rank"] == len(p)
    assert drawn("--also", "[3]", "--top-k", 1)["also"][0]["probability"] == (3 == int(np.argmax(p)))
    cold = attend("write", tmp_path / "document.json", "--ids", "[1, 5]", "--words", 1, "--top-k", 1,
                  "--temperature", 2)
    assert cold["ids"][-1] == int(np.argmax(logits))


PUBLISHED = """Once upon a time, there was a little girl named Lily. She loved to play outside in the park. \
One day, she saw a big, red ball. She wanted to play with it, but it was too high.
Lily's mom said, "Lily, let's go to the park." Lily was sad and didn't know what to do."""


@pytest.mark.skipif("ATTEND_STORIES" not in os.environ, reason="ATTEND_STORIES names no folder with stories260K.bin")
def test_stories_writes_its_published_text(tmp_path):
    folder = os.environ["ATTEND_STORIES"]
    attend("import", os.path.join(folder, "stories260K.bin"), os.path.join(folder, "tok512.bin"),
           "--to", tmp_path / "stories.json")
    answer = attend("write", tmp_path / "stories.json", "--prompt", "", "--words", 240)
    assert answer["text"].startswith(PUBLISHED)
    assert len(answer["ids"]) == 241


def test_bert_fills_in_masked_words(tmp_path):
    m = bert_tensors(12, BERT, "encoder.layer.")
    stored = {"bert." + n: a for n, a in m.tensors.items()}
    h = Maker(13)
    p = "cls.predictions."
    h.linear(p + "transform.dense", WIDTH, WIDTH)
    h.norm(p + "transform.LayerNorm")
    h.weight(p + "bias", WORDS)
    write_torch(tmp_path / "pytorch_model.bin", {**stored, **h.tensors})
    pieces = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "the", "cat", "##s", "run", ".", "do", "##g"]
    vocabulary = {word: i for i, word in enumerate(pieces + [f"w{i}" for i in range(WORDS - len(pieces))])}
    tokenizer = {
        "added_tokens": [{"id": i, "content": pieces[i], "special": True} for i in range(5)],
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True,
                       "strip_accents": None, "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {"type": "TemplateProcessing", "single": [
            {"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
            {"SpecialToken": {"id": "[SEP]", "type_id": 0}}]},
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100, "vocab": vocabulary}}
    (tmp_path / "tokenizer.json").write_text(json.dumps(tokenizer))
    settings = config(tmp_path, model_type="bert", num_attention_heads=HEADS)
    attend("import", tmp_path / "pytorch_model.bin", settings, tmp_path / "tokenizer.json", "--to", tmp_path / "d.json")
    answer = attend("write", tmp_path / "d.json", "--prompt", "The Dógs [MASK], cats.")
    assert answer["tokens"] == ["[CLS]", "the", "do", "##g", "##s", "[MASK]", "[UNK]", "cat", "##s", ".", "[SEP]"]
    x = bert(m.exact(), answer["ids"], HEADS, LAYERS)
    w = h.exact()
    x = gelu(x @ w[p + "transform.dense.weight"].T + w[p + "transform.dense.bias"])
    x = layer_norm(x, w[p + "transform.LayerNorm.weight"], w[p + "transform.LayerNorm.bias"], 1e-12)
    logits = x @ m.exact()["embeddings.word_embeddings.weight"].T + w[p + "bias"]
    place = answer["masked"][0]
    asked = attend("write", tmp_path / "d.json", "--prompt", "The Dógs [MASK], cats.", "--also", "[7]")["masked"][0]
    assert asked["words"] == place["words"] and "also" not in place
    assert [(one["token"], one["id"]) for one in asked["also"]] == [("##s", 7)]
    assert answer["ids"][place["row"]] == 4
    probability = np.exp(logits[place["row"]] - logits[place["row"]].max())
    probability /= probability.sum()
    for one in place["words"]:
        assert abs(one["probability"] - probability[one["id"]]) < 1e-4
