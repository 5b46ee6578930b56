# SPDX-License-Identifier: Apache-2.0
"""`attend import`: further families that continue a text, by the names and settings of their releases. In float they
give the numbers of torch_families.py within 1e-4, and the same document in double within 1e-9."""
import json
import os
import subprocess

import numpy as np
import pytest
import torch_families as by_torch
from checkpoints import write_safetensors
from family_cases import (bloom_tensors, codegen_tensors, falcon_tensors, gemma_tensors, gpt_tensors, gptj_tensors,
                          olmo_tensors, opt_tensors, phi3_tensors, phi_tensors, stablelm_tensors)
from import_cases import HEADS, IDS, LAYERS, LENGTH, WIDTH, attend, compare, config, imported, llama_tensors
from judge import ROOT


def precise(folder, output="predict.logits"):
    """What the imported document gives in double."""
    done = subprocess.run([os.path.join(ROOT, "build", "bin", "attend64"), "run", folder / "document.json"],
                          capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    result = json.loads(done.stdout)["outputs"][output]
    return np.array(result["data"]).reshape(result["shape"])


def check(folder, tensors, settings, expected, prefix="model.", output="predict.logits", ids=IDS):
    """Imports a checkpoint, with everything but heads behind the prefix, and compares both precisions."""
    stored = {("" if name.startswith("lm_head") else prefix) + name: array for name, array in tensors.items()}
    write_safetensors(folder / "model.safetensors", stored)
    report, found = imported(folder, [folder / "model.safetensors", config(folder, **settings)], ids, output)
    assert report["left"] == []
    expected = expected.numpy()
    compare(found, expected)
    compare(precise(folder, output), expected, 1e-9)
    return report


def check_words(folder):
    """Words that are written one row at a time are those that the whole text gives."""
    answer = attend("write", folder / "document.json", "--ids", json.dumps(IDS), "--words", 4)
    assert "whole" not in answer, answer["whole"]
    document = json.loads((folder / "document.json").read_text())
    document["inputs"]["text"] = {"shape": [len(answer["ids"]) - 1, 1], "data": answer["ids"][:-1]}
    (folder / "document.json").write_text(json.dumps(document))
    result = attend("run", folder / "document.json")["outputs"]["predict.logits"]
    rows = np.array(result["data"]).reshape(result["shape"])
    assert rows.argmax(1)[len(IDS) - 1:].tolist() == answer["ids"][len(IDS):]


def check_text(folder, *arguments):
    report = check(folder, *arguments)
    check_words(folder)
    return report


def refused(folder, tensors, settings, *words):
    write_safetensors(folder / "model.safetensors", tensors)
    message = attend("import", folder / "model.safetensors", config(folder, **settings), "--to", folder / "d.json",
                     refused=True)
    for word in words:
        assert word in message, message


LIKE = {"num_attention_heads": HEADS, "num_hidden_layers": LAYERS, "tie_word_embeddings": True}


def test_gemma(tmp_path):
    m = gemma_tensors(61, 1, 8, 1)
    settings = {**LIKE, "model_type": "gemma", "head_dim": 8, "num_key_value_heads": 1, "rms_norm_eps": 1e-6,
                "hidden_act": "gelu", "hidden_activation": "gelu_pytorch_tanh"}
    check_text(tmp_path, m.tensors, settings, by_torch.gemma(m.exact(), IDS, HEADS, 1, 1, 8))


GEMMA2 = {**LIKE, "model_type": "gemma2", "head_dim": 8, "num_key_value_heads": 2, "rms_norm_eps": 1e-6,
          "hidden_activation": "gelu_pytorch_tanh", "query_pre_attn_scalar": 16, "sliding_window": 3,
          "attn_logit_softcapping": 2.0, "final_logit_softcapping": 3.0}


@pytest.mark.parametrize("kinds, slides", [(None, [0]), (["full_attention", "sliding_attention"], [1])])
def test_gemma_2(tmp_path, kinds, slides):
    m = gemma_tensors(62, 2, 8, 2)
    settings = {**GEMMA2, "layer_types": kinds}
    check_text(tmp_path, m.tensors, settings, by_torch.gemma(m.exact(), IDS, HEADS, 2, 2, 16, slides, 3, 2.0, 3.0))
    refused(tmp_path, m.tensors, {**settings, "query_pre_attn_scalar": -13}, "query_pre_attn_scalar")
    refused(tmp_path, m.tensors, {**settings, "layer_types": ["full_attention"]}, "layer_types")


@pytest.mark.parametrize("rotation", [
    {"rope_theta": 5000.0, "rope_local_base_freq": 50.0},
    {"rope_parameters": {"full_attention": {"rope_type": "default", "rope_theta": 5000.0},
                         "sliding_attention": {"rope_type": "default", "rope_theta": 50.0}}}])
def test_gemma_3(tmp_path, rotation):
    m = gemma_tensors(63, 1, 8, 3)
    settings = {**LIKE, "model_type": "gemma3_text", "head_dim": 8, "num_key_value_heads": 1, "rms_norm_eps": 1e-6,
                "hidden_activation": "gelu_pytorch_tanh", "query_pre_attn_scalar": 8, "sliding_window": 3,
                "sliding_window_pattern": 2, "final_logit_softcapping": None, **rotation}
    expected = by_torch.gemma(m.exact(), IDS, HEADS, 1, 3, 8, [0], 3, bases=(5000.0, 50.0))
    check_text(tmp_path, m.tensors, settings, expected)
    refused(tmp_path, m.tensors, {**settings, "attn_logit_softcapping": 50.0}, "attn_logit_softcapping")


def test_gemma_3_that_reads_both_ways(tmp_path):
    """EmbeddingGemma: a window is divided between both sides, and there is no next word."""
    m = gemma_tensors(60, 1, 8, 3)
    settings = {**LIKE, "model_type": "gemma3_text", "head_dim": 8, "num_key_value_heads": 1, "rms_norm_eps": 1e-6,
                "query_pre_attn_scalar": 8, "sliding_window": 4, "use_bidirectional_attention": True,
                "layer_types": ["sliding_attention", "full_attention"], "rope_theta": 5000.0}
    expected = by_torch.gemma(m.exact(), IDS, HEADS, 1, 3, 8, [0], 4, bases=(5000.0, 1e4), both=True)
    check(tmp_path, m.tensors, settings, expected, "", "norm.output")
    refused(tmp_path, llama_tensors(60, 2).tensors, {**LIKE, "use_bidirectional_attention": True},
            "use_bidirectional_attention")


@pytest.mark.parametrize("width", [640, 1152])
def test_words_of_gemma_are_multiplied_by_the_root_of_any_width(tmp_path, monkeypatch, width):
    m = gemma_tensors(64, 1, 8, 1)
    for name, array in m.tensors.items():  # other widths, made of the same numbers
        shape = [width if extent == WIDTH else extent for extent in array.shape]
        m.tensors[name] = np.resize(array, shape) * np.float32((WIDTH / width) ** 0.5 if array.ndim > 1 else 1)
    settings = {**LIKE, "model_type": "gemma", "head_dim": 8, "num_key_value_heads": 1}
    check_text(tmp_path, m.tensors, settings, by_torch.gemma(m.exact(), IDS, HEADS, 1, 1, 8))


@pytest.mark.parametrize("settings, rotates", [({"no_rope_layers": [1, 0]}, (True, False)),
                                               ({"no_rope_layer_interval": 2}, (True, False)), ({}, (True, True))])
def test_smollm3_does_not_rotate_in_every_layer(tmp_path, settings, rotates):
    m = llama_tensors(65, 2)
    settings = {**LIKE, "model_type": "smollm3", "num_key_value_heads": 2, "rope_theta": 300.0, **settings}
    check_text(tmp_path, m.tensors, settings, by_torch.llama_like(m.exact(), IDS, HEADS, 2, rotates, base=300.0))
    refused(tmp_path, m.tensors, {**settings, "no_rope_layers": [1]}, "no_rope_layers")


@pytest.mark.parametrize("settings, windows", [
    ({"model_type": "mistral", "sliding_window": 3}, (3, 3)), ({"model_type": "mistral", "sliding_window": None},) * 2,
    ({"model_type": "qwen2", "use_sliding_window": True, "sliding_window": 3, "max_window_layers": 1}, (None, 3)),
    ({"model_type": "qwen2", "use_sliding_window": False, "sliding_window": 3, "max_window_layers": 1}, (None, None)),
    ({"model_type": "llama", "sliding_window": 3}, (None, None))])
def test_windows(tmp_path, settings, windows):
    m = llama_tensors(66, 2, bias=settings["model_type"] == "qwen2")
    windows = (None, None) if isinstance(windows, dict) else windows
    settings = {**LIKE, "num_key_value_heads": 2, **settings}
    check_text(tmp_path, m.tensors, settings, by_torch.llama_like(m.exact(), IDS, HEADS, 2, windows=windows))


@pytest.mark.parametrize("parallel, bias", [(False, True), (False, False), (True, False)])
def test_stablelm(tmp_path, parallel, bias):
    m = stablelm_tensors(67, 2, parallel, bias)
    settings = {**LIKE, "model_type": "stablelm", "num_key_value_heads": 2, "layer_norm_eps": 1e-5,
                "partial_rotary_factor": 1 / 3 + 1e-9, "use_parallel_residual": parallel, "tie_word_embeddings": False}
    check_text(tmp_path, m.tensors, settings, by_torch.stablelm(m.exact(), IDS, HEADS, 2, 1 / 3 + 1e-9, parallel))
    m.norm("layers.0.self_attn.q_layernorm.norms.0", 6, False)
    refused(tmp_path, m.tensors, settings, "qk_layernorm")


@pytest.mark.parametrize("second", [False, True])
def test_olmo(tmp_path, second):
    m = olmo_tensors(68, 2, second)
    kind = {"model_type": "olmo2", "rms_norm_eps": 1e-6} if second else {"model_type": "olmo", "clip_qkv": None}
    settings = {**LIKE, "num_key_value_heads": 2, "tie_word_embeddings": False, **kind}
    check_text(tmp_path, m.tensors, settings, by_torch.olmo(m.exact(), IDS, HEADS, 2, second))
    if not second:
        refused(tmp_path, m.tensors, {**settings, "clip_qkv": 8.0}, "clip_qkv")


@pytest.mark.parametrize("groups", [HEADS, 2])
def test_phi(tmp_path, groups):
    m = phi_tensors(69, groups)
    settings = {"model_type": "phi", "num_attention_heads": HEADS, "num_key_value_heads": groups,
                "partial_rotary_factor": 0.4, "hidden_act": "gelu_new", "tie_word_embeddings": False}
    check_text(tmp_path, m.tensors, settings, by_torch.phi(m.exact(), IDS, HEADS, groups, 0.4))
    refused(tmp_path, m.tensors, {**settings, "qk_layernorm": True}, "qk_layernorm")
    refused(tmp_path, m.tensors, {**settings, "rope_scaling": {"type": "dynamic", "factor": 2.0}}, "dynamic")


@pytest.mark.parametrize("groups, window", [(HEADS, None), (2, 3)])
def test_phi_3(tmp_path, groups, window):
    m = phi3_tensors(70, groups)
    settings = {"model_type": "phi3", "num_attention_heads": HEADS, "num_key_value_heads": groups,
                "rms_norm_eps": 1e-5, "sliding_window": window, "tie_word_embeddings": False}
    check_text(tmp_path, m.tensors, settings, by_torch.phi3(m.exact(), IDS, HEADS, groups, window))
    refused(tmp_path, m.tensors, {**settings, "rope_scaling": {"type": "longrope", "short_factor": [1.0]}}, "longrope")


def test_gpt_j(tmp_path):
    m = gptj_tensors(71)
    settings = {"model_type": "gptj", "n_head": HEADS, "n_embd": WIDTH, "rotary_dim": 4, "tie_word_embeddings": False}
    check_text(tmp_path, m.tensors, settings, by_torch.gptj(m.exact(), IDS, HEADS, 4), "transformer.")
    refused(tmp_path, m.tensors, {**settings, "rotary_dim": 64}, "rotary_dim")


def test_codegen(tmp_path):
    m = codegen_tensors(78)
    settings = {"model_type": "codegen", "n_head": HEADS, "n_embd": WIDTH, "rotary_dim": 4, "n_ctx": LENGTH,
                "tie_word_embeddings": False}
    check_text(tmp_path, m.tensors, settings, by_torch.codegen(m.exact(), IDS, HEADS, 4), "transformer.")


def test_gpt_of_2018(tmp_path):
    m = gpt_tensors(79)
    settings = {"model_type": "openai-gpt", "n_head": HEADS, "n_embd": WIDTH, "n_positions": LENGTH, "afn": "gelu"}
    check_text(tmp_path, m.tensors, settings, by_torch.gpt(m.exact(), IDS, HEADS), "transformer.")


@pytest.mark.parametrize("before, narrow", [(True, None), (False, 10)])
def test_opt(tmp_path, before, narrow):
    m = opt_tensors(72, before, narrow)
    settings = {"model_type": "opt", "num_attention_heads": HEADS, "do_layer_norm_before": before,
                "max_position_embeddings": LENGTH, "word_embed_proj_dim": narrow or WIDTH}
    check_text(tmp_path, m.tensors, settings, by_torch.opt(m.exact(), IDS, HEADS, before), "model.decoder.")
    refused(tmp_path, m.tensors, {**settings, "do_layer_norm_before": not before}, "do_layer_norm_before")


def test_opt_without_scales_and_biases(tmp_path):
    """Galactica: matrices without biases, and norms without scales."""
    m = opt_tensors(80)
    m.tensors = {name: array for name, array in m.tensors.items() if not name.endswith("bias") and "norm" not in name}
    settings = {"model_type": "opt", "num_attention_heads": HEADS, "do_layer_norm_before": True, "enable_bias": False,
                "layer_norm_elementwise_affine": False, "activation_function": "gelu"}
    check_text(tmp_path, m.tensors, settings, by_torch.opt(m.exact(), IDS, HEADS, True, "gelu"), "model.decoder.")
    refused(tmp_path, m.tensors, {**settings, "layer_norm_elementwise_affine": True}, "final_layer_norm")


@pytest.mark.parametrize("heads, slopes", [(4, [2**-2, 2**-4, 2**-6, 2**-8]),
                                           (6, [2**-2, 2**-4, 2**-6, 2**-8, 2**-1, 2**-3])])
def test_bloom(tmp_path, heads, slopes):
    m = bloom_tensors(73, heads, WIDTH)
    settings = {"model_type": "bloom", "n_head": heads, "hidden_size": WIDTH, "n_layer": LAYERS}
    check_text(tmp_path, m.tensors, settings, by_torch.bloom(m.exact(), IDS, heads, slopes), "transformer.")
    refused(tmp_path, m.tensors, {**settings, "apply_residual_connection_post_layernorm": True}, "post_layernorm")


@pytest.mark.parametrize("groups, norms, parallel, bias", [(1, 1, True, False), (2, 2, True, False), (2, 1, True, True),
                                                           (1, 1, False, True), (HEADS, 1, True, False)])
def test_falcon(tmp_path, groups, norms, parallel, bias):
    m = falcon_tensors(74, groups, norms, parallel, bias)
    if groups == HEADS:  # then head by head, each with its query, key and value
        kind = {"new_decoder_architecture": False, "multi_query": False}
    else:
        kind = {"new_decoder_architecture": groups > 1, "multi_query": True}
    settings = {"model_type": "falcon", "num_attention_heads": HEADS, "num_kv_heads": groups, "alibi": False,
                "parallel_attn": parallel, **kind}
    expected = by_torch.falcon(m.exact(), IDS, HEADS, groups, norms, parallel)
    check_text(tmp_path, m.tensors, settings, expected, "transformer.")


def test_llama_3_2(tmp_path):
    """Its rotation is slowed by pairs, and the words' table predicts."""
    m = llama_tensors(75, 2, head=8)
    scaling = {"rope_type": "llama3", "factor": 32.0, "low_freq_factor": 1.0, "high_freq_factor": 4.0,
               "original_max_position_embeddings": 40}
    settings = {**LIKE, "model_type": "llama", "num_key_value_heads": 2, "head_dim": 8, "rope_theta": 50.0,
                "rms_norm_eps": 1e-6}
    expected = []
    for speed in 50.0 ** (-np.arange(0, 8, 2) / 8):  # after the published code
        turns = 40 * speed / (2 * np.pi)
        smooth = np.clip((turns - 1) / (4 - 1), 0, 1)
        expected.append((1 - smooth) * speed / 32 + smooth * speed)
    rows = by_torch.llama_like(m.exact(), IDS, HEADS, 2, speeds=expected)
    check_text(tmp_path, m.tensors, {**settings, "rope_scaling": scaling}, rows)
    check_text(tmp_path, m.tensors, {**settings, "rope_parameters": {**scaling, "rope_theta": 50.0}}, rows)
    assert (rows - by_torch.llama_like(m.exact(), IDS, HEADS, 2, base=50.0)).abs().max() > 1e-2


def test_ernie_turns_neighbours(tmp_path):
    m = llama_tensors(76, 2)
    settings = {**LIKE, "model_type": "ernie4_5", "num_key_value_heads": 2, "rms_norm_eps": 1e-6,
                "rope_theta": 500000.0, "use_bias": False}
    check_text(tmp_path, m.tensors, settings,
               by_torch.llama_like(m.exact(), IDS, HEADS, 2, base=500000.0, neighbours=True))
