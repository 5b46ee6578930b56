# SPDX-License-Identifier: Apache-2.0
"""`attend import`: families as GGUF has them, by llama.cpp's names, with matrices that are [out in]."""
import json

import pytest
import torch_families as by_torch
from checkpoints import write_gguf
from family_cases import bloom_tensors, gemma_tensors, nomic_tensors, olmo_tensors, stablelm_tensors
from forward import BERT, bert, gpt2, neox
from import_cases import (HEADS, HIDDEN, IDS, LAYERS, LENGTH, WIDTH, as_gguf, attend, bert_tensors, compare,
                          gpt2_tensors, imported, llama_tensors, neox_tensors)

OF_GPT2 = {"wte": "token_embd", "wpe": "position_embd", "ln_f": "output_norm", "lm_head": "output", "ln_1": "attn_norm",
           "attn.c_attn": "attn_qkv", "attn.c_proj": "attn_output", "ln_2": "ffn_norm", "mlp.c_fc": "ffn_up",
           "mlp.c_proj": "ffn_down"}
OF_BERT = dict(zip(BERT, ("attn_q", "attn_k", "attn_v", "attn_output", "attn_output_norm", "ffn_up", "ffn_down",
                          "layer_output_norm")))
OF_BERT |= {"embeddings.word_embeddings": "token_embd", "embeddings.position_embeddings": "position_embd",
            "embeddings.token_type_embeddings": "token_types", "embeddings.LayerNorm": "token_embd_norm"}
OF_LLAMA = {"embed_tokens": "token_embd", "norm": "output_norm", "lm_head": "output", "input_layernorm": "attn_norm",
            "post_attention_layernorm": "ffn_norm", "pre_feedforward_layernorm": "ffn_norm",
            "post_feedforward_layernorm": "post_ffw_norm", "self_attn.q_norm": "attn_q_norm",
            "self_attn.k_norm": "attn_k_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k",
            "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output", "mlp.gate_proj": "ffn_gate",
            "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down"}
OF_BLOOM = {"word_embeddings": "token_embd", "word_embeddings_layernorm": "token_embd_norm", "ln_f": "output_norm",
            "input_layernorm": "attn_norm", "self_attention.query_key_value": "attn_qkv",
            "self_attention.dense": "attn_output", "post_attention_layernorm": "ffn_norm",
            "mlp.dense_h_to_4h": "ffn_up", "mlp.dense_4h_to_h": "ffn_down"}
OF_NEOX = {"embed_in": "token_embd", "embed_out": "output", "final_layer_norm": "output_norm",
           "input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm",
           "attention.query_key_value": "attn_qkv", "attention.dense": "attn_output", "mlp.dense_h_to_4h": "ffn_up",
           "mlp.dense_4h_to_h": "ffn_down"}


def renamed(tensors, folder, names):
    """{name: array}, without what GGUF leaves out."""
    found = {}
    for name, array in tensors.items():
        part, _, kind = name.rpartition(".")
        layer = ""
        if part.startswith(folder):
            number, _, part = part.removeprefix(folder).partition(".")
            layer = f"blk.{number}."
        if part in names:
            found[f"{layer}{names[part]}.{kind}"] = array
    return found


def settings(family, **more):
    return {"general.architecture": family, f"{family}.embedding_length": WIDTH, f"{family}.block_count": LAYERS,
            f"{family}.context_length": LENGTH, f"{family}.feed_forward_length": HIDDEN,
            f"{family}.attention.head_count": HEADS, **{f"{family}.{key}": value for key, value in more.items()}}


@pytest.mark.parametrize("own_output", [True, False])
def test_gpt2(tmp_path, own_output):
    stored, exact = gpt2_tensors(31, linear=True)
    if not own_output:
        del stored["lm_head.weight"]
        exact["lm_head.weight"] = exact["wte.weight"]
    write_gguf(tmp_path / "model.gguf", settings("gpt2", **{"attention.layer_norm_epsilon": 1e-5}),
               renamed(stored, "h.", OF_GPT2))
    report, found = imported(tmp_path, [tmp_path / "model.gguf"], IDS)
    assert report["architecture"] == "gpt2" and report["left"] == []
    assert report["title"].startswith("GPT-2")
    assert report["tied"] == ([] if own_output else ["predict.W_c"])
    compare(found, gpt2(exact, IDS, HEADS, linear=True))


def test_bert(tmp_path):
    m = bert_tensors(32, BERT, "encoder.layer.")
    write_gguf(tmp_path / "model.gguf",
               settings("bert", **{"attention.layer_norm_epsilon": 1e-12, "attention.causal": False}),
               renamed(m.tensors, "encoder.layer.", OF_BERT))
    report, found = imported(tmp_path, [tmp_path / "model.gguf"], IDS, f"layer-{LAYERS}.output")
    assert report["architecture"] == "bert" and report["left"] == []
    compare(found, bert(m.exact(), IDS, HEADS, LAYERS))


@pytest.mark.parametrize("kind, groups", [(1, 1), (2, 2), (3, 1)])
def test_gemma(tmp_path, kind, groups):
    """GGUF adds the 1 to the scales of the norms, and leaves queries and keys in the order of the release."""
    m = gemma_tensors(33, groups, 8, kind)
    family = ["gemma", "gemma2", "gemma3"][kind - 1]
    more = {"attention.head_count_kv": groups, "attention.key_length": 8, "attention.layer_norm_rms_epsilon": 1e-6}
    if kind > 1:
        more["attention.sliding_window"] = 3
    if kind == 2:
        more |= {"attn_logit_softcapping": 2.0, "final_logit_softcapping": 3.0}
    if kind == 3:
        more |= {"attention.sliding_window_pattern": 2, "rope.freq_base": 5000.0}
    stored = {name: array + 1 if name.endswith("norm.weight") else array for name, array in m.tensors.items()}
    of_gemma = OF_LLAMA | ({"post_attention_layernorm": "post_attention_norm"} if kind > 1 else {})
    write_gguf(tmp_path / "model.gguf", settings(family, **more), renamed(stored, "layers.", of_gemma))
    report, found = imported(tmp_path, [tmp_path / "model.gguf"], IDS)
    assert report["architecture"] == "llama" and report["left"] == []
    expected = by_torch.gemma(m.exact(), IDS, HEADS, groups, kind, 8, [0] if kind > 1 else [], 3,
                              *((2.0, 3.0) if kind == 2 else ()), bases=(5000.0 if kind == 3 else 1e4, 1e4))
    compare(found, expected.numpy())


def test_gemma_that_reads_both_ways(tmp_path):
    m = gemma_tensors(40, 1, 8, 3)
    more = {"attention.head_count_kv": 1, "attention.key_length": 8, "attention.layer_norm_rms_epsilon": 1e-6,
            "attention.sliding_window": 4, "attention.sliding_window_pattern": 2, "attention.causal": False,
            "rope.freq_base": 5000.0}
    stored = {name: array + 1 if name.endswith("norm.weight") else array for name, array in m.tensors.items()}
    names = OF_LLAMA | {"post_attention_layernorm": "post_attention_norm"}
    write_gguf(tmp_path / "model.gguf", settings("gemma-embedding", **more), renamed(stored, "layers.", names))
    found = imported(tmp_path, [tmp_path / "model.gguf"], IDS, "norm.output")[1]
    compare(found, by_torch.gemma(m.exact(), IDS, HEADS, 1, 3, 8, [0], 4, bases=(5000.0, 1e4), both=True).numpy())


def test_smollm3(tmp_path):
    """Every fourth layer does not rotate; those before it do, by neighbours."""
    m = llama_tensors(34, 2)
    stored = as_gguf(m.tensors, 2, WIDTH // HEADS)
    more = {"attention.head_count_kv": 2, "attention.layer_norm_rms_epsilon": 1e-6, "rope.freq_base": 10000.0}
    write_gguf(tmp_path / "model.gguf", settings("smollm3", **more), stored)
    found = imported(tmp_path, [tmp_path / "model.gguf"], IDS)[1]
    compare(found, by_torch.llama_like(m.exact(), IDS, HEADS, 2).numpy())
    layers = json.loads((tmp_path / "document.json").read_text())["model"][1:3]
    assert [layer["attention"]["position"][0]["type"] for layer in layers] == ["pos-rope", "pos-rope"]


def test_a_missing_tensor_is_named(tmp_path):
    stored = as_gguf(llama_tensors(36, 2).tensors, 2, WIDTH // HEADS)
    del stored["blk.0.attn_q.weight"]
    write_gguf(tmp_path / "model.gguf", settings("llama", **{"attention.head_count_kv": 2}), stored)
    message = attend("import", tmp_path / "model.gguf", "--to", tmp_path / "d.json", refused=True)
    assert "of the family llama, but 1 of its tensors are missing: layers.0.self_attn.q_proj.weight" in message


@pytest.mark.parametrize("parallel", [False, True])
def test_stablelm(tmp_path, parallel):
    m = stablelm_tensors(35, 2, parallel, True)
    more = {"attention.head_count_kv": 2, "attention.layer_norm_epsilon": 1e-5, "rope.dimension_count": 2,
            "use_parallel_residual": parallel}
    write_gguf(tmp_path / "model.gguf", settings("stablelm", **more), renamed(m.tensors, "layers.", OF_LLAMA))
    found = imported(tmp_path, [tmp_path / "model.gguf"], IDS)[1]
    compare(found, by_torch.stablelm(m.exact(), IDS, HEADS, 2, 1 / 3 + 1e-9, parallel).numpy())


@pytest.mark.parametrize("second", [False, True])
def test_olmo(tmp_path, second):
    m = olmo_tensors(36, 2, second)
    more = {"attention.head_count_kv": 2, "rope.freq_base": 10000.0,
            **({"attention.layer_norm_rms_epsilon": 1e-6} if second else {"attention.layer_norm_epsilon": 1e-5})}
    names = OF_LLAMA | {"post_attention_layernorm": "post_attention_norm"}
    stored = renamed(m.tensors, "layers.", names) if second else as_gguf(m.tensors, 2, WIDTH // HEADS)
    if not second:
        stored["output.weight"] = stored.pop("lm_head.weight")
    write_gguf(tmp_path / "model.gguf", settings("olmo2" if second else "olmo", **more), stored)
    found = imported(tmp_path, [tmp_path / "model.gguf"], IDS)[1]
    compare(found, by_torch.olmo(m.exact(), IDS, HEADS, 2, second).numpy())
    if second:
        write_gguf(tmp_path / "model.gguf", settings("olmo2", **more, **{"attention.sliding_window": 3}), stored)
        message = attend("import", tmp_path / "model.gguf", "--to", tmp_path / "x.json", refused=True)
        assert "OLMo 3" in message


OF_NOMIC = {"embeddings.word_embeddings": "token_embd", "embeddings.token_type_embeddings": "token_types",
            "emb_ln": "token_embd_norm", "attn.Wqkv": "attn_qkv", "attn.out_proj": "attn_output",
            "norm1": "attn_output_norm", "mlp.fc11": "ffn_up", "mlp.fc12": "ffn_gate", "mlp.fc2": "ffn_down",
            "norm2": "layer_output_norm"}


def test_nomic_bert(tmp_path):
    m = nomic_tensors(39)
    more = {"attention.layer_norm_epsilon": 1e-12, "attention.causal": False, "rope.freq_base": 1000.0}
    write_gguf(tmp_path / "model.gguf", settings("nomic-bert", **more), renamed(m.tensors, "encoder.layers.", OF_NOMIC))
    report, found = imported(tmp_path, [tmp_path / "model.gguf"], IDS, f"layer-{LAYERS}.output")
    assert report["architecture"] == "nomic-bert" and report["left"] == []
    compare(found, by_torch.nomic(m.exact(), IDS, HEADS, 1000.0).numpy())


def test_bloom(tmp_path):
    """The rows of queries, keys and values are apart there, not head by head."""
    m = bloom_tensors(37, HEADS, WIDTH)
    stored = renamed(m.tensors, "h.", OF_BLOOM)
    for name, array in stored.items():
        if "attn_qkv" in name:
            stored[name] = array.reshape(HEADS, 3, WIDTH // HEADS, -1).swapaxes(0, 1).reshape(array.shape)
    more = {"attention.layer_norm_epsilon": 1e-5, "feed_forward_length": 4 * WIDTH}
    write_gguf(tmp_path / "model.gguf", settings("bloom", **more), stored)
    report, found = imported(tmp_path, [tmp_path / "model.gguf"], IDS)
    assert report["architecture"] == "bloom" and report["left"] == []
    compare(found, by_torch.bloom(m.exact(), IDS, HEADS, [2**-2, 2**-4, 2**-6, 2**-8]).numpy())


@pytest.mark.parametrize("parallel", [True, False])
def test_neox(tmp_path, parallel):
    """Its tensors have the names of GPT-2's: the name of the family in the file tells them apart."""
    m = neox_tensors(38)
    stored = renamed(m.tensors, "layers.", OF_NEOX)
    for name, array in stored.items():
        if "attn_qkv" in name:  # the rows of all queries, then of all keys, then of all values
            stored[name] = array.reshape(HEADS, 3, WIDTH // HEADS, -1).swapaxes(0, 1).reshape(array.shape)
    more = {"attention.layer_norm_epsilon": 1e-5, "rope.dimension_count": 2, "use_parallel_residual": parallel}
    write_gguf(tmp_path / "model.gguf", settings("gptneox", **more), stored)
    report, found = imported(tmp_path, [tmp_path / "model.gguf"], IDS)
    assert report["architecture"] == "gpt-neox" and report["left"] == []
    compare(found, neox(m.exact(), IDS, HEADS, 1 / 3 + 1e-9, parallel))
