# SPDX-License-Identifier: Apache-2.0
"""Forward passes in NumPy of what releases in the wild vary: factors of Granite and Cohere, yarn, quick GELU, scores by
layer, register tokens, gates of DINOv2, CLIP. Written from the papers, with nothing of the engine in them."""
import math

import numpy as np
from forward import attend, causal, gelu, gelu_tanh, heads_of, layer_norm, rms_norm, silu

ACTS = {"gelu": gelu, "gelu_python": gelu, "gelu_new": gelu_tanh, "gelu_accurate": gelu_tanh, "silu": silu,
        "relu2": lambda x: np.maximum(x, 0) ** 2, "tanh": np.tanh,
        "quick_gelu": lambda x: x / (1 + np.exp(-1.702 * x))}


def speeds_of(base, width):
    return base ** (-np.arange(0, width, 2) / width)


def yarn(base, width, factor, length, fast=32, slow=1):
    """Peng et al. 2023: pairs that turn often keep their speed, pairs that turn rarely are slowed by the factor."""
    def pair(turns):
        return width * math.log(length / (turns * 2 * math.pi)) / (2 * math.log(base))
    low, high = max(math.floor(pair(fast)), 0), min(math.ceil(pair(slow)), width - 1)
    ramp = np.clip((np.arange(width // 2) - low) / ((high - low) or 0.001), 0, 1)
    return speeds_of(base, width) * (1 - ramp + ramp / factor)


def turn(x, speeds, neighbours, size):
    angle = np.arange(x.shape[1])[:, None] * speeds
    cos, sin, r, y = size * np.cos(angle), size * np.sin(angle), 2 * len(speeds), x.copy()
    a, b = (slice(0, r, 2), slice(1, r, 2)) if neighbours else (slice(0, r // 2), slice(r // 2, r))
    y[..., a], y[..., b] = x[..., a] * cos - x[..., b] * sin, x[..., a] * sin + x[..., b] * cos
    return y


def linear(w, name, x):
    return x @ w[name + ".weight"].T + w.get(name + ".bias", 0)


def like_llama(w, ids, heads, groups, eps=1e-6, speeds=None, size=1, act="silu", words=1, scores=None, sums=1,
               logits=1, cohere=False):
    def norm(x, name):
        if cohere:
            return layer_norm(x, w[name + ".weight"], 0, eps)
        return rms_norm(x, w[name + ".weight"], eps)

    def mixed(p, x):
        q, k, v = (heads_of(linear(w, p + f"self_attn.{c}_proj", x), n) for c, n in zip("qkv", (heads, groups, groups)))
        each = speeds_of(1e4, q.shape[-1]) if speeds is None else speeds
        q, k = turn(q, each, cohere, size), turn(k, each, cohere, size)
        return linear(w, p + "self_attn.o_proj", attend(q, k, v, causal(len(ids)), scores))

    def fed(p, x):
        return linear(w, p + "mlp.down_proj", ACTS[act](linear(w, p + "mlp.gate_proj", x))
                      * linear(w, p + "mlp.up_proj", x))
    x = words * w["embed_tokens.weight"][ids]
    for i in range(sum(name.endswith("q_proj.weight") for name in w)):
        p = f"layers.{i}."
        n = norm(x, p + "input_layernorm")
        x = x + sums * mixed(p, n)
        x = x + sums * fed(p, n if cohere else norm(x, p + "post_attention_layernorm"))
    return logits * norm(x, "norm") @ w.get("lm_head.weight", w["embed_tokens.weight"]).T


def gpt2(w, ids, heads, act="gelu_new", scaled=True, by_layer=False):
    def at(name, x):
        return x @ w[name + ".weight"] + w[name + ".bias"]

    def norm(name, x):
        return layer_norm(x, w[name + ".weight"], w[name + ".bias"], 1e-5)
    x = w["wte.weight"][ids] + w["wpe.weight"][:len(ids)]
    for i in range(sum(name.endswith("ln_1.weight") for name in w)):
        p = f"h.{i}."
        q, k, v = (heads_of(y, heads) for y in np.split(at(p + "attn.c_attn", norm(p + "ln_1", x)), 3, -1))
        scale = (q.shape[-1] ** -0.5 if scaled else 1) / (i + 1 if by_layer else 1)
        x = x + at(p + "attn.c_proj", attend(q, k, v, causal(len(ids)), scale))
        x = x + at(p + "mlp.c_proj", ACTS[act](at(p + "mlp.c_fc", norm(p + "ln_2", x))))
    return norm("ln_f", x) @ w.get("lm_head.weight", w["wte.weight"]).T


def patches_of(picture, side):
    """Rows of patches, each by channel, row and column, as a convolution's weight has them."""
    n, c = picture.shape[0] // side, picture.shape[2]
    return picture.reshape(n, side, n, side, c).transpose(0, 2, 4, 1, 3).reshape(n * n, -1)


def vit(w, picture, heads, act="gelu", eps=1e-12, side=4):
    """Also DINOv2: register tokens behind the first token, gates, LayerScale."""
    e = "embeddings."

    def norm(name, x):
        return layer_norm(x, w[name + ".weight"], w[name + ".bias"], eps)
    table = w[e + "patch_embeddings.projection.weight"]
    x = patches_of(picture, side) @ table.reshape(len(table), -1).T + w[e + "patch_embeddings.projection.bias"]
    x = np.concatenate([w[e + "cls_token"][0], x]) + w[e + "position_embeddings"][0]
    if e + "register_tokens" in w:
        x = np.concatenate([x[:1], w[e + "register_tokens"][0], x[1:]])
    for i in range(sum(name.endswith("query.weight") for name in w)):
        p = f"encoder.layer.{i}."
        n = norm(p + "norm1", x)
        q, k, v = (heads_of(linear(w, p + "attention.attention." + c, n), heads) for c in ("query", "key", "value"))
        x = x + linear(w, p + "attention.output.dense", attend(q, k, v)) * w.get(p + "layer_scale1.lambda1", 1)
        n = norm(p + "norm2", x)
        if p + "mlp.weights_in.weight" in w:
            gate, up = np.split(linear(w, p + "mlp.weights_in", n), 2, -1)
            n = linear(w, p + "mlp.weights_out", silu(gate) * up)
        else:
            n = linear(w, p + "mlp.fc2", ACTS[act](linear(w, p + "mlp.fc1", n)))
        x = x + n * w.get(p + "layer_scale2.lambda1", 1)
    return norm("layernorm", x)


def clip(w, x, heads, mask):
    for i in range(sum(name.endswith("q_proj.weight") for name in w)):
        p = f"encoder.layers.{i}."
        n = layer_norm(x, w[p + "layer_norm1.weight"], w[p + "layer_norm1.bias"], 1e-5)
        q, k, v = (heads_of(linear(w, p + f"self_attn.{c}_proj", n), heads) for c in "qkv")
        x = x + linear(w, p + "self_attn.out_proj", attend(q, k, v, mask))
        n = layer_norm(x, w[p + "layer_norm2.weight"], w[p + "layer_norm2.bias"], 1e-5)
        x = x + linear(w, p + "mlp.fc2", ACTS["quick_gelu"](linear(w, p + "mlp.fc1", n)))
    return x


def clip_text(w, ids, heads):
    x = w["embeddings.token_embedding.weight"][ids] + w["embeddings.position_embedding.weight"][:len(ids)]
    return layer_norm(clip(w, x, heads, causal(len(ids))), w["final_layer_norm.weight"], w["final_layer_norm.bias"],
                      1e-5)


def clip_picture(w, picture, heads):
    table = w["embeddings.patch_embedding.weight"]
    x = patches_of(picture, 4) @ table.reshape(len(table), -1).T
    x = np.concatenate([w["embeddings.class_embedding"][None], x]) + w["embeddings.position_embedding.weight"]
    x = clip(w, layer_norm(x, w["pre_layrnorm.weight"], w["pre_layrnorm.bias"], 1e-5), heads, None)
    return layer_norm(x[:1], w["post_layernorm.weight"], w["post_layernorm.bias"], 1e-5)
