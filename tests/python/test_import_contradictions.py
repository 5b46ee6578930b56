# SPDX-License-Identifier: Apache-2.0
"""Configs that do not go together with the tensors, and places at which nothing may be written."""
import json

import numpy as np
import pytest
import torch
from checkpoints import write_safetensors
from import_cases import (GPT2, HEADS, HIDDEN, LAYERS, WIDTH, WORDS, attend, config, gpt2_tensors, llama_tensors,
                          neo_tensors)

LLAMA = {"model_type": "llama", "num_attention_heads": HEADS}
FULL = {"factor": 2, "low_freq_factor": 1, "high_freq_factor": 4, "original_max_position_embeddings": 8}


def refused(folder, tensors, settings):
    write_safetensors(folder / "model.safetensors", tensors)
    message = attend("import", folder / "model.safetensors", config(folder, **settings), "--to", folder / "d.json",
                     refused=True)
    assert not (folder / "d.json").exists() and not (folder / "d.safetensors").exists()
    return message


def accepted(folder, tensors, settings):
    write_safetensors(folder / "model.safetensors", tensors)
    return attend("import", folder / "model.safetensors", config(folder, **settings), "--to", folder / "d.json")


@pytest.mark.parametrize("change, words", [
    ({"rope_scaling": "linear"}, ["rope_scaling", "rope_type"]),
    ({"rope_scaling": {"factor": 2}}, ["rope_scaling", "rope_type"]),
    ({"rope_scaling": {"rope_type": "linear"}}, ["linear", "factor"]),
    *[({"rope_scaling": {"rope_type": "llama3", **{k: v for k, v in FULL.items() if k != name}}}, ["llama3", name])
      for name in FULL],
    ({"max_position_embeddings": "many"}, ["max_position_embeddings", "many"]),
    ({"max_position_embeddings": True}, ["max_position_embeddings"]),
    ({"max_position_embeddings": 2.5}, ["max_position_embeddings", "2.5"]),
    ({"model_type": "qwen3"}, ["qwen3", "q_norm"])])
def test_a_config_of_llama_must_say_what_it_needs(tmp_path, change, words):
    tensors = llama_tensors(1, 2).tensors
    message = refused(tmp_path, tensors, LLAMA | change)
    for word in ["config.json", *words]:
        assert word in message, message
    for good in ({}, {"rope_scaling": None}, {"rope_scaling": {"rope_type": "llama3", **FULL}},
                 {"rope_scaling": {"type": "linear", "factor": 2}}, {"max_position_embeddings": 12}):
        accepted(tmp_path, tensors, LLAMA | good)


def test_biases_that_the_config_denies_are_refused(tmp_path):
    tensors = llama_tensors(2, 2, bias=True).tensors
    message = refused(tmp_path, tensors, LLAMA | {"attention_bias": False})
    assert "attention_bias" in message and "bias" in message
    accepted(tmp_path, tensors, LLAMA)


def test_a_bias_of_the_head_changes_the_result(tmp_path):
    for tensors, settings in ((gpt2_tensors(3)[0], GPT2), (llama_tensors(3, 2).tensors, LLAMA)):
        tensors["lm_head.weight"] = np.ones((WORDS, WIDTH), np.float32)
        accepted(tmp_path, tensors, settings | {"tie_word_embeddings": False})
        tensors["lm_head.bias"] = np.ones(WORDS, np.float32)
        assert "lm_head.bias" in refused_anew(tmp_path, tensors, settings | {"tie_word_embeddings": False})


def refused_anew(folder, tensors, settings):
    for name in ("d.json", "d.safetensors"):
        (folder / name).unlink(missing_ok=True)
    return refused(folder, tensors, settings)


def test_inner_widths_are_compared(tmp_path):
    message = refused(tmp_path, gpt2_tensors(4)[0], GPT2 | {"n_inner": 99})
    assert "n_inner" in message and "99" in message and str(HIDDEN) in message
    accepted(tmp_path, gpt2_tensors(4)[0], GPT2 | {"n_inner": None})


@pytest.mark.parametrize("kinds", [
    {"attention_types": [[["global", "local"], 2]]}, {"attention_types": [[["global"], 1]]}, {"attention_types": []},
    {"attention_types": "x"}, {"attention_types": [[["global", "locl"], 1]]}, {"attention_layers": ["global"]},
    {"attention_layers": ["global", "local"], "attention_types": [[["global"], 2]]}])
def test_gpt_neo_says_the_kind_of_each_layer(tmp_path, kinds):
    settings = {"model_type": "gpt_neo", "num_heads": HEADS, "num_layers": LAYERS, "window_size": 3}
    message = refused(tmp_path, neo_tensors(5).tensors, settings | kinds)
    assert next(iter(kinds)) in message
    accepted(tmp_path, neo_tensors(5).tensors, settings | {"attention_types": [[["global", "local"], 1]]})
    accepted(tmp_path, neo_tensors(5).tensors, settings | {"attention_types": [[["local"], 2]],
                                                   "attention_layers": ["local", "local"]})


def test_two_models_are_named_with_their_files(tmp_path):
    write_safetensors(tmp_path / "one.safetensors", gpt2_tensors(6)[0])
    write_safetensors(tmp_path / "two.safetensors", llama_tensors(6, 2).tensors)
    message = attend("import", tmp_path / "one.safetensors", tmp_path / "two.safetensors", "--to",
                     tmp_path / "d.json", refused=True)
    for word in ("two models", "gpt2", "one.safetensors", "llama", "two.safetensors"):
        assert word in message, message


def test_nothing_that_is_read_is_written_over_and_no_folder_is_a_document(tmp_path):
    write_safetensors(tmp_path / "model.safetensors", gpt2_tensors(7)[0])
    settings = config(tmp_path, **GPT2)
    before = settings.read_text()
    for to in ("config.json", "model.json", "x.safetensors", "", "folder/"):
        (tmp_path / "folder").mkdir(exist_ok=True)
        message = attend("import", tmp_path, "--to", f"{tmp_path}/{to}", refused=True)
        assert to.rstrip("/").replace("model.json", "model.safetensors") in message, message
    assert settings.read_text() == before and json.loads(before)["n_head"] == HEADS
    assert sorted(p.name for p in tmp_path.iterdir()) == ["config.json", "folder", "model.safetensors"]


def test_what_others_call_a_checkpoint_or_a_config_is_read(tmp_path):
    tensors = {name: torch.from_numpy(array.copy()) for name, array in gpt2_tensors(8)[0].items()}
    torch.save(tensors, tmp_path / "model.ckpt")
    config(tmp_path, **GPT2, model={"type": "minGPT's own"})
    assert attend("import", tmp_path, "--to", tmp_path / "d.json")["architecture"] == "gpt2"
