# SPDX-License-Identifier: Apache-2.0
"""`attend import`: mixtures of experts, each against its published forward pass in NumPy, which computes only the
chosen experts of each row."""
import numpy as np
import pytest
from checkpoints import write_safetensors
from forward import attend as attended
from forward import causal, heads_of, rms_norm, silu, softmax
from import_cases import HEADS, HIDDEN, IDS, LAYERS, WIDTH, WORDS, Maker, attend, compare, config, imported
from test_import_families import check_words
from wild_forward import linear, speeds_of, turn

EXPERTS, INNER, SHARED = 5, 20, 12
LIKE = {"num_attention_heads": HEADS, "tie_word_embeddings": False}
GRANITE = {"embedding_multiplier": 3.0, "attention_multiplier": 0.2, "residual_multiplier": 0.4, "logits_scaling": 2.5}
MIXTRAL = {"gate_proj": "w1", "up_proj": "w3", "down_proj": "w2"}


def tensors(seed, groups, kind, bias=False, shared=0, dense=()):
    """By the names of the Qwen releases."""
    m = Maker(seed)
    m.weight("model.embed_tokens.weight", WORDS, WIDTH)
    head = WIDTH // HEADS
    for i in range(LAYERS + len(dense)):
        p = f"model.layers.{i}."
        for name, count in (("q", HEADS), ("k", groups), ("v", groups)):
            m.linear(p + f"self_attn.{name}_proj", count * head, WIDTH, bias)
        m.linear(p + "self_attn.o_proj", WIDTH, WIDTH, bias and kind != "qwen2_moe")
        for name in ("input_layernorm", "post_attention_layernorm"):
            m.norm(p + name, bias=False)
        for name, count in (("q", HEADS), ("k", groups)):
            if kind in ("qwen3_moe", "olmoe"):
                m.norm(p + f"self_attn.{name}_norm", head * (count if kind == "olmoe" else 1), False)
        if i in dense:
            gated(m, p + "mlp.", HIDDEN)
            continue
        m.weight(p + "mlp.gate.weight", EXPERTS, WIDTH, size=1)
        for e in range(EXPERTS):
            gated(m, p + f"mlp.experts.{e}.", INNER)
        if shared:
            gated(m, p + "mlp.shared_expert.", shared)
            if kind == "qwen2_moe":
                m.weight(p + "mlp.shared_expert_gate.weight", 1, WIDTH)
    m.norm("model.norm", bias=False)
    m.weight("lm_head.weight", WORDS, WIDTH)
    return m


def gated(m, p, inner):
    for name, outer, width in (("gate", inner, WIDTH), ("up", inner, WIDTH), ("down", WIDTH, inner)):
        m.linear(p + f"{name}_proj", outer, width, False)


def fed(w, p, x):
    return linear(w, p + "down_proj", silu(linear(w, p + "gate_proj", x)) * linear(w, p + "up_proj", x))


def mixed(w, p, x, top, normed):
    y = np.zeros_like(x)
    for t, row in enumerate(x):
        p_row = softmax(w[p + "gate.weight"] @ row)
        chosen = np.argsort(-p_row, kind="stable")[:top]
        total = p_row[chosen].sum() if normed else 1
        y[t] = sum(p_row[e] / total * fed(w, p + f"experts.{e}.", row) for e in chosen)
    if p + "shared_expert.up_proj.weight" in w:
        gate = w.get(p + "shared_expert_gate.weight")
        y = y + fed(w, p + "shared_expert.", x) * (1 if gate is None else 1 / (1 + np.exp(-x @ gate.T)))
    return y


def forward(w, kind, groups, top, normed, eps=1e-6, base=1e4, window=None, words=1, scores=None, sums=1, over=1):
    n, x = len(IDS), words * w["model.embed_tokens.weight"][IDS]
    for i in range(sum(name.endswith("q_proj.weight") for name in w)):
        p = f"model.layers.{i}."
        y = rms_norm(x, w[p + "input_layernorm.weight"], eps)
        q, k, v = (linear(w, p + f"self_attn.{c}_proj", y) for c in "qkv")
        if kind == "olmoe":
            q, k = (rms_norm(z, w[p + f"self_attn.{c}_norm.weight"], eps) for c, z in zip("qk", (q, k)))
        q, k, v = (heads_of(z, c) for z, c in zip((q, k, v), (HEADS, groups, groups)))
        if kind == "qwen3_moe":
            q, k = (rms_norm(z, w[p + f"self_attn.{c}_norm.weight"], eps) for c, z in zip("qk", (q, k)))
        q, k = (turn(z, speeds_of(base, z.shape[-1]), False, 1) for z in (q, k))
        x = x + sums * linear(w, p + "self_attn.o_proj", attended(q, k, v, causal(n, window), scores))
        y = rms_norm(x, w[p + "post_attention_layernorm.weight"], eps)
        routed = p + "mlp.gate.weight" in w
        x = x + sums * (mixed(w, p + "mlp.", y, top, normed) if routed else fed(w, p + "mlp.", y))
    return rms_norm(x, w["model.norm.weight"], eps) @ w["lm_head.weight"].T / over


def renamed(stored, kind):
    """As the release of this kind names and joins them."""
    if kind.startswith("granite"):
        return joined(stored)
    if kind != "mixtral":
        return stored
    new = {}
    for name, array in stored.items():
        for ours, theirs in MIXTRAL.items():
            if ".experts." in name:
                name = name.replace(ours, theirs)
        new[name.replace(".mlp.", ".block_sparse_moe.")] = array
    return new


def joined(stored):
    new = {name: array for name, array in stored.items() if ".mlp." not in name}
    for i in range(LAYERS):
        p = f"model.layers.{i}."
        gate, up, down = (np.stack([stored[f"{p}mlp.experts.{e}.{name}_proj.weight"] for e in range(EXPERTS)])
                          for name in ("gate", "up", "down"))
        new[p + "block_sparse_moe.input_linear.weight"] = np.concatenate([gate, up], 1)
        new[p + "block_sparse_moe.output_linear.weight"] = down
        new[p + "block_sparse_moe.router.layer.weight"] = stored[p + "mlp.gate.weight"]
        if p + "mlp.shared_expert.up_proj.weight" in stored:
            gate, up = (stored[f"{p}mlp.shared_expert.{name}_proj.weight"] for name in ("gate", "up"))
            new[p + "shared_mlp.input_linear.weight"] = np.concatenate([gate, up])
            new[p + "shared_mlp.output_linear.weight"] = stored[p + "mlp.shared_expert.down_proj.weight"]
    return new


@pytest.mark.parametrize("kind, groups, top, normed, settings, built, computed", [
    ("mixtral", 2, 2, True, {"num_local_experts": EXPERTS, "rope_theta": 500.0, "sliding_window": 3,
                             "rms_norm_eps": 1e-5}, {}, {"eps": 1e-5, "base": 500.0, "window": 3}),
    ("qwen2_moe", 1, 3, False, {"norm_topk_prob": False}, {"bias": True, "shared": SHARED}, {}),
    ("qwen2_moe", 4, 1, True, {"norm_topk_prob": True}, {"shared": SHARED, "dense": (1,)}, {}),
    ("qwen3_moe", 2, 4, True, {"norm_topk_prob": True, "num_experts": EXPERTS}, {}, {}),
    ("olmoe", 4, 2, False, {"norm_topk_prob": False, "rms_norm_eps": 1e-5}, {}, {"eps": 1e-5}),
    ("olmoe", 2, 5, True, {"norm_topk_prob": True, "clip_qkv": None}, {}, {"eps": 1e-5}),
    ("granitemoe", 2, 3, True, GRANITE, {}, {"words": 3.0, "scores": 0.2, "sums": 0.4, "over": 2.5}),
    ("granitemoeshared", 2, 3, True, GRANITE, {"shared": SHARED, "bias": True},
     {"words": 3.0, "scores": 0.2, "sums": 0.4, "over": 2.5})])
def test_mixtures_of_experts(tmp_path, kind, groups, top, normed, settings, built, computed):
    m = tensors(271, groups, kind, **built)
    write_safetensors(tmp_path / "model.safetensors", renamed(m.tensors, kind))
    bias = {"attention_bias": True} if built.get("bias") and kind.startswith("granite") else {}
    members = {**LIKE, "model_type": kind, "num_experts_per_tok": top, **settings, **bias}
    report, found = imported(tmp_path, [tmp_path / "model.safetensors", config(tmp_path, **members)], IDS)
    assert report["architecture"] == "llama-experts" and report["left"] == []
    compare(found, forward(m.exact(), kind, groups, top, normed, **computed))
    check_words(tmp_path)


@pytest.mark.parametrize("change, words", [
    (lambda t: t.pop("model.layers.1.mlp.experts.2.up_proj.weight"), ("expert 3", "expert 2 is missing")),
    (lambda t: t.update({"model.layers.0.mlp.experts.4.up_proj.weight": np.zeros((3, WIDTH), np.float32)}),
     ("[3 24]", "as in expert 0"))])
def test_experts_that_are_missing_or_differ_are_named(tmp_path, change, words):
    m = tensors(272, 2, "qwen3_moe")
    change(m.tensors)
    write_safetensors(tmp_path / "model.safetensors", m.tensors)
    settings = config(tmp_path, **LIKE, model_type="qwen3_moe", num_experts_per_tok=2)
    message = attend("import", tmp_path / "model.safetensors", settings, "--to", tmp_path / "d.json", refused=True)
    for word in words:
        assert word in message, message


@pytest.mark.parametrize("members, word", [
    ({"num_experts_per_tok": 6}, "larger than the number of experts"), ({}, "num_experts_per_tok"),
    ({"num_experts_per_tok": 2, "clip_qkv": 8.0}, "clip_qkv"),
    ({"num_experts_per_tok": 2, "num_experts": 4}, "num_experts"),
    ({"num_experts_per_tok": 2, "use_sliding_window": True}, "use_sliding_window")])
def test_settings_of_mixtures_that_are_refused(tmp_path, members, word):
    write_safetensors(tmp_path / "model.safetensors", tensors(273, 2, "olmoe").tensors)
    settings = config(tmp_path, **LIKE, model_type="olmoe", **members)
    message = attend("import", tmp_path / "model.safetensors", settings, "--to", tmp_path / "d.json", refused=True)
    assert word in message, message
