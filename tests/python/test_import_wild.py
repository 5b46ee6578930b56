# SPDX-License-Identifier: Apache-2.0
"""Settings and names that releases in the wild have, each against a forward pass of its own (wild_forward.py), and
kinds of models that are refused by name."""
import json
import math

import numpy as np
import pytest
import wild_forward as wild
from checkpoints import write_gguf, write_safetensors
from family_cases import dinov2_tensors
from import_cases import (GPT2, HEADS, HIDDEN, IDS, LAYERS, LENGTH, WIDTH, WORDS, Maker, attend, bert_tensors, compare,
                          config, gpt2_tensors, imported, llama_tensors, neox_tensors)
from forward import BERT, DISTILBERT, bert, llama, neox
from test_import_gguf import OF_LLAMA, renamed, settings as gguf_settings

HEAD = WIDTH // HEADS
LIKE = {"num_attention_heads": HEADS, "num_key_value_heads": 2, "rms_norm_eps": 1e-6, "tie_word_embeddings": True,
        "max_position_embeddings": 64}


def check(folder, tensors, members, expected, output="predict.logits", prefix="", **more):
    stored = {prefix + name: array for name, array in tensors.items()}
    write_safetensors(folder / "model.safetensors", stored)
    files = [folder / "model.safetensors", config(folder, **members)]
    more = {"ids": IDS} if not more else more
    report, found = imported(folder, files, output=output, **more)
    compare(found, expected)
    return report


def refused(folder, names, members, *words):
    write_safetensors(folder / "model.safetensors", {n: np.ones((2, 2), np.float32) for n in names})
    message = attend("import", folder / "model.safetensors", config(folder, **members), "--to", folder / "d.json",
                     refused=True)
    for word in words:
        assert word in message, message


YARN = {"rope_type": "yarn", "factor": 4.0, "original_max_position_embeddings": 32}
GRANITE = {"embedding_multiplier": 12.0, "attention_multiplier": 0.2, "residual_multiplier": 0.22,
           "logits_scaling": 8.0}


@pytest.mark.parametrize("members, how", [
    ({"model_type": "granite", **GRANITE}, {"words": 12, "scores": 0.2, "sums": 0.22, "logits": 1 / 8}),
    ({"model_type": "granite"}, {"scores": 1}),
    ({"rope_scaling": YARN}, {"speeds": wild.yarn(1e4, HEAD, 4, 32), "size": 0.1 * math.log(4) + 1}),
    ({"rope_scaling": {"type": "yarn", "factor": 8.0, "beta_fast": 16, "beta_slow": 2, "attention_factor": 1.3}},
     {"speeds": wild.yarn(1e4, HEAD, 8, 64, 16, 2), "size": 1.3}),
    ({"rope_scaling": {"rope_type": "dynamic", "factor": 2.0}}, {}),
    ({"hidden_act": "relu2"}, {"act": "relu2"}), ({"hidden_act": "tanh"}, {"act": "tanh"}),
    ({"hidden_act": "gelu_accurate"}, {"act": "gelu_accurate"}), ({"hidden_act": "gelu_python"}, {"act": "gelu"})])
def test_models_like_llama(tmp_path, members, how):
    m = llama_tensors(1, 2)
    expected = wild.like_llama(m.exact(), IDS, HEADS, 2, **how)
    check(tmp_path, m.tensors, {"model_type": "llama", **LIKE, **members}, expected)


def test_cohere(tmp_path):
    m = llama_tensors(2, 2)
    m.tensors = {name: array for name, array in m.tensors.items() if "post_attention" not in name}
    members = {**LIKE, "model_type": "cohere", "layer_norm_eps": 1e-5, "logit_scale": 0.25}
    del members["rms_norm_eps"], members["tie_word_embeddings"]
    check(tmp_path, m.tensors, members, wild.like_llama(m.exact(), IDS, HEADS, 2, 1e-5, logits=0.25, cohere=True))


def test_granite_as_gguf(tmp_path):
    m = llama_tensors(3, 2)
    turned = {}
    for name, array in m.tensors.items():  # llama.cpp turns neighbours
        count = HEADS if "q_proj" in name else 2
        turn = "q_proj" in name or "k_proj" in name
        turned[name] = array.reshape(count, 2, HEAD // 2, -1).swapaxes(1, 2).reshape(array.shape) if turn else array
    more = {"attention.head_count_kv": 2, "attention.layer_norm_rms_epsilon": 1e-6, "attention.scale": 0.2,
            "embedding_scale": 12.0, "residual_scale": 0.22, "logit_scale": 8.0}
    write_gguf(tmp_path / "m.gguf", gguf_settings("granite", **more), renamed(turned, "layers.", OF_LLAMA))
    found = imported(tmp_path, [tmp_path / "m.gguf"], IDS)[1]
    compare(found, wild.like_llama(m.exact(), IDS, HEADS, 2, words=12, scores=0.2, sums=0.22, logits=1 / 8))


@pytest.mark.parametrize("prefix", ["language_model.model.", "model.language_model."])
def test_the_text_part_of_a_model_of_texts_and_pictures(tmp_path, prefix):
    m = llama_tensors(4, 2)
    stored = {prefix + name: array for name, array in m.tensors.items()}
    stored["vision_tower.patch.weight"] = np.ones((2, 2), np.float32)
    text = {**LIKE, "model_type": "llama"}
    del text["tie_word_embeddings"]
    report = check(tmp_path, stored, {"model_type": "llava", "text_config": text},
                   llama(m.exact(), IDS, HEADS, 2))
    assert report["left"] == ["vision_tower.patch.weight"]


@pytest.mark.parametrize("members, how", [
    ({"scale_attn_by_inverse_layer_idx": True, "reorder_and_upcast_attn": True}, {"by_layer": True}),
    ({"scale_attn_weights": False}, {"scaled": False}), ({"activation_function": "quick_gelu"}, {"act": "quick_gelu"}),
    ({"hidden_size": WIDTH, "num_attention_heads": HEADS, "num_hidden_layers": LAYERS, "n_embd": None, "n_head": None,
      "max_position_embeddings": LENGTH, "n_layer": None, "n_positions": None}, {})])
def test_settings_of_gpt2(tmp_path, members, how):
    stored, exact = gpt2_tensors(5)
    check(tmp_path, stored, {**GPT2, **members}, wild.gpt2(exact, IDS, HEADS, **how))


def test_the_config_that_mingpt_saves(tmp_path):
    stored, exact = gpt2_tensors(6, linear=True)
    turned = {name: array.T if array.ndim == 2 and name.startswith("h.") else array for name, array in exact.items()}
    members = {"system": {"seed": 1}, "model": {"model_type": None, "n_layer": LAYERS, "n_head": HEADS, "n_embd": WIDTH,
                                                "vocab_size": WORDS, "block_size": LENGTH}}
    check(tmp_path, stored, members, wild.gpt2(turned, IDS, HEADS))


def test_a_share_of_neox_has_two_names(tmp_path):
    m = neox_tensors(7)
    members = {"model_type": "gpt_neox", "num_attention_heads": HEADS, "partial_rotary_factor": 0.7}
    check(tmp_path, m.tensors, members, neox(m.exact(), IDS, HEADS, 0.7))


def test_bert_with_one_kind_of_segment_is_not_roberta(tmp_path):
    m = bert_tensors(8, BERT, "encoder.layer.")
    kinds = "embeddings.token_type_embeddings.weight"
    m.tensors[kinds] = m.tensors[kinds][:1]
    members = {"num_attention_heads": HEADS, "pad_token_id": 0, "type_vocab_size": 1}
    check(tmp_path, m.tensors, members, bert(m.exact(), IDS, HEADS, LAYERS), f"layer-{LAYERS}.output", "0.auto_model.")


@pytest.mark.parametrize("dense, act, names, members", [
    ("bert.pooler.dense", np.tanh, BERT, {"model_type": "bert", "architectures": ["BertForSequenceClassification"]}),
    (None, None, BERT, {"model_type": "bert", "architectures": ["BertForTokenClassification"]}),
    ("classifier.dense", np.tanh, BERT, {"model_type": "roberta", "pad_token_id": 1, "layer_norm_eps": 1e-12}),
    ("pre_classifier", lambda x: np.maximum(x, 0), DISTILBERT, {"model_type": "distilbert"})])
def test_heads_that_sort(tmp_path, dense, act, names, members):
    kind, distil = members["model_type"], names is DISTILBERT
    folder = "transformer.layer." if distil else "encoder.layer."
    m, head, last = bert_tensors(15, names, folder, not distil), Maker(16), "classifier"
    if kind == "roberta":
        last += ".out_proj"
    head.linear(last, 3, WIDTH)
    head.linear(dense or "bert.pooler.dense", WIDTH, WIDTH)  # older taggers keep a pooler that they do not use
    exact, w = m.exact(), head.exact()
    table = "embeddings.position_embeddings.weight"
    exact[table] = exact[table][2 if kind == "roberta" else 0:]
    rows = bert(exact, IDS, HEADS, LAYERS, folder, names)
    expected = wild.linear(w, last, act(wild.linear(w, dense, rows[:1])) if act else rows)
    stored = {f"{kind}.{name}": array for name, array in m.tensors.items()}
    heads = {"n_heads": HEADS} if distil else {"num_attention_heads": HEADS}
    report = check(tmp_path, {**stored, **head.tensors}, {**heads, **members}, expected, "classify.logits")
    assert report["left"] == []


PICTURE = np.random.default_rng(9).standard_normal((8, 8, 3))


@pytest.mark.parametrize("registers, gated, act", [(4, False, "gelu"), (0, True, "gelu"), (2, True, "gelu"),
                                                   (0, False, "quick_gelu")])
def test_dinov2(tmp_path, registers, gated, act):
    m = dinov2_tensors(10)
    if registers:
        m.weight("embeddings.register_tokens", 1, registers, WIDTH)
    for i in range(LAYERS if gated else 0):
        for name in ("fc1", "fc2"):
            for end in ("weight", "bias"):
                del m.tensors[f"encoder.layer.{i}.mlp.{name}.{end}"]
        m.linear(f"encoder.layer.{i}.mlp.weights_in", 2 * HIDDEN, WIDTH)
        m.linear(f"encoder.layer.{i}.mlp.weights_out", WIDTH, HIDDEN)
    members = {"model_type": "dinov2_with_registers" if registers else "dinov2", "num_attention_heads": HEADS,
               "layer_norm_eps": 1e-6, "hidden_act": act, "image_size": [8, 8], "patch_size": [4, 4]}
    expected = wild.vit(m.exact(), PICTURE, HEADS, act, 1e-6)
    check(tmp_path, m.tensors, members, expected, "norm.output", image=PICTURE)


def clip_tensors(seed):
    m = Maker(seed)
    for i in range(LAYERS):
        p = f"encoder.layers.{i}."
        for name in ("q_proj", "k_proj", "v_proj", "out_proj"):
            m.linear(p + "self_attn." + name, WIDTH, WIDTH)
        m.linear(p + "mlp.fc1", HIDDEN, WIDTH)
        m.linear(p + "mlp.fc2", WIDTH, HIDDEN)
        m.norm(p + "layer_norm1")
        m.norm(p + "layer_norm2")
    return m


def test_the_text_part_of_clip(tmp_path):
    m = clip_tensors(11)
    m.weight("embeddings.token_embedding.weight", WORDS, WIDTH)
    m.weight("embeddings.position_embedding.weight", LENGTH, WIDTH)
    m.norm("final_layer_norm")
    members = {"model_type": "clip_text_model", "num_attention_heads": HEADS, "hidden_act": "quick_gelu"}
    check(tmp_path, m.tensors, members, wild.clip_text(m.exact(), IDS, HEADS), "norm.output", "text_model.")


def test_the_picture_part_of_clip(tmp_path):
    m = clip_tensors(12)
    m.weight("embeddings.class_embedding", WIDTH)
    m.weight("embeddings.patch_embedding.weight", WIDTH, 3, 4, 4)
    m.weight("embeddings.position_embedding.weight", 5, WIDTH)
    m.norm("pre_layrnorm")
    m.norm("post_layernorm")
    members = {"model_type": "clip_vision_model", "num_attention_heads": HEADS, "image_size": 8}
    check(tmp_path, m.tensors, members, wild.clip_picture(m.exact(), PICTURE, HEADS), "norm.output", "vision_model.",
          image=PICTURE)


@pytest.mark.parametrize("members, words", [
    ({"model_type": "dbrx"}, ("mixture of experts", "dbrx")), ({"model_type": "whisper"}, ("sound", "known")),
    ({"model_type": "gpt_oss", "quantization_config": {"quant_method": "mxfp4"}}, ("MXFP4", "dequantize=True")),
    ({"model_type": "mamba"}, ("step by step",)), ({"model_type": "clip"}, ("CLIPTextModel",)),
    ({"model_type": "siglip"}, ("SiglipTextModel",)), ({"model_type": "siglip2"}, ("any shape", "model_type siglip")),
    ({"model_type": "beit"}, ("row and column",)), ({"model_type": "deberta-v2"}, ("distances",)),
    ({"model_type": "qwen3_5", "text_config": {"model_type": "qwen3_5_text"}}, ("step by step",)),
    ({"model_type": "gemma4", "text_config": {"model_type": "gemma4_text"}}, ("in every layer",))])
def test_other_kinds_of_models_are_refused_by_name(tmp_path, members, words):
    refused(tmp_path, ["model.embed_tokens.weight"], members, "config.json", *words)


@pytest.mark.parametrize("members, word", [
    ({"rope_scaling": {"rope_type": "yarn"}}, "factor"),
    ({"rope_scaling": {**YARN, "mscale": 1.0, "mscale_all_dim": 0.5}}, "mscale"),
    ({"rope_scaling": {"rope_type": "longrope"}}, "longrope"), ({"tie_word_embeddings": "yes"}, "tie_word_embeddings"),
    ({"model_type": "cohere", "use_qk_norm": True}, "use_qk_norm"), ({"hidden_act": "quick_gelu"}, "hidden_act")])
def test_settings_that_are_refused(tmp_path, members, word):
    write_safetensors(tmp_path / "model.safetensors", llama_tensors(13, 2).tensors)
    settings = config(tmp_path, **{"model_type": "llama", **LIKE, **members})
    message = attend("import", tmp_path / "model.safetensors", settings, "--to", tmp_path / "d.json", refused=True)
    assert word in message and "config.json" in message, message


def test_an_index_needs_a_map(tmp_path):
    write_safetensors(tmp_path / "model.safetensors", gpt2_tensors(14)[0])
    (tmp_path / "model.safetensors.index.json").write_text(json.dumps([1]))
    files = [tmp_path / "model.safetensors", tmp_path / "model.safetensors.index.json", config(tmp_path, **GPT2)]
    assert "weight_map" in attend("import", *files, "--to", tmp_path / "d.json", refused=True)
