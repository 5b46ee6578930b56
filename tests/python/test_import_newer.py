# SPDX-License-Identifier: Apache-2.0
"""`attend import`: GLM-4, and ModernBERT as a decoder, each against its published forward pass in PyTorch.

And kinds that are not read from GGUF.
"""
import pytest
import torch
import torch.nn.functional as F
from checkpoints import write_gguf
from import_cases import HEADS, HIDDEN, IDS, LAYERS, WIDTH, WORDS, Maker, attend
from test_import_families import check, refused
from torch_families import Weights, attended, earlier, split, turned

HEAD = 8  # GLM's heads together may be wider than the model


def glm_tensors(seed, groups, bias, sandwich):
    m = Maker(seed)
    m.weight("embed_tokens.weight", WORDS, WIDTH)
    for i in range(LAYERS):
        p = f"layers.{i}."
        m.linear(p + "self_attn.q_proj", HEADS * HEAD, WIDTH, bias)
        m.linear(p + "self_attn.k_proj", groups * HEAD, WIDTH, bias)
        m.linear(p + "self_attn.v_proj", groups * HEAD, WIDTH, bias)
        m.linear(p + "self_attn.o_proj", WIDTH, HEADS * HEAD, False)
        m.linear(p + "mlp.gate_up_proj", 2 * HIDDEN, WIDTH, False)
        m.linear(p + "mlp.down_proj", WIDTH, HIDDEN, False)
        norms = ["input_layernorm", "post_attention_layernorm"]
        for name in norms + (["post_self_attn_layernorm", "post_mlp_layernorm"] if sandwich else []):
            m.norm(p + name, bias=False)
    m.norm("norm", bias=False)
    m.weight("lm_head.weight", WORDS, WIDTH)
    return m


def glm(w, ids, share, base, eps, sandwich):
    w, n = Weights(w), len(ids)
    x = w["embed_tokens.weight"][ids]
    for i in range(LAYERS):
        p = w.at(f"layers.{i}.")
        after = (lambda y, name, p=p: p.rms_norm(y, name, eps)) if sandwich else (lambda y, _: y)
        y = p.rms_norm(x, "input_layernorm", eps)
        q, k, v = (p.linear(y, f"self_attn.{one}_proj").unflatten(-1, (-1, HEAD)).transpose(0, 1) for one in "qkv")
        q, k = (turned(z, base, int(HEAD * share), neighbours=True) for z in (q, k))
        x = x + after(p.linear(attended(q, k, v, earlier(n)), "self_attn.o_proj"), "post_self_attn_layernorm")
        gate, up = p.linear(p.rms_norm(x, "post_attention_layernorm", eps), "mlp.gate_up_proj").chunk(2, -1)
        x = x + after(p.linear(F.silu(gate) * up, "mlp.down_proj"), "post_mlp_layernorm")
    return w.rms_norm(x, "norm", eps) @ w["lm_head.weight"].T


@pytest.mark.parametrize("kind, groups, bias, more, share, base, eps", [
    ("glm", 2, True, {"rope_theta": 500.0, "rms_norm_eps": 1e-5}, 0.5, 500.0, 1e-5),
    ("glm", HEADS, False, {}, 0.5, 10000.0, 1.5625e-7),
    ("glm4", 2, False, {"rope_parameters": {"rope_type": "default", "rope_theta": 500.0,
                                            "partial_rotary_factor": 0.25}}, 0.25, 500.0, 1.5625e-7),
    ("glm4", 2, True, {"partial_rotary_factor": 1.0}, 1.0, 10000.0, 1.5625e-7)])
def test_glm(tmp_path, kind, groups, bias, more, share, base, eps):
    m = glm_tensors(141, groups, bias, kind == "glm4")
    settings = {"model_type": kind, "num_attention_heads": HEADS, "num_key_value_heads": groups, "head_dim": HEAD,
                "attention_bias": bias, "tie_word_embeddings": False, **more}
    report = check(tmp_path, m.tensors, settings, glm(m.exact(), IDS, share, base, eps, kind == "glm4"))
    assert report["architecture"] == "glm"


def test_configs_that_contradict_glm_are_refused(tmp_path):
    m = glm_tensors(142, 2, True, False)
    settings = {"model_type": "glm", "num_attention_heads": HEADS}
    refused(tmp_path, m.tensors, {**settings, "attention_bias": False}, "attention_bias")
    refused(tmp_path, m.tensors, {**settings, "model_type": "glm4"}, "post_self_attn_layernorm.weight")
    refused(tmp_path, m.tensors, {**settings, "rope_scaling": {"type": "yarn", "factor": 2.0}}, "yarn")


def decoder_tensors(seed):
    m = Maker(seed)
    m.weight("model.embeddings.tok_embeddings.weight", WORDS, WIDTH)
    m.norm("model.embeddings.norm", bias=False)
    for i in range(3):
        p = f"model.layers.{i}."
        for name in ("q_proj", "k_proj", "v_proj", "Wo"):
            m.linear(p + "attn." + name, WIDTH, WIDTH, False)
        m.linear(p + "mlp.Wi", 2 * HIDDEN, WIDTH, False)
        m.linear(p + "mlp.Wo", WIDTH, HIDDEN, False)
        m.norm(p + "mlp_norm", bias=False)
        if i > 0:
            m.norm(p + "attn_norm", bias=False)
    m.norm("model.final_norm", bias=False)
    m.linear("lm_head.dense", WIDTH, WIDTH, False)
    m.norm("lm_head.norm", bias=False)
    m.weight("decoder.bias", WORDS)
    return m


def modernbert_decoder(w, ids, wholes, window, bases):
    w, n = Weights(w), len(ids)
    body = w.at("model.")
    x = body.layer_norm(body["embeddings.tok_embeddings.weight"][ids], "embeddings.norm")
    for i, whole in enumerate(wholes):
        p = body.at(f"layers.{i}.")
        y = x if i == 0 else p.layer_norm(x, "attn_norm")
        q, k, v = (split(p.linear(y, f"attn.{one}_proj"), HEADS) for one in "qkv")
        base = bases[0] if whole else bases[1]
        seen = earlier(n) if whole else earlier(n, window)
        x = x + p.linear(attended(turned(q, base), turned(k, base), v, seen), "attn.Wo")
        value, gate = p.linear(p.layer_norm(x, "mlp_norm"), "mlp.Wi").chunk(2, -1)
        x = x + p.linear(F.gelu(value) * gate, "mlp.Wo")
    rows = w.layer_norm(F.gelu(w.linear(body.layer_norm(x, "final_norm"), "lm_head.dense")), "lm_head.norm")
    return rows @ body["embeddings.tok_embeddings.weight"].T + w["decoder.bias"]


@pytest.mark.parametrize("members, wholes, bases", [
    ({}, (True, False, False), (160000.0, 160000.0)),
    ({"global_attn_every_n_layers": 2, "global_rope_theta": 5000.0, "local_rope_theta": 50.0},
     (True, False, True), (5000.0, 50.0)),
    ({"layer_types": ["sliding_attention", "full_attention", "sliding_attention"], "global_rope_theta": 5000.0,
      "local_rope_theta": 50.0}, (False, True, False), (5000.0, 50.0))])
def test_modernbert_as_a_decoder(tmp_path, members, wholes, bases):
    m = decoder_tensors(143)
    # Half of "local_attention" are the words of a window, of which the last is the word itself.
    expected = modernbert_decoder(m.exact(), IDS, wholes, 3, bases)
    assert not torch.allclose(expected, modernbert_decoder(m.exact(), IDS, wholes, 4, bases), atol=1e-3)
    settings = {"model_type": "modernbert-decoder", "num_attention_heads": HEADS, "local_attention": 6, **members}
    report = check(tmp_path, m.tensors, settings, expected, "")
    assert report["architecture"] == "modernbert-decoder"
    refused(tmp_path, m.tensors, {**settings, "layer_types": ["full_attention"]}, "layer_types")


@pytest.mark.parametrize("kind", ["glm4", "phi3", "t5", "modernbert"])
def test_families_that_are_not_read_as_gguf_are_named(tmp_path, kind):
    m = Maker(144)
    m.weight("token_embd.weight", WORDS, WIDTH)
    m.weight("blk.0.attn_q.weight", WIDTH, WIDTH)
    write_gguf(tmp_path / "m.gguf", {"general.architecture": kind}, m.tensors)
    message = attend("import", tmp_path / "m.gguf", "--to", tmp_path / "d.json", refused=True)
    assert f'"{kind}": models of its kind are not read from GGUF; give their safetensors' in message
