# SPDX-License-Identifier: Apache-2.0
"""Releases of a family that differ from its usual one: older names, other heads, scaled rotations, factors inside the
blocks. What the document does not compute is refused by name."""
import sys

import forward
import import_cases
import numpy as np
import pytest
import torch
from checkpoints import write_gguf, write_safetensors
from forward import BERT, bert, gelu, gpt2, layer_norm, llama, neox, vit_timm
from import_cases import (GPT2, HEADS, IDS, LAYERS, LENGTH, WIDTH, WORDS, Maker, as_gguf, attend, bert_tensors, compare,
                          config, gpt2_tensors, imported, llama_tensors, neox_tensors, timm_tensors)


def refused(folder, stored, settings, name="model.safetensors"):
    write_safetensors(folder / name, stored)
    to = folder / "refused.json"
    message = attend("import", folder / name, config(folder, **settings), "--to", to, refused=True)
    assert not to.exists()
    return message


def bert_with_head(decoder=False):
    m, h = bert_tensors(31, BERT, "encoder.layer."), Maker(32)
    p = "cls.predictions."
    h.linear(p + "transform.dense", WIDTH, WIDTH)
    h.norm(p + "transform.LayerNorm")
    h.weight(p + "bias", WORDS)
    if decoder:
        h.weight(p + "decoder.weight", WORDS, WIDTH)
    w = {**m.exact(), **h.exact()}

    def expected():
        x = gelu(bert(w, IDS, HEADS, LAYERS) @ w[p + "transform.dense.weight"].T + w[p + "transform.dense.bias"])
        x = layer_norm(x, w[p + "transform.LayerNorm.weight"], w[p + "transform.LayerNorm.bias"], 1e-12)
        return x @ w[p + "decoder.weight" if decoder else "embeddings.word_embeddings.weight"].T + w[p + "bias"]
    return {**{"bert." + n: a for n, a in m.tensors.items()}, **h.tensors}, expected


BERT_CONFIG = {"model_type": "bert", "num_attention_heads": HEADS}


def test_the_head_of_bert_has_old_names_too(tmp_path):
    stored, expected = bert_with_head()
    old = {n.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): a
           for n, a in stored.items()}
    write_safetensors(tmp_path / "model.safetensors", old)
    found = imported(tmp_path, [tmp_path / "model.safetensors", config(tmp_path, **BERT_CONFIG)], IDS)[1]
    compare(found, expected())


def test_bert_predicts_with_its_own_matrix(tmp_path):
    stored, expected = bert_with_head(decoder=True)
    write_safetensors(tmp_path / "model.safetensors", stored)
    settings = config(tmp_path, **BERT_CONFIG, tie_word_embeddings=False)
    report, found = imported(tmp_path, [tmp_path / "model.safetensors", settings], IDS)
    assert report["tied"] == []
    compare(found, expected())


def test_bert_as_a_decoder_reads_only_earlier_words(tmp_path, monkeypatch):
    stored, expected = bert_with_head()
    write_safetensors(tmp_path / "model.safetensors", stored)
    settings = config(tmp_path, **BERT_CONFIG, is_decoder=True)
    whole = forward.attend
    monkeypatch.setattr(forward, "attend", lambda q, k, v: whole(q, k, v, forward.causal(len(IDS))))
    logits = expected()
    compare(imported(tmp_path, [tmp_path / "model.safetensors", settings], IDS)[1], logits)
    written = attend("write", tmp_path / "document.json", "--ids", str(IDS), "--words", 1)
    assert written["next"][0]["id"] == int(logits[-1].argmax())


@pytest.mark.parametrize("name", ["h.0.attn.c_attn.bias", "h.1.attn.c_attn.bias", "h.1.mlp.c_proj.bias", "ln_f.bias"])
def test_a_missing_bias_is_named(tmp_path, name):
    stored = gpt2_tensors(33)[0]
    del stored[name]
    message = refused(tmp_path, stored, GPT2)
    assert name in message and "1 of its tensors" in message


def test_a_bias_that_one_layer_lacks_is_named(tmp_path):
    m = llama_tensors(34, HEADS)
    m.weight("layers.0.self_attn.o_proj.bias", WIDTH)
    message = refused(tmp_path, m.tensors, {"model_type": "llama", "num_attention_heads": HEADS})
    assert "missing: layers.1.self_attn.o_proj.bias" in message


def nano_tensors(seed, biased):
    """As nanoGPT's train.py saves them: matrices are [out in], and the table of words predicts, too."""
    stored, exact = gpt2_tensors(seed, linear=True)
    stored["lm_head.weight"] = stored["wte.weight"]
    stored = {n: a for n, a in stored.items() if not n.endswith(".attn.bias")}
    if not biased:
        stored = {n: a for n, a in stored.items() if not n.endswith(".bias")}
    weights = {n: stored[n].astype(np.float64) if n in stored else np.zeros(exact[n].shape) for n in exact}
    return {("" if n.startswith("lm_head") else "transformer.") + n: a for n, a in stored.items()}, weights


@pytest.mark.parametrize("biased", [False, True])
@pytest.mark.parametrize("wrapper", ["", "_orig_mod."])
def test_nanogpt(tmp_path, monkeypatch, biased, wrapper):
    stored, exact = nano_tensors(35, biased)
    model = {wrapper + n: torch.from_numpy(a.copy()) for n, a in stored.items()}
    sizes = {"n_layer": LAYERS, "n_head": HEADS, "n_embd": WIDTH, "block_size": LENGTH, "bias": biased,
             "vocab_size": WORDS, "dropout": 0.0}
    torch.save({"model": model, "optimizer": {"state": {}}, "model_args": sizes, "iter_num": 7,
                "best_val_loss": torch.tensor(1.5), "rng_state": torch.zeros(4)}, tmp_path / "ckpt.pt")
    report, found = imported(tmp_path, [tmp_path / "ckpt.pt"], IDS)
    assert report["assumed"]["act"] == "gelu"
    monkeypatch.setattr(forward, "gelu_tanh", gelu)
    compare(found, gpt2(exact, IDS, HEADS, linear=True), 1e-5)


@pytest.mark.parametrize("dtype", ["F32", "F16"])
def test_layer_scale_is_multiplied_into_the_matrices(tmp_path, dtype):
    m = timm_tensors(36, scaled=True)
    write_safetensors(tmp_path / "model.safetensors", m.tensors, dtype)
    w = {n: a.astype(np.float16 if dtype == "F16" else np.float32).astype(np.float64) for n, a in m.tensors.items()}
    for i in range(LAYERS):
        for scale, name in (("ls1", "attn.proj"), ("ls2", "mlp.fc2")):
            for part in (".weight", ".bias"):
                p, gamma = f"blocks.{i}." + name + part, w[f"blocks.{i}.{scale}.gamma"]
                w[p] = (w[p].T * gamma).T
    picture = np.random.default_rng(37).uniform(-1, 1, (8, 8, 3)).astype(np.float32)
    report, found = imported(tmp_path, [tmp_path / "model.safetensors", config(tmp_path, num_heads=HEADS)],
                             output="norm.output", image=picture)
    assert report["left"] == []
    compare(found, vit_timm(w, picture.astype(np.float64), HEADS, LAYERS), 1e-5)


@pytest.mark.parametrize("name, words", [
    ("norm_pre.weight", "CLIP"), ("reg_token", "register"), ("blocks.1.attn.q_norm.weight", "normalised"),
    ("blocks.0.something.weight", "may change the result"), ("head_of_another.weight", "may change the result")])
def test_a_tensor_that_is_not_known_is_refused(tmp_path, name, words):
    m = timm_tensors(38)
    m.weight(name, WIDTH)
    message = refused(tmp_path, m.tensors, {"num_heads": HEADS})
    assert name in message and words in message


def test_a_norm_of_averaged_tokens_is_the_reason(tmp_path):
    """With fc_norm, timm has no norm before it: the file lacks the tensors that every other ViT has."""
    m = timm_tensors(47)
    for end in ("weight", "bias"):
        m.tensors["fc_norm." + end] = m.tensors.pop("norm." + end)
    message = refused(tmp_path, m.tensors, {"num_heads": HEADS})
    assert "fc_norm.weight" in message and "a norm of the averaged tokens" in message


def test_a_class_token_without_a_position_is_the_reason(tmp_path):
    m = timm_tensors(48)
    m.tensors["pos_embed"] = m.tensors["pos_embed"][:, 1:]
    message = refused(tmp_path, m.tensors, {"num_heads": HEADS})
    assert "its pos_embed has a row for each patch and none for the class token (no_embed_class" in message
    assert "missing" not in message


def test_the_head_of_another_task_is_left_over(tmp_path):
    stored = gpt2_tensors(39)[0]
    stored["score.weight"] = stored["wte.weight"][:2]
    write_safetensors(tmp_path / "model.safetensors", stored)
    report = attend("import", tmp_path / "model.safetensors", config(tmp_path, **GPT2), "--to", tmp_path / "d.json")
    assert report["left"] == ["score.weight"]


def test_heads_of_timm_are_asked_for_where_no_release_tells(tmp_path):
    message = refused(tmp_path, timm_tensors(40).tensors, {"architecture": "vit_toy"})
    assert "number of heads" in message and "num_heads" in message and "config.json" in message


@pytest.mark.parametrize("width, heads", [(192, 3), (1280, 16)])
def test_heads_of_released_widths_are_assumed_and_reported(tmp_path, monkeypatch, width, heads):
    for module in (import_cases, sys.modules[__name__]):
        monkeypatch.setattr(module, "WIDTH", width)
    write_safetensors(tmp_path / "model.safetensors", timm_tensors(46).tensors)
    report = attend("import", tmp_path / "model.safetensors", "--to", tmp_path / "d.json")
    assert report["assumed"] == {"heads": heads} and report["sizes"]["heads"] == heads
    settings = config(tmp_path, num_heads=2)
    report = attend("import", tmp_path / "model.safetensors", settings, "--to", tmp_path / "d.json")
    assert report["assumed"] == {} and report["sizes"]["heads"] == 2


NEOX = {"model_type": "gpt_neox", "num_attention_heads": HEADS}


@pytest.mark.parametrize("settings", [
    {"rotary_pct": 1, "rope_scaling": {"type": "linear", "factor": 4.0}},
    {"rope_parameters": {"rope_type": "linear", "factor": 4.0, "rope_theta": 10000.0, "partial_rotary_factor": 1.0}}])
def test_rotations_of_neox_are_slowed(tmp_path, monkeypatch, settings):
    m = neox_tensors(41)
    write_safetensors(tmp_path / "model.safetensors", m.tensors)
    found = imported(tmp_path, [tmp_path / "model.safetensors", config(tmp_path, **NEOX, **settings)], IDS)[1]
    usual = forward.rotated
    monkeypatch.setattr(forward, "rotated", lambda x, width: usual(x, width=width, slowed=4))
    compare(found, neox(m.exact(), IDS, HEADS, 1))


@pytest.mark.parametrize("kind", ["dynamic", "yarn"])
def test_other_scalings_of_neox_are_refused(tmp_path, kind):
    message = refused(tmp_path, neox_tensors(42).tensors, {**NEOX, "rope_scaling": {"type": kind, "factor": 2.0}})
    assert kind in message and "rope_scaling" in message


def test_a_tied_table_wins_over_another_head(tmp_path):
    m = llama_tensors(43, HEADS)
    m.weight("lm_head.weight", WORDS, WIDTH)
    write_safetensors(tmp_path / "model.safetensors", m.tensors)
    settings = config(tmp_path, model_type="llama", num_attention_heads=HEADS, tie_word_embeddings=True)
    report, found = imported(tmp_path, [tmp_path / "model.safetensors", settings], IDS)
    assert report["tied"] == ["predict.W_c"] and report["left"] == ["lm_head.weight"]
    exact = m.exact()
    del exact["lm_head.weight"]
    compare(found, llama(exact, IDS, HEADS, HEADS))


def gguf_settings(**more):
    return {"general.architecture": "llama", "llama.attention.head_count": 4, "llama.attention.head_count_kv": 2,
            "llama.attention.layer_norm_rms_epsilon": 1e-5, "llama.rope.freq_base": 10000.0, **more}


@pytest.mark.parametrize("key", ["llama.rope.scale_linear", "llama.rope.scaling.factor"])
def test_gguf_scales_rotations_without_naming_a_kind(tmp_path, key):
    m = llama_tensors(44, 2, width=32, hidden=64)
    write_gguf(tmp_path / "model.gguf", gguf_settings(**{key: 4.0}), as_gguf(m.tensors, 2, 8))
    found = imported(tmp_path, [tmp_path / "model.gguf"], IDS)[1]
    compare(found, llama(m.exact(), IDS, HEADS, 2, 1e-5, slowed=4))


def test_gguf_that_rotates_a_part_of_each_head_is_refused(tmp_path):
    m = llama_tensors(45, 2, width=32, hidden=64)
    write_gguf(tmp_path / "model.gguf", gguf_settings(**{"llama.rope.dimension_count": 4}), as_gguf(m.tensors, 2, 8))
    message = attend("import", tmp_path / "model.gguf", "--to", tmp_path / "d.json", refused=True)
    assert "llama.rope.dimension_count" in message and "4" in message and "8" in message


def test_gguf_that_reads_later_words_is_refused(tmp_path):
    m = llama_tensors(47, 2, width=32, hidden=64)
    write_gguf(tmp_path / "model.gguf", gguf_settings(**{"llama.attention.causal": False}), as_gguf(m.tensors, 2, 8))
    message = attend("import", tmp_path / "model.gguf", "--to", tmp_path / "d.json", refused=True)
    assert "llama.attention.causal" in message and "false" in message
