# SPDX-License-Identifier: Apache-2.0
"""Forward passes in PyTorch and float64 of families that came later: Cohere 2, OLMo 3, EXAONE 4, StarCoder2, Arcee,
Nemotron, MPT, GPTBigCode, SigLIP. Written from the published code, with nothing of the engine in them."""
import math

import torch
import torch.nn.functional as F
from torch_families import Weights, attended, earlier, gated, projected, split, turned

ACT = {"gelu": F.gelu, "gelu_tanh": lambda x: F.gelu(x, approximate="tanh"), "relu2": lambda x: F.relu(x) ** 2}


def cohere2(w, ids, heads, groups, slides, window, logits):
    """Layers that slide rotate neighbours; the others read the whole text and rotate nothing."""
    w, n = Weights(w), len(ids)
    x = w["embed_tokens.weight"][ids]
    for i in range(2):
        p = w.at(f"layers.{i}.")
        y = p.layer_norm(x, "input_layernorm")
        q, k, v = projected(p, y, heads, groups)
        if i in slides:
            q, k = turned(q, neighbours=True), turned(k, neighbours=True)
        a = p.linear(attended(q, k, v, earlier(n, window if i in slides else None)), "self_attn.o_proj")
        x = x + a + gated(p, y, "mlp", "silu")
    return logits * (w.layer_norm(x, "norm") @ w["embed_tokens.weight"].T)


def norms_behind(w, ids, heads, groups, slides, window, rotates, whole_norms, speeds=None, size=1.0):
    """OLMo 3 and EXAONE 4: the norms of a layer come behind attention and feed-forward part. `speeds` and `size` hold
    for layers that do not slide; `whole_norms`: queries are normalised over all heads."""
    w, n = Weights(w), len(ids)
    x = w["embed_tokens.weight"][ids]
    for i in range(2):
        p = w.at(f"layers.{i}.")
        q, k, v = (p.linear(x, f"self_attn.{s}_proj") for s in "qkv")
        if whole_norms:
            q, k = p.rms_norm(q, "self_attn.q_norm", 1e-6), p.rms_norm(k, "self_attn.k_norm", 1e-6)
        q, k, v = split(q, heads), split(k, groups), split(v, groups)
        if not whole_norms:
            q, k = p.rms_norm(q, "self_attn.q_norm", 1e-6), p.rms_norm(k, "self_attn.k_norm", 1e-6)
        if rotates[i]:
            slowed = {} if i in slides else {"speeds": speeds}
            q, k = turned(q, **slowed), turned(k, **slowed)
            if i not in slides:
                q, k = size * q, size * k
        y = p.linear(attended(q, k, v, earlier(n, window if i in slides else None)), "self_attn.o_proj")
        x = x + p.rms_norm(y, "post_attention_layernorm", 1e-6)
        x = x + p.rms_norm(gated(p, x, "mlp", "silu"), "post_feedforward_layernorm", 1e-6)
    return w.rms_norm(x, "norm", 1e-6) @ w["lm_head.weight"].T


def ungated(w, ids, heads, groups, kind, names, window=None, share=1.0, act="gelu_tanh"):
    """StarCoder2, Arcee and Nemotron: a feed-forward part of two matrices. Nemotron adds 1 to the scales of norms."""
    w, n = Weights(w), len(ids)

    def norm(p, x, name):
        if kind == "arcee":
            return p.rms_norm(x, name, 1e-5)
        scale = p[name + ".weight"] + (1 if kind == "nemotron" else 0)
        return F.layer_norm(x, x.shape[-1:], scale, p[name + ".bias"], 1e-5)
    x = w["embed_tokens.weight"][ids]
    for i in range(2):
        p = w.at(f"layers.{i}.")
        q, k, v = projected(p, norm(p, x, "input_layernorm"), heads, groups)
        width = int(q.shape[-1] * share)
        q, k = turned(q, width=width), turned(k, width=width)
        x = x + p.linear(attended(q, k, v, earlier(n, window)), "self_attn.o_proj")
        y = ACT[act](p.linear(norm(p, x, "post_attention_layernorm"), "mlp." + names[0]))
        x = x + p.linear(y, "mlp." + names[1])
    table = w["lm_head.weight"] if w.has("lm_head.weight") else w["embed_tokens.weight"]
    return norm(w, x, "norm") @ table.T


def mpt(w, ids, heads, slopes=None, scale=None):
    w, n = Weights(w), len(ids)
    x = w["wte.weight"][ids]
    bias = earlier(n)[None]
    if slopes:  # the published code counts from the last key; softmax does not see the difference
        bias = bias + torch.tensor(slopes, dtype=x.dtype)[:, None, None] * torch.arange(1 - n, 1)[None, None]
    else:
        x = x + w["wpe.weight"][:n]
    for i in range(2):
        p = w.at(f"blocks.{i}.")
        q, k, v = (split(y, heads) for y in p.linear(p.layer_norm(x, "norm_1"), "attn.Wqkv").chunk(3, -1))
        x = x + p.linear(attended(q, k, v, bias, scale), "attn.out_proj")
        x = x + p.linear(F.gelu(p.linear(p.layer_norm(x, "norm_2"), "ffn.up_proj")), "ffn.down_proj")
    return w.layer_norm(x, "norm_f") @ w["wte.weight"].T


def bigcode(w, ids, heads):
    """GPT-2 with matrices [out in], whose heads share one key and one value, behind the queries."""
    w, n = Weights(w), len(ids)
    x = w["wte.weight"][ids] + w["wpe.weight"][:n]
    d = x.shape[1]
    for i in range(2):
        p = w.at(f"h.{i}.")
        q, k, v = p.linear(p.layer_norm(x, "ln_1"), "attn.c_attn").split([d, d // heads, d // heads], -1)
        y = attended(split(q, heads), k[None], v[None], earlier(n))
        x = x + p.linear(y, "attn.c_proj")
        x = x + p.linear(ACT["gelu_tanh"](p.linear(p.layer_norm(x, "ln_2"), "mlp.c_fc")), "mlp.c_proj")
    return w.layer_norm(x, "ln_f") @ w["wte.weight"].T


def falcon_rw(w, ids, heads, slopes):
    """Falcon RW: biases by distance, which are divided by the root of the width together with the scores."""
    w, n = Weights(w), len(ids)
    x = w["word_embeddings.weight"][ids]
    bias = torch.tensor(slopes, dtype=x.dtype)[:, None, None] * torch.arange(n)[None, None]
    for i in range(2):
        p = w.at(f"h.{i}.")
        qkv = p.linear(p.layer_norm(x, "input_layernorm"), "self_attention.query_key_value")
        q, k, v = qkv.reshape(n, heads, 3, -1).permute(2, 1, 0, 3)
        logits = (q @ k.transpose(1, 2) + bias) / math.sqrt(q.shape[-1])
        y = (torch.softmax(logits + earlier(n), -1) @ v).transpose(0, 1).flatten(1)
        x = x + p.linear(y, "self_attention.dense")
        y = F.gelu(p.linear(p.layer_norm(x, "post_attention_layernorm"), "mlp.dense_h_to_4h"))
        x = x + p.linear(y, "mlp.dense_4h_to_h")
    return w.layer_norm(x, "ln_f") @ w["word_embeddings.weight"].T


def siglip_layers(w, x, heads):
    for i in range(2):
        p = w.at(f"encoder.layers.{i}.")
        y = p.layer_norm(x, "layer_norm1", 1e-6)
        q, k, v = (split(p.linear(y, f"self_attn.{s}_proj"), heads) for s in "qkv")
        x = x + p.linear(attended(q, k, v, 0), "self_attn.out_proj")
        y = ACT["gelu_tanh"](p.linear(p.layer_norm(x, "layer_norm2", 1e-6), "mlp.fc1"))
        x = x + p.linear(y, "mlp.fc2")
    return x


def siglip_text(w, ids, heads):
    """The rows behind the last norm, and the vector of the text, which is made from the last row."""
    w = Weights(w)
    x = w["embeddings.token_embedding.weight"][ids] + w["embeddings.position_embedding.weight"][:len(ids)]
    x = w.layer_norm(siglip_layers(w, x, heads), "final_layer_norm", 1e-6)
    return x, w.linear(x[-1:], "head")


def siglip_picture(w, picture, heads):
    """All patches behind the last norm, and the vector that one learned query makes of them."""
    w = Weights(w)
    kernel = w["embeddings.patch_embedding.weight"]
    x = F.conv2d(torch.from_numpy(picture).permute(2, 0, 1)[None], kernel, w["embeddings.patch_embedding.bias"],
                 stride=kernel.shape[-1])[0].flatten(1).T + w["embeddings.position_embedding.weight"]
    rows = w.layer_norm(siglip_layers(w, x, heads), "post_layernorm", 1e-6)
    p = w.at("head.")
    mixed = F.multi_head_attention_forward(
        p["probe"].transpose(0, 1), rows[:, None], rows[:, None], rows.shape[1], heads, p["attention.in_proj_weight"],
        p["attention.in_proj_bias"], None, None, False, 0.0, p["attention.out_proj.weight"],
        p["attention.out_proj.bias"], training=False)[0][:, 0]
    inner = ACT["gelu_tanh"](p.linear(p.layer_norm(mixed, "layernorm", 1e-6), "mlp.fc1"))
    return rows, mixed + p.linear(inner, "mlp.fc2")
