# SPDX-License-Identifier: Apache-2.0
"""Models with an encoder and a decoder: T5, FLAN-T5, mT5 and umT5, Marian, BART and mBART, each against a forward pass
of its own (pair_forward.py); the texts that they write; and what is refused."""
import json
import subprocess

import numpy as np
import pytest
from checkpoints import write_torch
from import_cases import HEADS, WIDTH, WORDS, attend, compare, config
from judge import TOOL
from pair_cases import BART, MARIAN, SOURCE, T5, TARGET, bart_tensors, computed, stored, t5_tensors
from pair_forward import bart, t5


@pytest.mark.parametrize("make, members, how", [
    ({}, {}, {}),
    ({"gated": True}, {"feed_forward_proj": "gated-gelu"}, {"act": "gated-gelu"}),
    ({"gated": True, "head": True}, {"feed_forward_proj": "gated-gelu", "tie_word_embeddings": False},
     {"act": "gated-gelu", "tied": False}),
    ({"gated": True, "own": True, "head": True}, {"model_type": "umt5", "feed_forward_proj": "gated-silu",
                                                  "tie_word_embeddings": False},
     {"act": "gated-silu", "tied": False}),
    ({"inner": WIDTH}, {"d_kv": WIDTH // HEADS, "feed_forward_proj": "gelu"}, {"act": "gelu"}),
    ({"layers": (1, 1)}, {"num_layers": 1, "num_decoder_layers": 1}, {})])
def test_t5(tmp_path, make, members, how):
    m = t5_tensors(1, **make)
    report, found = computed(tmp_path, stored(tmp_path, m.tensors, {**T5, **members}), SOURCE, TARGET)
    compare(found, t5(m.exact(), SOURCE, TARGET, HEADS, most=12, **how))
    assert report["architecture"] == "t5" and report["left"] == []
    tied = "encoder-2.attention.position.0.B" in report["tied"]
    assert tied == (not make.get("own") and make.get("layers") is None)


def test_t5_counts_far_distances_in_its_32_buckets(tmp_path):
    m = t5_tensors(2, buckets=32)
    members = {**T5, "relative_attention_num_buckets": 32, "relative_attention_max_distance": 128}
    source, target = [i * 5 % WORDS for i in range(150)], [0] + [i * 7 % WORDS for i in range(139)]
    found = computed(tmp_path, stored(tmp_path, m.tensors, members), source, target)[1]
    compare(found, t5(m.exact(), source, target, HEADS))


def test_the_shapes_give_t5_without_a_config(tmp_path):
    m = t5_tensors(3, gated=True, head=True, buckets=32)
    report, found = computed(tmp_path, stored(tmp_path, m.tensors, {})[:1], SOURCE, TARGET)
    compare(found, t5(m.exact(), SOURCE, TARGET, HEADS, "gated-gelu", False))
    assert report["sizes"]["heads"] == HEADS


def test_the_cross_attention_of_t5_is_a_result(tmp_path):
    m, maps = t5_tensors(4), []
    t5(m.exact(), SOURCE, TARGET, HEADS, most=12, maps=maps)
    files = stored(tmp_path, m.tensors, T5)
    for i, expected in enumerate(maps):
        compare(computed(tmp_path, files, SOURCE, TARGET, f"decoder-{i + 1}.cross.weights")[1], expected)


@pytest.mark.parametrize("make, members, how", [
    ({"kind": "marian", "rows": 0}, MARIAN, {"act": "swish", "scaled": True, "offset": 0}),
    ({"kind": "marian", "rows": 32}, MARIAN, {"act": "swish", "scaled": True, "offset": 0}),
    ({"kind": "marian", "rows": 0}, {**MARIAN, "activation_function": "relu", "scale_embedding": False,
                                     "decoder_attention_heads": 3},
     {"act": "relu", "offset": 0, "decoder_heads": 3}),
    ({"kind": "marian", "rows": 0, "words": 17, "head": True},
     {**MARIAN, "share_encoder_decoder_embeddings": False, "tie_word_embeddings": False,
      "decoder_start_token_id": 16, "pad_token_id": 16}, {"act": "swish", "scaled": True, "offset": 0}),
    ({}, BART, {}), ({}, {**BART, "scale_embedding": True, "activation_function": "gelu_new"},
                     {"scaled": True, "act": "gelu_new"}),
    ({"head": True}, {**BART, "tie_word_embeddings": False}, {}),
    ({"kind": "mbart"}, {**BART, "model_type": "mbart", "scale_embedding": True}, {"scaled": True}),
    ({"kind": "pegasus", "rows": 0}, {**BART, "model_type": "pegasus", "scale_embedding": True,
                                      "activation_function": "relu"}, {"scaled": True, "act": "relu", "offset": 0})])
@pytest.mark.parametrize("prefix", ["model.", ""])
def test_models_like_bart(tmp_path, make, members, how, prefix):
    m = bart_tensors(5, **make)
    source, target = [t % 17 for t in SOURCE], [t % 17 for t in TARGET]
    report, found = computed(tmp_path, stored(tmp_path, m.tensors, members, prefix), source, target)
    compare(found, bart(m.exact(), source, target, HEADS, **how))
    assert report["architecture"] == "bart" and report["left"] == []


def test_tables_that_a_pickle_repeats_are_read_once(tmp_path):
    m = bart_tensors(6, "marian", rows=32)
    tensors = {name if name == "final_logits_bias" else "model." + name: a for name, a in m.tensors.items()}
    copies = ("model.encoder.embed_tokens.weight", "model.decoder.embed_tokens.weight", "lm_head.weight")
    for name in copies:
        tensors[name] = tensors["model.shared.weight"].copy()
    write_torch(tmp_path / "pytorch_model.bin", tensors)
    files = [tmp_path / "pytorch_model.bin", config(tmp_path, **MARIAN)]
    report, found = computed(tmp_path, files, SOURCE, TARGET)
    compare(found, bart(m.exact(), SOURCE, TARGET, HEADS, "swish", True, 0))
    assert report["left"] == [] and sorted(report["tied"]) == ["predict.W_c", "target-tokens.E"]
    tensors[copies[1]][0, 0] += 1
    write_torch(tmp_path / "pytorch_model.bin", tensors)
    assert "differ" in attend("import", *files, "--to", tmp_path / "d.json", refused=True)


def greedy(logits, start, end, never, words):
    ids = list(start)
    for _ in range(words):
        row = logits(ids)[-1].copy()
        row[never] = -np.inf
        best = int(np.argmax(row))
        if best == end:
            return ids, True
        ids.append(best)
    return ids, False


def imported(folder, m, members):
    attend("import", *stored(folder, m.tensors, members), "--to", folder / "d.json")
    return folder / "d.json"


@pytest.mark.parametrize("seed", range(3))
def test_t5_writes_from_its_start_to_its_end(tmp_path, seed):
    m = t5_tensors(10 + seed, gated=True)
    m.tensors["shared.weight"][1] *= 1 + seed  # the end becomes likelier
    document = imported(tmp_path, m, {**T5, "feed_forward_proj": "gated-gelu"})
    answer = attend("write", document, "--ids", json.dumps(SOURCE), "--words", 12)
    ids, ended = greedy(lambda ids: t5(m.exact(), SOURCE, ids, HEADS, "gated-gelu", most=12), [0], 1, [], 12)
    assert (answer["ids"], answer["ended"]) == (ids, ended)
    assert answer["source"] == {"input": "source", "ids": SOURCE, "tokens": [f"#{i}" for i in SOURCE]}
    # One row per word: three layers keep keys and values of each row, four heads 5 wide, 4 bytes each.
    assert "whole" not in answer
    assert answer["state"] == {"rows": len(ids), "numbers": len(ids) * 3 * 2 * HEADS * 5,
                               "bytes": len(ids) * 3 * 2 * HEADS * 5 * 4}


def test_marian_never_writes_its_padding_and_ends(tmp_path):
    m = bart_tensors(13, "marian", rows=0)
    m.tensors["final_logits_bias"][0, WORDS - 1] = 50
    document = imported(tmp_path, m, MARIAN)

    def logits(ids):
        return bart(m.exact(), SOURCE, ids, HEADS, "swish", True, 0)
    ids, ended = greedy(logits, [WORDS - 1], 0, [WORDS - 1], 10)
    answer = attend("write", document, "--ids", json.dumps(SOURCE), "--words", 10)
    assert (answer["ids"], answer["ended"]) == (ids, ended)
    m.tensors["final_logits_bias"][0, 0] = 60
    answer = attend("write", imported(tmp_path, m, MARIAN), "--ids", json.dumps(SOURCE), "--words", 10)
    assert answer["ids"] == [WORDS - 1] and answer["ended"] and answer["next"][0]["id"] == 0


def test_a_forced_first_word_begins_the_text(tmp_path):
    m = bart_tensors(14, "mbart")
    document = imported(tmp_path, m, {**BART, "model_type": "mbart", "forced_bos_token_id": 5})
    answer = attend("write", document, "--ids", json.dumps(SOURCE), "--words", 6)
    ids, ended = greedy(lambda ids: bart(m.exact(), SOURCE, ids, HEADS), [2, 5], 2, [], 6)
    assert (answer["ids"], answer["ended"]) == (ids, ended)


def test_sampling_reads_the_source_and_the_seed(tmp_path):
    document = imported(tmp_path, bart_tensors(15, "marian", rows=0), MARIAN)

    def drawn(source, *more):
        return attend("write", document, "--ids", json.dumps(source), "--words", 5, "--temperature", 1, *more)["ids"]
    assert drawn(SOURCE, "--seed", 3) == drawn(SOURCE, "--seed", 3)
    assert len({tuple(drawn(SOURCE, "--seed", s)) for s in range(6)}) > 1
    assert drawn(SOURCE, "--top-k", 1) != drawn(SOURCE[::-1] + [4, 8], "--top-k", 1)


def test_a_row_at_a_time_equals_all_rows(tmp_path):
    """In double precision, for every family."""
    for name, m, members in (("t5", t5_tensors(16), T5), ("marian", bart_tensors(16, "marian", rows=0), MARIAN),
                             ("mbart", bart_tensors(16, "mbart"), {**BART, "model_type": "mbart"})):
        folder = tmp_path / name
        folder.mkdir()
        document = json.loads(imported(folder, m, members).read_text())
        for side, ids in (("source", SOURCE), ("target", TARGET)):
            document["inputs"][side] = {"shape": [len(ids), 1], "data": ids}
        document["outputs"] = ["predict.logits"]
        (folder / "d.json").write_text(json.dumps(document))
        whole, rows = (json.loads(subprocess.run(
            [TOOL, *command, folder / "d.json", *more], capture_output=True, check=True).stdout)["outputs"]
            ["predict.logits"]["data"] for command, more in ((["run"], []), (["stepwise"], ["--over", "target"])))
        assert np.abs(np.array(whole) - rows).max() < 1e-12


WITHOUT = {"t5": ["encoder.block.1.layer.1.DenseReluDense.wo.weight", "encoder.final_layer_norm.weight",
                  "decoder.block.2.layer.1.EncDecAttention.k.weight", "encoder.block.0.layer.0.SelfAttention.q.weight"],
           "bart": ["encoder.layers.1.fc1.bias", "decoder.layers.2.encoder_attn.v_proj.weight",
                    "encoder.layernorm_embedding.bias", "encoder.layers.0.self_attn.q_proj.weight"]}


@pytest.mark.parametrize("kind, name", [(kind, name) for kind, names in WITHOUT.items() for name in names])
def test_a_missing_tensor_is_named(tmp_path, kind, name):
    m = t5_tensors(20) if kind == "t5" else bart_tensors(20)
    del m.tensors[name]
    files = stored(tmp_path, m.tensors, T5 if kind == "t5" else BART)
    assert name in attend("import", *files, "--to", tmp_path / "d.json", refused=True)
    assert not (tmp_path / "d.json").exists()


@pytest.mark.parametrize("make, members, words", [
    ("t5", {"feed_forward_proj": "gated-gelu"}, ["feed_forward_proj", "wi_0"]), ("t5", {"d_kv": 6}, ["d_kv"]),
    ("t5", {"num_layers": 3}, ["num_layers"]), ("t5", {"num_heads": 2}, ["num_heads"]),
    ("t5", {"decoder_start_token_id": WORDS}, ["decoder_start_token_id"]),
    ("t5", {"tie_word_embeddings": False}, ["tie_word_embeddings", "lm_head.weight"]),
    ("t5", {"is_encoder_decoder": False}, ["is_encoder_decoder"]),
    ("t5", {"feed_forward_proj": "gated-tanh"}, ["gated-tanh", "gated-gelu"]),
    ("bart", {"model_type": "mbart"}, ["mbart", "encoder.layer_norm.weight"]),
    ("bart", {"model_type": "marian", "max_position_embeddings": 18}, ["marian", "norms"]),
    ("bart", {"encoder_layers": 5}, ["encoder_layers"]),
    ("bart", {"max_position_embeddings": 18}, ["max_position_embeddings"]),
    ("bart", {"decoder_start_token_id": -1}, ["decoder_start_token_id"]),
    ("bart", {"normalize_before": True}, ["normalize_before"]),
    ("bart", {"activation_function": "mish"}, ["activation_function", "mish"]),
    ("bart", {"model_type": "opt"}, ["opt", "bart"]),
    ("marian", {"model_type": "bart"}, ["encoder.layernorm_embedding.weight"])])
def test_a_config_that_contradicts_the_tensors_is_refused(tmp_path, make, members, words):
    m = t5_tensors(21) if make == "t5" else bart_tensors(21, make, 18 if make == "bart" else 0)
    settings = {"t5": T5, "bart": BART, "marian": MARIAN}[make]
    message = attend("import", *stored(tmp_path, m.tensors, {**settings, **members}), "--to", tmp_path / "d.json",
                     refused=True)
    for word in ["config.json", *words]:
        assert word in message, message


def test_tensors_that_change_the_result_are_refused(tmp_path):
    for m, settings, name in ((t5_tensors(22), T5, "encoder.block.0.layer.0.SelfAttention.q.bias"),
                              (bart_tensors(22), BART, "decoder.layers.0.encoder_attn.q_norm.weight")):
        m.weight(name, WIDTH)
        assert name in attend("import", *stored(tmp_path, m.tensors, settings), "--to", tmp_path / "d.json",
                              refused=True)


@pytest.mark.parametrize("arguments, word", [
    (["--ids", "[999]"], "22"), (["--ids", json.dumps([1] * 17)], "at most 16"), (["--prompt", "word"], "--ids")])
def test_sources_that_do_not_fit_are_refused(tmp_path, arguments, word):
    document = imported(tmp_path, bart_tensors(23), BART)
    assert word in attend("write", document, *arguments, refused=True)
