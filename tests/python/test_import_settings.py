# SPDX-License-Identifier: Apache-2.0
"""Settings that a config leaves out, gives under another key, or denies: the import takes the original's value or
refuses them."""
import json

import family_cases
import import_cases
import numpy as np
import pytest
from checkpoints import write_gguf, write_safetensors
from family_cases import falcon_tensors, gemma_tensors, modernbert_tensors, nomic_tensors, olmo_tensors
from import_cases import HEADS, LAYERS, WIDTH, attend, config, llama_tensors, neox_tensors
from test_import_gguf import OF_LLAMA, renamed, settings
from test_import_today import ungated_tensors

LIKE = {"num_attention_heads": HEADS, "num_hidden_layers": LAYERS, "tie_word_embeddings": True}


def layers(folder, tensors, members):
    """The attention of each block, as the import writes it."""
    write_safetensors(folder / "model.safetensors", tensors)
    attend("import", folder / "model.safetensors", config(folder, **members), "--to", folder / "d.json")
    model = json.loads((folder / "d.json").read_text())["model"]
    return [module["attention"] for module in model if "attention" in module]


def refused(folder, tensors, members):
    write_safetensors(folder / "model.safetensors", tensors)
    return attend("import", folder / "model.safetensors", config(folder, **members), "--to", folder / "d.json",
                  refused=True)


def windows(attention):
    return [[m["window"] for m in a["mask"] if isinstance(m, dict)] for a in attention]


@pytest.mark.parametrize("kind, count, scale", [(2, 46, 1 / 12), (2, 45, None), (3, 62, 168 ** -0.5), (3, 61, None)])
def test_gguf_of_gemma_27b_divides_scores_by_its_own_number(tmp_path, monkeypatch, kind, count, scale):
    """GGUF does not give the number: 27B has the width for each head, 144 and 168, and not the width of a head."""
    for module in (import_cases, family_cases):
        monkeypatch.setattr(module, "LAYERS", count)
    m, family, width = gemma_tensors(1, 2, 8, kind), f"gemma{kind}", HEADS * (144 if kind == 2 else 168)
    for name, array in m.tensors.items():
        m.tensors[name] = np.resize(array, [width if extent == WIDTH else extent for extent in array.shape])
    more = {"attention.head_count_kv": 2, "attention.key_length": 8, "attention.layer_norm_rms_epsilon": 1e-6,
            "attention.sliding_window": 3, "embedding_length": width, "block_count": count}
    of_gemma = OF_LLAMA | {"post_attention_layernorm": "post_attention_norm"}
    write_gguf(tmp_path / "model.gguf", settings(family, **more), renamed(m.tensors, "layers.", of_gemma))
    attend("import", tmp_path / "model.gguf", "--to", tmp_path / "d.json")
    model = json.loads((tmp_path / "d.json").read_text())["model"]
    scores = [module["attention"].get("score") for module in model if "attention" in module]
    assert len(scores) == count
    assert all(score is None if scale is None else abs(score["scale"] - scale) < 1e-9 for score in scores), scores


def test_a_short_config_of_gemma_2_has_the_defaults(tmp_path):
    m = gemma_tensors(2, 2, 8, 2)
    short = {**LIKE, "model_type": "gemma2", "head_dim": 8, "num_key_value_heads": 2}
    for attention in layers(tmp_path, m.tensors, short):
        assert attention["alignment"]["cap"] == 50 and attention["score"]["scale"] == 1 / 16
    last = json.loads((tmp_path / "d.json").read_text())["model"][-1]
    assert last["name"] == "predict" and last["cap"] == 30
    whole = {**short, "query_pre_attn_scalar": 16, "attn_logit_softcapping": None, "final_logit_softcapping": None}
    assert all("alignment" not in one for one in layers(tmp_path, m.tensors, whole))
    assert "cap" not in json.loads((tmp_path / "d.json").read_text())["model"][-1]


def test_gemma_3_divides_scores_by_16_unless_told(tmp_path):
    m = gemma_tensors(3, 1, 8, 3)
    members = {**LIKE, "model_type": "gemma3_text", "head_dim": 8, "num_key_value_heads": 1}
    assert [one["score"]["scale"] for one in layers(tmp_path, m.tensors, members)] == [1 / 16] * LAYERS


def test_windows_of_qwen_begin_at_layer_29(tmp_path, monkeypatch):
    monkeypatch.setattr(import_cases, "LAYERS", 30)
    m = llama_tensors(4, 2, bias=True)
    members = {**LIKE, "model_type": "qwen2", "num_hidden_layers": 30, "num_key_value_heads": 2, "sliding_window": 3,
               "use_sliding_window": True}
    assert windows(layers(tmp_path, m.tensors, members)) == [[]] * 28 + [[2]] * 2


@pytest.mark.parametrize("kind", ["qwen2", "qwen3", "smollm3"])
def test_windows_that_the_config_denies_are_refused(tmp_path, kind):
    m = llama_tensors(5, 2, bias=kind == "qwen2", norms=kind == "qwen3")
    members = {**LIKE, "model_type": kind, "num_key_value_heads": 2, "sliding_window": 3, "use_sliding_window": False,
               "layer_types": ["full_attention", "sliding_attention"]}
    assert "use_sliding_window" in refused(tmp_path, m.tensors, members)
    assert windows(layers(tmp_path, m.tensors, {**members, "use_sliding_window": True})) == [[], [2]]
    members["layer_types"] = ["full_attention"] * 2
    assert windows(layers(tmp_path, m.tensors, members)) == [[], []]


FALCON = {"model_type": "falcon", "num_attention_heads": HEADS, "num_kv_heads": 1, "alibi": False}


@pytest.mark.parametrize("key", ["rope_type", "type"])
def test_a_scaled_rotation_has_several_keys(tmp_path, key):
    scaled = {"rope_parameters": {key: "longrope", "factor": 4.0, "rope_theta": 10000.0}}
    for tensors, members in ((falcon_tensors(6, 1, 1, True, False).tensors, FALCON),
                             (nomic_tensors(6).tensors, {"model_type": "nomic_bert", "n_head": HEADS}),
                             (neox_tensors(6).tensors, {"model_type": "gpt_neox", "num_attention_heads": HEADS}),
                             (llama_tensors(6, HEADS).tensors, {**LIKE, "model_type": "llama"})):
        assert "rope_parameters" in refused(tmp_path, tensors, {**members, **scaled})
        layers(tmp_path, tensors, {**members, "rope_parameters": {key: "default", "rope_theta": 10000.0}})


def test_the_rotation_of_long_texts_of_nomic_bert_is_refused(tmp_path):
    m, members = nomic_tensors(7), {"model_type": "nomic_bert", "n_head": HEADS}
    assert "rotary_scaling_factor" in refused(tmp_path, m.tensors, {**members, "rotary_scaling_factor": 2})
    layers(tmp_path, m.tensors, {**members, "rotary_scaling_factor": None})


def test_windows_of_modernbert_have_their_own_base(tmp_path):
    m = modernbert_tensors(8)
    members = {"model_type": "modernbert", "num_attention_heads": HEADS, "global_attn_every_n_layers": 3}
    bases = [a["position"][0]["base"] for a in layers(tmp_path, m.tensors, {**members, "global_rope_theta": 5000.0})]
    assert bases == [1e4] * 2
    for scaled in ({"rope_scaling": {"type": "linear", "factor": 2.0}}, {"rope_parameters": {"rope_type": "yarn"}}):
        assert "rope" in refused(tmp_path, m.tensors, {**members, **scaled})


@pytest.mark.parametrize("kind, eps, base, window", [
    ("exaone4", 1e-5, 1e4, 4095), ("olmo3", 1e-5, 5e5, 4095), ("olmo2", 1e-5, 1e4, None), ("ernie4_5", 1e-5, 5e5, None),
    ("ministral3", 1e-5, 1e4, None), ("ministral", 1e-6, 1e4, 4095), ("seed_oss", 1e-6, 1e4, None)])
def test_a_short_config_of_newer_families_has_the_defaults(tmp_path, kind, eps, base, window):
    m = olmo_tensors(9, 2, True) if kind.startswith("olmo") else llama_tensors(9, 2, norms=kind == "exaone4")
    if kind == "exaone4":
        for i in range(LAYERS):
            m.norm(f"layers.{i}.post_feedforward_layernorm", bias=False)
            del m.tensors[f"layers.{i}.input_layernorm.weight"]
    members = {**LIKE, "model_type": kind, "num_key_value_heads": 2}
    attention = layers(tmp_path, m.tensors, members)
    assert windows(attention) == [[] if window is None else [window]] * LAYERS
    model = json.loads((tmp_path / "d.json").read_text())["model"]
    assert [module["eps"] for module in model if "eps" in module] == [eps] * (LAYERS + 1)
    assert [one["position"][0]["base"] for one in attention] == [base] * LAYERS


YARN = {"rope_type": "yarn", "factor": 8.0, "original_max_position_embeddings": 32, "attention_factor": 1.2,
        "beta_fast": 16.0, "beta_slow": 2.0, "truncate": False}
OLMO3 = {**LIKE, "model_type": "olmo3", "num_key_value_heads": 2, "max_position_embeddings": 256, "sliding_window": 3,
         "layer_types": ["sliding_attention", "full_attention"]}


def test_each_kind_of_layer_of_olmo_3_has_its_own_rotation(tmp_path):
    """As transformers 5 writes it."""
    m = olmo_tensors(10, 2, True)

    def rotations(full):
        inner = {"full_attention": {**full, "rope_theta": 2e5}, "sliding_attention": {"rope_theta": 3e5}}
        return [one["position"][0] for one in layers(tmp_path, m.tensors, {**OLMO3, "rope_parameters": inner})]
    plain, scaled = rotations(YARN)
    assert plain == {"type": "pos-rope", "base": 3e5}
    assert scaled == {"type": "pos-rope", "base": 2e5, "scaling": "yarn", "factor": 8, "length": 32, "fast": 16,
                      "slow": 2, "truncate": False, "mscale": 1.2}
    llama3 = {"rope_type": "llama3", "factor": 8.0, "original_max_position_embeddings": 32, "low_freq_factor": 1.5,
              "high_freq_factor": 4.5}
    assert rotations(llama3)[1] == {"type": "pos-rope", "base": 2e5, "scaling": "llama3", "factor": 8, "length": 32,
                                    "low": 1.5, "high": 4.5}
    for scaling, name in ((YARN, "factor"), (llama3, "low_freq_factor")):
        short = {key: value for key, value in scaling.items() if key != name}
        assert name in refused(tmp_path, m.tensors, {**OLMO3, "rope_parameters": {"full_attention": short}})


@pytest.mark.parametrize("key", ["rope_scaling", "rope_parameters"])
@pytest.mark.parametrize("kind", ["llama", "arcee"])
def test_waves_of_yarn_that_are_equal_cancel(tmp_path, kind, key):
    """One factor alone has no effect, and a given factor of queries and keys counts instead of both."""
    m = ungated_tensors(11, ("up_proj", "down_proj"), False, False) if kind == "arcee" else llama_tensors(11, 2)
    members = {**LIKE, "model_type": kind, "num_key_value_heads": 2, "max_position_embeddings": 256}

    def with_waves(**waves):
        return {**members, key: {"rope_type": "yarn", "factor": 8.0, "original_max_position_embeddings": 32, **waves}}
    for waves, size in (({"mscale": 0.7, "mscale_all_dim": 0.7}, 1), ({"mscale": 0.7}, None),
                        ({"mscale_all_dim": 0.7}, None),
                        ({"mscale": 0.7, "mscale_all_dim": 1, "attention_factor": 1.2}, 1.2)):
        found = [one["position"][0].get("mscale") for one in layers(tmp_path, m.tensors, with_waves(**waves))]
        assert found == [size] * LAYERS
    assert "mscale_all_dim" in refused(tmp_path, m.tensors, with_waves(mscale=0.7, mscale_all_dim=1))
