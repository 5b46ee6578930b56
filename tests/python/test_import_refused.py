# SPDX-License-Identifier: Apache-2.0
"""What is wrong with a model that is imported, and in which file; nothing is written then."""
import json

import numpy as np
import pytest
from checkpoints import write_llama2c, write_llama2c_tokenizer, write_npz, write_safetensors
from import_cases import (GPT2, HIDDEN, LENGTH, SIZES, attend, config, gpt2_tensors, llama2c_tensors, scored_pieces)


@pytest.mark.parametrize("change, words", [
    ({"n_embd": 99}, ["config.json", "n_embd", "99", "24"]),
    ({"n_layer": 3}, ["config.json", "n_layer"]),
    ({"n_head": 5}, ["model.safetensors", "c_attn"]),
    ({"n_head": None}, ["number of heads", "config.json", "n_head"]),
    ({"model_type": "mamba"}, ["model_type", "mamba", "gpt2"]),
    ({"activation_function": "snake"}, ["snake", "activation_function"]),
    ({"n_head": 0}, ["config.json", "n_head", "number of heads", "gives 0"]),
    ({"n_head": "3"}, ["config.json", "n_head", "\"3\""]),
    ({"layer_norm_epsilon": -1}, ["config.json", "layer_norm_epsilon", "-1"]),
    ({"layer_norm_epsilon": "x"}, ["config.json", "layer_norm_epsilon", "epsilon of the norms"])])
def test_a_config_that_contradicts_its_tensors_is_refused(tmp_path, change, words):
    write_safetensors(tmp_path / "model.safetensors", gpt2_tensors(20)[0])
    settings = config(tmp_path, **{k: v for k, v in (GPT2 | change).items() if v is not None})
    message = attend("import", tmp_path / "model.safetensors", settings, "--to", tmp_path / "d.json", refused=True)
    for word in words:
        assert word in message, message
    assert not (tmp_path / "d.json").exists() and not (tmp_path / "d.safetensors").exists()


def test_nan_is_named_by_its_tensor_and_nothing_is_left(tmp_path):
    stored = gpt2_tensors(21)[0]
    stored["h.1.mlp.c_fc.weight"][3, 5] = np.nan
    write_safetensors(tmp_path / "model.safetensors", stored)
    settings = config(tmp_path, **GPT2)
    message = attend("import", tmp_path / "model.safetensors", settings, "--to", tmp_path / "d.json", refused=True)
    assert "h.1.mlp.c_fc.weight" in message and "NaN" in message and str(3 * HIDDEN + 5) in message
    assert sorted(p.name for p in tmp_path.iterdir()) == ["config.json", "model.safetensors"]


def test_a_missing_tensor_is_named(tmp_path):
    stored = gpt2_tensors(22)[0]
    del stored["h.1.ln_2.weight"]
    write_safetensors(tmp_path / "model.safetensors", stored)
    message = attend("import", tmp_path / "model.safetensors", config(tmp_path, **GPT2), "--to", tmp_path / "d.json",
                     refused=True)
    assert "h.1.ln_2.weight" in message and "missing" in message


def test_a_missing_tensor_of_the_first_layer_is_named_where_the_config_names_the_family(tmp_path):
    stored = gpt2_tensors(22)[0]
    del stored["h.0.mlp.c_fc.weight"]
    write_safetensors(tmp_path / "model.safetensors", stored)
    message = attend("import", tmp_path / "model.safetensors", config(tmp_path, **GPT2), "--to", tmp_path / "d.json",
                     refused=True)
    assert "config.json" in message and "gpt2" in message and "missing: h.0.mlp.c_fc.weight" in message


@pytest.mark.parametrize("own", [np.int8, np.uint8, np.int16, np.int32, np.int64, np.bool_])
def test_whole_numbers_are_no_weights(tmp_path, own):
    stored = gpt2_tensors(27)[0]
    stored["h.1.mlp.c_fc.weight"] = stored["h.1.mlp.c_fc.weight"].astype(own)
    write_npz(tmp_path / "model.npz", stored)
    message = attend("import", tmp_path / "model.npz", config(tmp_path, **GPT2), "--to", tmp_path / "d.json",
                     refused=True)
    assert "h.1.mlp.c_fc.weight" in message and "whole numbers" in message and np.dtype(own).str in message


def test_a_number_beyond_half_precision_is_refused_for_half_alone(tmp_path):
    stored = gpt2_tensors(28)[0]
    stored["wpe.weight"][2, 1] = -1e5
    write_safetensors(tmp_path / "model.safetensors", stored)
    files = [tmp_path / "model.safetensors", config(tmp_path, **GPT2)]
    attend("import", *files, "--to", tmp_path / "d.json")
    message = attend("import", *files, "--half", "--to", tmp_path / "h.json", refused=True)
    place = 2 * stored["wpe.weight"].shape[1] + 1
    assert "wpe.weight" in message and "-1e+05" in message and "65504" in message and f"position {place}," in message
    assert not (tmp_path / "h.json").exists()


def test_the_tokenizer_of_another_model_is_refused(tmp_path):
    write_llama2c(tmp_path / "model.bin", SIZES, llama2c_tensors(23).tensors)
    write_llama2c_tokenizer(tmp_path / "tok40.bin", scored_pieces(40))
    files = [tmp_path / "model.bin", tmp_path / "tok40.bin"]
    message = attend("import", *files, "--to", tmp_path / "d.json", refused=True)
    assert "tok40.bin" in message and "40" in message and "23" in message


def test_two_models_at_once_are_refused(tmp_path):
    write_safetensors(tmp_path / "a.safetensors", gpt2_tensors(24)[0])
    write_safetensors(tmp_path / "b.safetensors", gpt2_tensors(25)[0])
    message = attend("import", tmp_path / "a.safetensors", tmp_path / "b.safetensors", "--to", tmp_path / "d.json",
                     refused=True)
    assert "a.safetensors" in message and "b.safetensors" in message


def test_a_text_longer_than_the_positions_is_refused(tmp_path):
    write_safetensors(tmp_path / "model.safetensors", gpt2_tensors(26)[0])
    attend("import", tmp_path / "model.safetensors", config(tmp_path, **GPT2), "--to", tmp_path / "d.json")
    message = attend("write", tmp_path / "d.json", "--ids", json.dumps([1] * (LENGTH + 1)), refused=True)
    assert str(LENGTH + 1) in message and str(LENGTH) in message


def test_a_family_that_is_not_known_is_named(tmp_path):
    write_safetensors(tmp_path / "model.safetensors", {"shared.weight": np.zeros((4, 4), np.float32)})
    message = attend("import", tmp_path / "model.safetensors", config(tmp_path, model_type="xlnet"), "--to",
                     tmp_path / "d.json", refused=True)
    assert "config.json" in message and "\"xlnet\"" in message and "shared.weight" in message
