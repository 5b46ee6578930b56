# SPDX-License-Identifier: Apache-2.0
"""Forward passes of published families in NumPy and float64, from tensors by their published names: written from the
papers and from how the published models compute, with nothing of the engine in them."""
import numpy as np
import torch


def layer_norm(x, w, b, eps):
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + eps) * w + b


def rms_norm(x, w, eps):
    return x / np.sqrt((x * x).mean(-1, keepdims=True) + eps) * w


def softmax(x):
    x = np.exp(x - x.max(-1, keepdims=True))
    return x / x.sum(-1, keepdims=True)


def erf(x):
    return torch.erf(torch.from_numpy(np.ascontiguousarray(x))).numpy()


def gelu(x):
    return 0.5 * x * (1 + erf(x / np.sqrt(2)))


def gelu_tanh(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def silu(x):
    return x / (1 + np.exp(-x))


def rotated(x, base=10000.0, neighbours=False, width=None, slowed=1):
    """x [h n p]: the first `width` features of each head turn by their position; `slowed`: what divides each speed."""
    _, n, p = x.shape
    r = p if width is None else width
    angle = np.arange(n)[:, None] * base ** (-np.arange(0, r, 2) / r) / slowed
    cos, sin = np.cos(angle), np.sin(angle)
    first, second = (slice(0, r, 2), slice(1, r, 2)) if neighbours else (slice(0, r // 2), slice(r // 2, r))
    y = x.copy()
    y[..., first] = x[..., first] * cos - x[..., second] * sin
    y[..., second] = x[..., first] * sin + x[..., second] * cos
    return y


def heads_of(x, count):
    return x.reshape(len(x), count, -1).transpose(1, 0, 2)


def attend(q, k, v, allowed=None, scale=None):
    """q [h n p], k and v [g n p]: query head t reads key head t g / h. Gives [n h p]."""
    times = len(q) // len(k)
    k, v = np.repeat(k, times, 0), np.repeat(v, times, 0)
    scores = q @ k.transpose(0, 2, 1) * (q.shape[-1] ** -0.5 if scale is None else scale)
    if allowed is not None:
        scores = np.where(allowed, scores, -np.inf)
    return (softmax(scores) @ v).transpose(1, 0, 2).reshape(q.shape[1], -1)


def causal(n, window=None):
    gap = np.arange(n)[:, None] - np.arange(n)
    return (gap >= 0) & (gap < (window or n))


def gpt2(w, ids, heads, linear=False):
    mat = (lambda x: x.T) if linear else (lambda x: x)
    x = w["wte.weight"][ids] + w["wpe.weight"][:len(ids)]
    for i in range(sum(name.endswith("ln_1.weight") for name in w)):
        p = f"h.{i}."
        n = layer_norm(x, w[p + "ln_1.weight"], w[p + "ln_1.bias"], 1e-5)
        q, k, v = np.split(n @ mat(w[p + "attn.c_attn.weight"]) + w[p + "attn.c_attn.bias"], 3, -1)
        c = attend(heads_of(q, heads), heads_of(k, heads), heads_of(v, heads), causal(len(ids)))
        x = x + c @ mat(w[p + "attn.c_proj.weight"]) + w[p + "attn.c_proj.bias"]
        n = layer_norm(x, w[p + "ln_2.weight"], w[p + "ln_2.bias"], 1e-5)
        hidden = gelu_tanh(n @ mat(w[p + "mlp.c_fc.weight"]) + w[p + "mlp.c_fc.bias"])
        x = x + hidden @ mat(w[p + "mlp.c_proj.weight"]) + w[p + "mlp.c_proj.bias"]
    x = layer_norm(x, w["ln_f.weight"], w["ln_f.bias"], 1e-5)
    return x @ w.get("lm_head.weight", w["wte.weight"]).T


def gpt_neo(w, ids, heads, kinds, window):
    x = w["wte.weight"][ids] + w["wpe.weight"][:len(ids)]
    for i, kind in enumerate(kinds):
        p = f"h.{i}."
        n = layer_norm(x, w[p + "ln_1.weight"], w[p + "ln_1.bias"], 1e-5)
        q, k, v = (heads_of(n @ w[p + f"attn.attention.{s}_proj.weight"].T, heads) for s in "qkv")
        c = attend(q, k, v, causal(len(ids), window if kind == "local" else None), scale=1)
        x = x + c @ w[p + "attn.attention.out_proj.weight"].T + w[p + "attn.attention.out_proj.bias"]
        n = layer_norm(x, w[p + "ln_2.weight"], w[p + "ln_2.bias"], 1e-5)
        hidden = gelu_tanh(n @ w[p + "mlp.c_fc.weight"].T + w[p + "mlp.c_fc.bias"])
        x = x + hidden @ w[p + "mlp.c_proj.weight"].T + w[p + "mlp.c_proj.bias"]
    return layer_norm(x, w["ln_f.weight"], w["ln_f.bias"], 1e-5) @ w["wte.weight"].T


def neox(w, ids, heads, share, parallel=True):
    x = w["embed_in.weight"][ids]
    d = x.shape[1]
    for i in range(sum(name.endswith("input_layernorm.weight") for name in w)):
        p = f"layers.{i}."
        one = layer_norm(x, w[p + "input_layernorm.weight"], w[p + "input_layernorm.bias"], 1e-5)
        qkv = one @ w[p + "attention.query_key_value.weight"].T + w[p + "attention.query_key_value.bias"]
        q, k, v = qkv.reshape(len(ids), heads, 3, d // heads).transpose(2, 1, 0, 3)
        width = int(d // heads * share)
        c = attend(rotated(q, width=width), rotated(k, width=width), v, causal(len(ids)))
        a = c @ w[p + "attention.dense.weight"].T + w[p + "attention.dense.bias"]
        two = layer_norm(x if parallel else x + a, w[p + "post_attention_layernorm.weight"],
                         w[p + "post_attention_layernorm.bias"], 1e-5)
        hidden = gelu(two @ w[p + "mlp.dense_h_to_4h.weight"].T + w[p + "mlp.dense_h_to_4h.bias"])
        x = x + a + hidden @ w[p + "mlp.dense_4h_to_h.weight"].T + w[p + "mlp.dense_4h_to_h.bias"]
    return layer_norm(x, w["final_layer_norm.weight"], w["final_layer_norm.bias"], 1e-5) @ w["embed_out.weight"].T


def llama(w, ids, heads, groups, eps=1e-6, base=10000.0, slowed=1):
    x = w["embed_tokens.weight"][ids]
    for i in range(sum(name.endswith("input_layernorm.weight") for name in w)):
        p = f"layers.{i}."
        n = rms_norm(x, w[p + "input_layernorm.weight"], eps)
        q, k, v = (n @ w[p + f"self_attn.{s}_proj.weight"].T + w.get(p + f"self_attn.{s}_proj.bias", 0) for s in "qkv")
        q, k, v = heads_of(q, heads), heads_of(k, groups), heads_of(v, groups)
        if p + "self_attn.q_norm.weight" in w:
            q = rms_norm(q, w[p + "self_attn.q_norm.weight"], eps)
            k = rms_norm(k, w[p + "self_attn.k_norm.weight"], eps)
        q, k = rotated(q, base, slowed=slowed), rotated(k, base, slowed=slowed)
        x = x + attend(q, k, v, causal(len(ids))) @ w[p + "self_attn.o_proj.weight"].T
        n = rms_norm(x, w[p + "post_attention_layernorm.weight"], eps)
        gate = silu(n @ w[p + "mlp.gate_proj.weight"].T)
        x = x + (gate * (n @ w[p + "mlp.up_proj.weight"].T)) @ w[p + "mlp.down_proj.weight"].T
    return rms_norm(x, w["norm.weight"], eps) @ w.get("lm_head.weight", w["embed_tokens.weight"]).T


def llama2c(w, ids, heads, groups):
    x = w["tok_embeddings"][ids]
    for i in range(len(w["wq"])):
        n = rms_norm(x, w["attention_norm"][i], 1e-5)
        q, k, v = (heads_of(n @ w[s][i].T, c) for s, c in (("wq", heads), ("wk", groups), ("wv", groups)))
        c = attend(rotated(q, neighbours=True), rotated(k, neighbours=True), v, causal(len(ids)))
        x = x + c @ w["wo"][i].T
        n = rms_norm(x, w["ffn_norm"][i], 1e-5)
        x = x + (silu(n @ w["w1"][i].T) * (n @ w["w3"][i].T)) @ w["w2"][i].T
    return rms_norm(x, w["norm"], 1e-5) @ w.get("output", w["tok_embeddings"]).T


def bert_layer(w, x, p, names, heads, eps=1e-12):
    """One post-norm layer; `names` are those of q, k, v, output, norm, inner, outer, norm."""
    def lin(y, name):
        return y @ w[p + name + ".weight"].T + w[p + name + ".bias"]

    def norm(y, name):
        return layer_norm(y, w[p + name + ".weight"], w[p + name + ".bias"], eps)

    q, k, v, out, norm1, inner, outer, norm2 = names
    c = attend(*(heads_of(lin(x, one), heads) for one in (q, k, v)))
    x = norm(x + lin(c, out), norm1)
    return norm(x + lin(gelu(lin(x, inner)), outer), norm2)


BERT = ("attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
        "attention.output.LayerNorm", "intermediate.dense", "output.dense", "output.LayerNorm")
DISTILBERT = ("attention.q_lin", "attention.k_lin", "attention.v_lin", "attention.out_lin", "sa_layer_norm",
              "ffn.lin1", "ffn.lin2", "output_layer_norm")


def bert(w, ids, heads, layers, folder="encoder.layer.", names=BERT):
    e = "embeddings."
    x = w[e + "word_embeddings.weight"][ids] + w[e + "position_embeddings.weight"][:len(ids)]
    if e + "token_type_embeddings.weight" in w:
        x = x + w[e + "token_type_embeddings.weight"][0]
    x = layer_norm(x, w[e + "LayerNorm.weight"], w[e + "LayerNorm.bias"], 1e-12)
    for i in range(layers):
        x = bert_layer(w, x, f"{folder}{i}.", names, heads)
    return x


def patches(image, kernel, bias):
    """image [H W C], kernel [d C P P]: a convolution with as large a step as the kernel is."""
    side = kernel.shape[-1]
    rows, columns = image.shape[0] // side, image.shape[1] // side
    out = np.empty((rows * columns, len(kernel)))
    for r in range(rows):
        for c in range(columns):
            cut = image[r * side:(r + 1) * side, c * side:(c + 1) * side].transpose(2, 0, 1)
            out[r * columns + c] = (kernel * cut).sum((1, 2, 3)) + bias
    return out


def vit(w, image, heads, layers):
    e = "embeddings."
    x = patches(image, w[e + "patch_embeddings.projection.weight"], w[e + "patch_embeddings.projection.bias"])
    x = np.concatenate([w[e + "cls_token"][0], x]) + w[e + "position_embeddings"][0]
    for i in range(layers):
        p = f"encoder.layer.{i}."

        def lin(y, name, p=p):
            return y @ w[p + name + ".weight"].T + w[p + name + ".bias"]

        n = layer_norm(x, w[p + "layernorm_before.weight"], w[p + "layernorm_before.bias"], 1e-12)
        c = attend(*(heads_of(lin(n, f"attention.attention.{s}"), heads) for s in ("query", "key", "value")))
        x = x + lin(c, "attention.output.dense")
        n = layer_norm(x, w[p + "layernorm_after.weight"], w[p + "layernorm_after.bias"], 1e-12)
        x = x + lin(gelu(lin(n, "intermediate.dense")), "output.dense")
    return layer_norm(x, w["layernorm.weight"], w["layernorm.bias"], 1e-12)


def vit_timm(w, image, heads, layers):
    x = patches(image, w["patch_embed.proj.weight"], w["patch_embed.proj.bias"])
    x = np.concatenate([w["cls_token"][0], x]) + w["pos_embed"][0]
    for i in range(layers):
        p = f"blocks.{i}."

        def lin(y, name, p=p):
            return y @ w[p + name + ".weight"].T + w[p + name + ".bias"]

        n = layer_norm(x, w[p + "norm1.weight"], w[p + "norm1.bias"], 1e-6)
        c = attend(*(heads_of(one, heads) for one in np.split(lin(n, "attn.qkv"), 3, -1)))
        x = x + lin(c, "attn.proj")
        n = layer_norm(x, w[p + "norm2.weight"], w[p + "norm2.bias"], 1e-6)
        x = x + lin(gelu(lin(n, "mlp.fc1")), "mlp.fc2")
    return layer_norm(x, w["norm.weight"], w["norm.bias"], 1e-6)
