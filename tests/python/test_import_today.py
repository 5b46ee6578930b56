# SPDX-License-Identifier: Apache-2.0
"""`attend import`: families that came later, by the names and settings of their releases. In float they give the
numbers of today_forward.py within 1e-4, and the same document in double within 1e-9."""
import math

import numpy as np
import pytest
import today_forward as today
import torch
import torch_families as by_torch
import wild_forward as wild
from family_cases import bloom_tensors, olmo_tensors
from checkpoints import write_safetensors
from import_cases import (HEADS, HIDDEN, IDS, LAYERS, LENGTH, WIDTH, WORDS, Maker, compare, config, gpt2_tensors,
                          imported, llama_tensors)
from pair_cases import T5, t5_tensors
from pair_forward import t5
from test_import_families import LIKE, check, check_text, refused
from test_import_wild import clip_tensors

HEAD = WIDTH // HEADS
TWO = {**LIKE, "num_key_value_heads": 2}


@pytest.mark.parametrize("kinds", [{"layer_types": ["sliding_attention", "full_attention"]},
                                   {"sliding_window_pattern": 2}])
def test_cohere_2(tmp_path, kinds):
    m = llama_tensors(101, 2)
    m.tensors = {name: array for name, array in m.tensors.items() if "post_attention" not in name}
    settings = {**TWO, "model_type": "cohere2", "layer_norm_eps": 1e-5, "logit_scale": 0.25, "sliding_window": 3,
                **kinds}
    check_text(tmp_path, m.tensors, settings, today.cohere2(m.exact(), IDS, HEADS, 2, [0], 3, 0.25))


YARN = {"rope_type": "yarn", "factor": 8.0, "original_max_position_embeddings": 32, "attention_factor": 1.2,
        "beta_fast": 32.0, "beta_slow": 1.0}


@pytest.mark.parametrize("rotation", [
    {"rope_theta": 1e4, "rope_scaling": YARN},
    {"rope_parameters": {"full_attention": {**YARN, "rope_theta": 1e4},
                         "sliding_attention": {"rope_type": "default", "rope_theta": 1e4}}}])
def test_olmo_3(tmp_path, rotation):
    """Layers with a window keep the unscaled rotation, as in the release and in llama.cpp."""
    m = olmo_tensors(102, 2, True)
    settings = {**TWO, "model_type": "olmo3", "rms_norm_eps": 1e-6, "tie_word_embeddings": False, "sliding_window": 3,
                "layer_types": ["sliding_attention", "full_attention"], "max_position_embeddings": 256, **rotation}
    expected = today.norms_behind(m.exact(), IDS, HEADS, 2, [0], 3, (True, True), True,
                                  wild.yarn(1e4, HEAD, 8, 32), 1.2)
    check_text(tmp_path, m.tensors, settings, expected)


@pytest.mark.parametrize("window, slides, rotates, kinds", [
    (None, (), (True, True), {"sliding_window_pattern": None}),
    (None, (), (True, True), {"sliding_window_pattern": 0, "layer_types": ["full_attention"] * 2}),
    (3, (0,), (True, False), {"sliding_window_pattern": 2}),
    (3, (0,), (True, False), {"sliding_window_pattern": "LLLG",
                               "layer_types": ["sliding_attention", "full_attention"]})])
def test_exaone_4(tmp_path, window, slides, rotates, kinds):
    m = olmo_tensors(103, 2, True)
    for i in range(LAYERS):
        m.norm(f"layers.{i}.self_attn.q_norm", HEAD, False)
        m.norm(f"layers.{i}.self_attn.k_norm", HEAD, False)
    settings = {**TWO, "model_type": "exaone4", "rms_norm_eps": 1e-6, "tie_word_embeddings": False,
                "sliding_window": window, **kinds}
    expected = today.norms_behind(m.exact(), IDS, HEADS, 2, slides, window, rotates, False)
    check_text(tmp_path, m.tensors, settings, expected)
    settings |= {"sliding_window_pattern": "LLLG", "layer_types": None}
    refused(tmp_path, m.tensors, settings, "sliding_window_pattern", "4 for", "layer_types")


def test_ministral(tmp_path):
    m = llama_tensors(104, 2)
    settings = {**TWO, "model_type": "ministral", "sliding_window": 3,
                "layer_types": ["full_attention", "sliding_attention"]}
    check_text(tmp_path, m.tensors, settings, by_torch.llama_like(m.exact(), IDS, HEADS, 2, windows=(None, 3)))


MINISTRAL = {**TWO, "model_type": "ministral3", "sliding_window": None, "max_position_embeddings": 256,
             "rope_parameters": {"rope_type": "yarn", "rope_theta": 1e4, "factor": 8.0, "beta_fast": 32.0,
                                 "beta_slow": 1.0, "original_max_position_embeddings": 32, "mscale": 1.0,
                                 "mscale_all_dim": 1.0, "llama_4_scaling_beta": 0.1}}


def test_ministral_3(tmp_path):
    """Both factors of yarn's waves cancel; up to the original length, queries are not scaled by their position."""
    m = llama_tensors(105, 2)
    expected = wild.like_llama(m.exact(), IDS, HEADS, 2, eps=1e-5, speeds=wild.yarn(1e4, HEAD, 8, 32), size=1)
    report = check_text(tmp_path, m.tensors, MINISTRAL, torch.from_numpy(expected))
    assert report["sizes"]["longest"] == 32
    rotation = {**MINISTRAL["rope_parameters"], "mscale_all_dim": 0.5}
    refused(tmp_path, m.tensors, {**MINISTRAL, "rope_parameters": rotation}, "mscale_all_dim")


def test_seed_oss(tmp_path):
    """Queries, keys and values have biases; the output of the heads has one only if the config says so."""
    m = llama_tensors(106, 2, bias=True)
    settings = {**TWO, "model_type": "seed_oss", "attention_bias": True, "attention_out_bias": False}
    check_text(tmp_path, m.tensors, settings, by_torch.llama_like(m.exact(), IDS, HEADS, 2))
    settings["attention_out_bias"] = True
    refused(tmp_path, m.tensors, settings, "o_proj.bias", "missing")
    for i in range(LAYERS):
        m.weight(f"layers.{i}.self_attn.o_proj.bias", WIDTH)
    check_text(tmp_path, m.tensors, settings, by_torch.llama_like(m.exact(), IDS, HEADS, 2))


def ungated_tensors(seed, names, bias, norm_bias):
    m = llama_tensors(seed, 2, bias)
    for i in range(LAYERS):
        p = f"layers.{i}."
        for name in ("gate", "up", "down"):
            del m.tensors[p + f"mlp.{name}_proj.weight"]
        m.linear(p + "mlp." + names[0], HIDDEN, WIDTH, bias)
        m.linear(p + "mlp." + names[1], WIDTH, HIDDEN, bias)
        if bias:
            m.weight(p + "self_attn.o_proj.bias", WIDTH)
    for name in [name for name in m.tensors if "norm" in name and norm_bias]:
        m.weight(name.replace("weight", "bias"), WIDTH, size=0.1)
    return m


@pytest.mark.parametrize("window", [None, 3])
def test_starcoder_2(tmp_path, window):
    names = ("c_fc", "c_proj")
    m = ungated_tensors(107, names, True, True)
    settings = {**TWO, "model_type": "starcoder2", "hidden_act": "gelu_pytorch_tanh", "norm_epsilon": 1e-5,
                "use_bias": True, "sliding_window": window}
    check_text(tmp_path, m.tensors, settings,
               today.ungated(m.exact(), IDS, HEADS, 2, "starcoder2", names, window))
    refused(tmp_path, m.tensors, {**settings, "use_bias": False}, "use_bias")
    bare = {name: array for name, array in m.tensors.items() if "proj.bias" not in name and "c_fc.bias" not in name}
    refused(tmp_path, bare, settings, "missing", "q_proj.bias", "mlp.up_proj.bias")


def test_arcee(tmp_path):
    names = ("up_proj", "down_proj")
    m = ungated_tensors(108, names, False, False)
    m.weight("lm_head.weight", WORDS, WIDTH)
    settings = {**TWO, "model_type": "arcee", "hidden_act": "relu2", "rms_norm_eps": 1e-5, "mlp_bias": False,
                "attention_bias": False, "tie_word_embeddings": False}
    check_text(tmp_path, m.tensors, settings,
               today.ungated(m.exact(), IDS, HEADS, 2, "arcee", names, act="relu2"))
    refused(tmp_path, m.tensors, {**settings, "attention_bias": True}, "missing", "q_proj.bias")


def test_nemotron(tmp_path):
    names = ("up_proj", "down_proj")
    m = ungated_tensors(109, names, False, True)
    for name in [name for name in m.tensors if name.endswith("norm.weight")]:
        m.tensors[name] -= 1
    m.weight("lm_head.weight", WORDS, WIDTH)
    settings = {**TWO, "model_type": "nemotron", "hidden_act": "relu2", "norm_eps": 1e-5, "head_dim": None,
                "partial_rotary_factor": 1 / 3 + 1e-9, "tie_word_embeddings": False}
    expected = today.ungated(m.exact(), IDS, HEADS, 2, "nemotron", names, share=1 / 3 + 1e-9, act="relu2")
    check_text(tmp_path, m.tensors, settings, expected)


def mpt_tensors(seed, positions):
    m = Maker(seed)
    m.weight("wte.weight", WORDS, WIDTH)
    if positions:
        m.weight("wpe.weight", LENGTH, WIDTH)
    for i in range(LAYERS):
        p = f"blocks.{i}."
        m.linear(p + "attn.Wqkv", 3 * WIDTH, WIDTH, False)
        m.linear(p + "attn.out_proj", WIDTH, WIDTH, False)
        m.linear(p + "ffn.up_proj", 4 * WIDTH, WIDTH, False)
        m.linear(p + "ffn.down_proj", WIDTH, 4 * WIDTH, False)
        m.norm(p + "norm_1", bias=False)
        m.norm(p + "norm_2", bias=False)
    m.norm("norm_f", bias=False)
    return m


@pytest.mark.parametrize("heads, slopes, scale", [
    (4, [2**-2, 2**-4, 2**-6, 2**-8], None), (6, [2**-2, 2**-4, 2**-6, 2**-8, 2**-1, 2**-3], 0.3), (4, None, None)])
def test_mpt(tmp_path, heads, slopes, scale):
    m = mpt_tensors(110, not slopes)
    inner = {"alibi": bool(slopes), "alibi_bias_max": 8, "attn_type": "multihead_attention", "clip_qkv": None,
             "softmax_scale": scale, "prefix_lm": False}
    settings = {"model_type": "mpt", "d_model": WIDTH, "n_heads": heads, "n_layers": LAYERS, "attn_config": inner,
                "max_seq_len": LENGTH, "no_bias": True, "logit_scale": None}
    check_text(tmp_path, m.tensors, settings, today.mpt(m.exact(), IDS, heads, slopes, scale), "transformer.")
    refused(tmp_path, m.tensors, {**settings, "attn_config": {**inner, "clip_qkv": 6}}, "clip_qkv")
    del settings["attn_config"]
    settings |= inner  # as the first releases
    check_text(tmp_path, m.tensors, settings, today.mpt(m.exact(), IDS, heads, slopes, scale), "transformer.")
    refused(tmp_path, m.tensors, {**settings, "attn_clip_qkv": 6}, "attn_clip_qkv")
    refused(tmp_path, m.tensors, {**settings, "prefix_lm": True}, "prefix_lm")


def test_gpt_bigcode(tmp_path):
    stored, exact = gpt2_tensors(111, linear=True)
    del stored["lm_head.weight"]
    for i in range(LAYERS):
        for end in ("weight", "bias"):
            name = f"h.{i}.attn.c_attn.{end}"
            stored[name], exact[name] = stored[name][:WIDTH + 2 * HEAD], exact[name][:WIDTH + 2 * HEAD]
    settings = {"model_type": "gpt_bigcode", "n_embd": WIDTH, "n_head": HEADS, "n_layer": LAYERS, "multi_query": True,
                "n_positions": LENGTH, "activation_function": "gelu_pytorch_tanh", "n_inner": HIDDEN}
    check_text(tmp_path, stored, settings, today.bigcode(exact, IDS, HEADS), "transformer.")
    refused(tmp_path, gpt2_tensors(112, linear=True)[0], settings, "multi_query")


@pytest.mark.parametrize("heads, slopes", [(4, [2**-2, 2**-4, 2**-6, 2**-8]),
                                           (6, [2**-2, 2**-4, 2**-6, 2**-8, 2**-1, 2**-3])])
def test_falcon_with_biases_by_distance(tmp_path, heads, slopes):
    m = bloom_tensors(113, heads, WIDTH)
    m.tensors = {name: array for name, array in m.tensors.items() if "embeddings_layernorm" not in name}
    settings = {"model_type": "falcon", "num_attention_heads": heads, "alibi": True, "parallel_attn": False,
                "multi_query": False, "new_decoder_architecture": False}
    check_text(tmp_path, m.tensors, settings, today.falcon_rw(m.exact(), IDS, heads, slopes), "transformer.")


def test_the_text_part_of_siglip(tmp_path):
    m = clip_tensors(114)
    m.weight("embeddings.token_embedding.weight", WORDS, WIDTH)
    m.weight("embeddings.position_embedding.weight", LENGTH, WIDTH)
    m.norm("final_layer_norm")
    m.linear("head", WIDTH, WIDTH)
    settings = {"model_type": "siglip_text_model", "num_attention_heads": HEADS, "hidden_act": "gelu_pytorch_tanh"}
    rows, vector = today.siglip_text(m.exact(), IDS, HEADS)
    check(tmp_path, m.tensors, settings, rows, "text_model.", "norm.output")
    check(tmp_path, m.tensors, settings, vector, "text_model.", "sentence.output")


def siglip_picture_tensors(seed):
    m = clip_tensors(seed)
    m.weight("embeddings.patch_embedding.weight", WIDTH, 3, 4, 4)
    m.weight("embeddings.patch_embedding.bias", WIDTH)
    m.weight("embeddings.position_embedding.weight", 4, WIDTH)
    m.norm("post_layernorm")
    m.weight("head.probe", 1, 1, WIDTH)
    m.weight("head.attention.in_proj_weight", 3 * WIDTH, WIDTH)
    m.weight("head.attention.in_proj_bias", 3 * WIDTH)
    m.linear("head.attention.out_proj", WIDTH, WIDTH)
    m.norm("head.layernorm")
    m.linear("head.mlp.fc1", HIDDEN, WIDTH)
    m.linear("head.mlp.fc2", WIDTH, HIDDEN)
    return m


@pytest.mark.parametrize("output", ["norm.output", "features.output"])
def test_the_picture_part_of_siglip(tmp_path, output):
    m = siglip_picture_tensors(116)
    picture = np.random.default_rng(117).standard_normal((8, 8, 3))
    settings = {"model_type": "siglip_vision_model", "num_attention_heads": HEADS, "image_size": 8, "patch_size": 4}
    rows, vector = today.siglip_picture(m.exact(), picture, HEADS)
    stored = {"vision_model." + name: array for name, array in m.tensors.items()}
    write_safetensors(tmp_path / "model.safetensors", stored)
    files = [tmp_path / "model.safetensors", config(tmp_path, **settings)]
    report, found = imported(tmp_path, files, output=output, image=picture)
    assert report["left"] == []
    compare(found, (rows if output == "norm.output" else vector).numpy())


@pytest.mark.parametrize("make, members, how", [
    ({}, {}, {}), ({"gated": True}, {"feed_forward_proj": "gated-gelu"}, {"act": "gated-gelu"}),
    ({"gated": True, "own": True}, {"model_type": "umt5", "feed_forward_proj": "gated-silu"}, {"act": "gated-silu"})])
def test_the_encoder_of_t5_by_itself(tmp_path, make, members, how):
    m = t5_tensors(118, **make)
    m.tensors = {name: array for name, array in m.tensors.items() if not name.startswith("decoder")}
    settings = {**T5, "architectures": ["T5EncoderModel"], **members}
    rows = t5(m.exact(), IDS, None, HEADS, most=12, **how)
    m.tensors["encoder.embed_tokens.weight"] = m.tensors["shared.weight"]
    check(tmp_path, m.tensors, settings, torch.from_numpy(rows), "", "norm.output")
    whole = {**settings, "architectures": ["T5ForConditionalGeneration"]}  # its first file alone
    refused(tmp_path, m.tensors, whole, "decoder", "all files", "T5EncoderModel")
    m.tensors["encoder.embed_tokens.weight"] = m.tensors["shared.weight"] + 1
    refused(tmp_path, m.tensors, settings, "which is a copy")


def test_gemma_3_of_texts_and_pictures_does_not_name_its_heads(tmp_path):
    """Its `text_config` leaves out what is as in the code: heads 256 wide."""
    m = llama_tensors(115, 1, norms=True, head=256)
    settings = {"model_type": "gemma3", "text_config": {"model_type": "gemma3_text", "hidden_size": WIDTH}}
    report = check(tmp_path, m.tensors, settings, by_torch.gemma(offset(m), IDS, HEADS, 1, 3, 256, (), 4096),
                   "language_model.model.")
    assert report["sizes"]["heads"] == HEADS and math.isclose(report["sizes"]["scalar"], 256)


def offset(m):
    """Norms as Gemma stores them; the sandwich's other norms are added."""
    for i in range(LAYERS):
        for name in ("pre_feedforward_layernorm", "post_feedforward_layernorm"):
            m.norm(f"layers.{i}.{name}", bias=False)
    for name in [name for name in m.tensors if "norm" in name]:
        m.tensors[name] = (m.tensors[name] - 1).astype(np.float32)
    return m.exact()
