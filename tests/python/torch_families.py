# SPDX-License-Identifier: Apache-2.0
"""Forward passes of further published families in PyTorch and float64, from tensors by their published names. Rotations
are products of complex numbers, and attention is PyTorch's own; nothing of the engine or of forward.py is in them."""
import math

import torch
import torch.nn.functional as F


class Weights:
    """Tensors by name, in front of which a layer's name may be put."""

    def __init__(self, tensors, prefix=""):
        self.tensors, self.prefix = tensors, prefix

    def at(self, prefix):
        return Weights(self.tensors, self.prefix + prefix)

    def has(self, name):
        return self.prefix + name in self.tensors

    def __getitem__(self, name):
        return torch.from_numpy(self.tensors[self.prefix + name])

    def linear(self, x, name):
        return F.linear(x, self[name + ".weight"], self[name + ".bias"] if self.has(name + ".bias") else None)

    def layer_norm(self, x, name, eps=1e-5):
        weight, bias = (self[f"{name}.{s}"] if self.has(f"{name}.{s}") else None for s in ("weight", "bias"))
        return F.layer_norm(x, x.shape[-1:], weight, bias, eps)

    def rms_norm(self, x, name, eps, offset=0):
        return x * torch.rsqrt((x * x).mean(-1, keepdim=True) + eps) * (self[name + ".weight"] + offset)


def turned(x, base=10000.0, width=None, neighbours=False, speeds=None):
    """x [h n p]: its pairs are complex numbers, times e^(i position speed)."""
    width = width or x.shape[-1]
    speed = base ** (-torch.arange(0, width, 2, dtype=x.dtype) / width) if speeds is None \
        else torch.tensor(speeds, dtype=x.dtype)
    wave = torch.polar(torch.ones(1, dtype=x.dtype), torch.outer(torch.arange(x.shape[-2], dtype=x.dtype), speed))
    part, rest = x[..., :width], x[..., width:]
    pairs = part.unflatten(-1, (-1, 2)) if neighbours else part.unflatten(-1, (2, -1)).transpose(-1, -2)
    pairs = torch.view_as_real(torch.view_as_complex(pairs.contiguous()) * wave)
    return torch.cat([pairs.flatten(-2) if neighbours else pairs.transpose(-1, -2).flatten(-2), rest], -1)


def split(x, heads):
    return x.unflatten(-1, (heads, -1)).transpose(0, 1)


def attended(q, k, v, bias, scale=None, cap=None):
    """q [h n p], k and v [g n p], bias [n n] or [h n n] with -inf where nothing is read."""
    k, v = (torch.repeat_interleave(x, len(q) // len(x), 0) for x in (k, v))
    e = torch.einsum("hip,hjp->hij", q, k) * (q.shape[-1] ** -0.5 if scale is None else scale)
    e = e if cap is None else cap * torch.tanh(e / cap)
    return torch.einsum("hij,hjp->ihp", torch.softmax(e + bias, -1), v).flatten(1)


def earlier(n, window=None):
    gap = torch.arange(n)[:, None] - torch.arange(n)
    hidden = (gap < 0) | (gap >= (window or n))
    return torch.zeros(n, n, dtype=torch.float64).masked_fill(hidden, -math.inf)


def around(n, side):
    gap = (torch.arange(n)[:, None] - torch.arange(n)).abs()
    return torch.zeros(n, n, dtype=torch.float64).masked_fill(gap > side, -math.inf)


ACT = {"gelu": F.gelu, "relu": F.relu, "silu": F.silu,
       "gelu_new": lambda x: 0.5 * x * (1 + torch.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x ** 3)))}


def gated(w, x, name, act):
    return w.linear(ACT[act](w.linear(x, name + ".gate_proj")) * w.linear(x, name + ".up_proj"), name + ".down_proj")


def projected(w, x, heads, groups):
    return [split(w.linear(x, f"self_attn.{s}_proj"), h) for s, h in (("q", heads), ("k", groups), ("v", groups))]


def gemma(w, ids, heads, groups, kind, scalar, slides=(), window=None, cap=None, last_cap=None, bases=(1e4, 1e4),
          both=False):
    """`both`: each word also reads later words, and the rows behind the last norm are the result."""
    w, n = Weights(w), len(ids)
    x = w["embed_tokens.weight"][ids] * math.sqrt(w["embed_tokens.weight"].shape[1])
    for i in range(2):
        p = w.at(f"layers.{i}.")
        local = i in slides
        q, k, v = projected(p, p.rms_norm(x, "input_layernorm", 1e-6, 1), heads, groups)
        if kind == 3:
            q, k = p.rms_norm(q, "self_attn.q_norm", 1e-6, 1), p.rms_norm(k, "self_attn.k_norm", 1e-6, 1)
        base = bases[1] if local else bases[0]
        bias = around(n, window // 2 if local else n) if both else earlier(n, window if local else None)
        y = attended(turned(q, base), turned(k, base), v, bias, scalar ** -0.5, cap)
        y = p.linear(y, "self_attn.o_proj")
        if kind == 1:
            x = x + y
            x = x + gated(p, p.rms_norm(x, "post_attention_layernorm", 1e-6, 1), "mlp", "gelu_new")
        else:
            x = x + p.rms_norm(y, "post_attention_layernorm", 1e-6, 1)
            y = gated(p, p.rms_norm(x, "pre_feedforward_layernorm", 1e-6, 1), "mlp", "gelu_new")
            x = x + p.rms_norm(y, "post_feedforward_layernorm", 1e-6, 1)
    if both:
        return w.rms_norm(x, "norm", 1e-6, 1)
    logits = w.rms_norm(x, "norm", 1e-6, 1) @ w["embed_tokens.weight"].T
    return logits if last_cap is None else last_cap * torch.tanh(logits / last_cap)


def llama_like(w, ids, heads, groups, rotates=(True, True), windows=(None, None), **rotation):
    """SmolLM3, whose layers may leave out the rotation, Mistral and Qwen with windows, and other rotations."""
    w, n = Weights(w), len(ids)
    x = w["embed_tokens.weight"][ids]
    for i in range(2):
        p = w.at(f"layers.{i}.")
        q, k, v = projected(p, p.rms_norm(x, "input_layernorm", 1e-6), heads, groups)
        if rotates[i]:
            q, k = turned(q, **rotation), turned(k, **rotation)
        x = x + p.linear(attended(q, k, v, earlier(n, windows[i])), "self_attn.o_proj")
        x = x + gated(p, p.rms_norm(x, "post_attention_layernorm", 1e-6), "mlp", "silu")
    return w.rms_norm(x, "norm", 1e-6) @ w["embed_tokens.weight"].T


def stablelm(w, ids, heads, groups, share, parallel):
    w, n = Weights(w), len(ids)
    x = w["embed_tokens.weight"][ids]
    for i in range(2):
        p = w.at(f"layers.{i}.")
        one = p.layer_norm(x, "input_layernorm")
        q, k, v = projected(p, one, heads, groups)
        width = int(q.shape[-1] * share)
        y = p.linear(attended(turned(q, width=width), turned(k, width=width), v, earlier(n)), "self_attn.o_proj")
        two = one if parallel else p.layer_norm(x + y, "post_attention_layernorm")
        x = x + y + gated(p, two, "mlp", "silu")
    return w.layer_norm(x, "norm") @ w["lm_head.weight"].T


def olmo(w, ids, heads, groups, second):
    """OLMo, whose norms have no weights, and OLMo 2, whose norms come after attention and feed-forward."""
    w, n = Weights(w), len(ids)
    x = w["embed_tokens.weight"][ids]
    for i in range(2):
        p = w.at(f"layers.{i}.")
        if second:
            q, k, v = (p.linear(x, f"self_attn.{s}_proj") for s in "qkv")
            q, k = p.rms_norm(q, "self_attn.q_norm", 1e-6), p.rms_norm(k, "self_attn.k_norm", 1e-6)
            q, k, v = split(q, heads), split(k, groups), split(v, groups)
        else:
            q, k, v = projected(p, p.layer_norm(x, "-"), heads, groups)
        y = p.linear(attended(turned(q), turned(k), v, earlier(n)), "self_attn.o_proj")
        x = x + (p.rms_norm(y, "post_attention_layernorm", 1e-6) if second else y)
        y = gated(p, x if second else p.layer_norm(x, "-"), "mlp", "silu")
        x = x + (p.rms_norm(y, "post_feedforward_layernorm", 1e-6) if second else y)
    return (w.rms_norm(x, "norm", 1e-6) if second else w.layer_norm(x, "-")) @ w["lm_head.weight"].T


def phi(w, ids, heads, groups, share):
    w, n = Weights(w), len(ids)
    x = w["embed_tokens.weight"][ids]
    for i in range(2):
        p = w.at(f"layers.{i}.")
        one = p.layer_norm(x, "input_layernorm")
        q, k, v = projected(p, one, heads, groups)
        width = int(q.shape[-1] * share)
        y = attended(turned(q, width=width), turned(k, width=width), v, earlier(n))
        x = x + p.linear(y, "self_attn.dense") + p.linear(ACT["gelu_new"](p.linear(one, "mlp.fc1")), "mlp.fc2")
    return w.linear(w.layer_norm(x, "final_layernorm"), "lm_head")


def phi3(w, ids, heads, groups, window=None):
    w, n = Weights(w), len(ids)
    x = w["embed_tokens.weight"][ids]
    head = w["layers.0.self_attn.o_proj.weight"].shape[1] // heads
    for i in range(2):
        p = w.at(f"layers.{i}.")
        qkv = p.linear(p.rms_norm(x, "input_layernorm", 1e-5), "self_attn.qkv_proj")
        q, k, v = (split(y, y.shape[-1] // head)
                   for y in torch.split(qkv, [heads * head, groups * head, groups * head], -1))
        x = x + p.linear(attended(turned(q), turned(k), v, earlier(n, window)), "self_attn.o_proj")
        gate, up = p.linear(p.rms_norm(x, "post_attention_layernorm", 1e-5), "mlp.gate_up_proj").chunk(2, -1)
        x = x + p.linear(up * F.silu(gate), "mlp.down_proj")
    return w.rms_norm(x, "norm", 1e-5) @ w["lm_head.weight"].T


def gptj(w, ids, heads, width):
    w, n = Weights(w), len(ids)
    x = w["wte.weight"][ids]
    for i in range(2):
        p = w.at(f"h.{i}.")
        one = p.layer_norm(x, "ln_1")
        q, k, v = (split(p.linear(one, f"attn.{s}_proj"), heads) for s in "qkv")
        q, k = turned(q, width=width, neighbours=True), turned(k, width=width, neighbours=True)
        x = x + p.linear(attended(q, k, v, earlier(n)), "attn.out_proj") \
            + p.linear(ACT["gelu_new"](p.linear(one, "mlp.fc_in")), "mlp.fc_out")
    return w.linear(w.layer_norm(x, "ln_f"), "lm_head")


def gpt(w, ids, heads):
    """GPT of 2018: norms after attention and feed-forward, and matrices [in out]."""
    w, n = Weights(w), len(ids)
    x = w["tokens_embed.weight"][ids] + w["positions_embed.weight"][:n]
    for i in range(2):
        p = w.at(f"h.{i}.")

        def conv(y, name, p=p):
            return y @ p[name + ".weight"] + p[name + ".bias"]

        q, k, v = (split(y, heads) for y in conv(x, "attn.c_attn").chunk(3, -1))
        x = p.layer_norm(x + conv(attended(q, k, v, earlier(n)), "attn.c_proj"), "ln_1")
        x = p.layer_norm(x + conv(ACT["gelu_new"](conv(x, "mlp.c_fc")), "mlp.c_proj"), "ln_2")
    return x @ w["tokens_embed.weight"].T


def codegen(w, ids, heads, width):
    """GPT-J, but queries, values and keys come from one matrix in four parts."""
    w, n = Weights(w), len(ids)
    x = w["wte.weight"][ids]
    for i in range(2):
        p = w.at(f"h.{i}.")
        one = p.layer_norm(x, "ln_1")
        parts = p.linear(one, "attn.qkv_proj").reshape(n, 4, -1)
        q, v, k = (split(y.flatten(1), heads) for y in parts.chunk(3, -1))
        q, k = turned(q, width=width, neighbours=True), turned(k, width=width, neighbours=True)
        x = x + p.linear(attended(q, k, v, earlier(n)), "attn.out_proj") \
            + p.linear(ACT["gelu_new"](p.linear(one, "mlp.fc_in")), "mlp.fc_out")
    return w.linear(w.layer_norm(x, "ln_f"), "lm_head")


def nomic(w, ids, heads, base):
    w, n = Weights(w), len(ids)
    x = w["embeddings.word_embeddings.weight"][ids] + w["embeddings.token_type_embeddings.weight"][0]
    x = w.layer_norm(x, "emb_ln", 1e-12)
    for i in range(2):
        p = w.at(f"encoder.layers.{i}.")
        q, k, v = (split(y, heads) for y in p.linear(x, "attn.Wqkv").chunk(3, -1))
        y = p.linear(attended(turned(q, base), turned(k, base), v, 0), "attn.out_proj")
        x = p.layer_norm(x + y, "norm1", 1e-12)
        y = p.linear(p.linear(x, "mlp.fc11") * F.silu(p.linear(x, "mlp.fc12")), "mlp.fc2")
        x = p.layer_norm(x + y, "norm2", 1e-12)
    return x


def opt(w, ids, heads, before, act="relu"):
    w, n = Weights(w), len(ids)
    x = w["embed_tokens.weight"][ids]
    if w.has("project_in.weight"):
        x = w.linear(x, "project_in")
    x = x + w["embed_positions.weight"][torch.arange(n) + 2]
    for i in range(2):
        p = w.at(f"layers.{i}.")
        y = p.layer_norm(x, "self_attn_layer_norm") if before else x
        q, k, v = projected(p, y, heads, heads)
        x = x + p.linear(attended(q, k, v, earlier(n)), "self_attn.out_proj")
        x = x if before else p.layer_norm(x, "self_attn_layer_norm")
        y = p.layer_norm(x, "final_layer_norm") if before else x
        x = x + p.linear(ACT[act](p.linear(y, "fc1")), "fc2")
        x = x if before else p.layer_norm(x, "final_layer_norm")
    x = w.layer_norm(x, "final_layer_norm") if before else x
    if w.has("project_out.weight"):
        x = w.linear(x, "project_out")
    return x @ w["embed_tokens.weight"].T


def bloom(w, ids, heads, slopes):
    w, n = Weights(w), len(ids)
    x = w.layer_norm(w["word_embeddings.weight"][ids], "word_embeddings_layernorm")
    # The published code multiplies the slope by the position of the key; softmax does not see the difference.
    bias = torch.tensor(slopes, dtype=x.dtype)[:, None, None] * torch.arange(n)[None, None] + earlier(n)
    for i in range(2):
        p = w.at(f"h.{i}.")
        qkv = p.linear(p.layer_norm(x, "input_layernorm"), "self_attention.query_key_value")
        q, k, v = qkv.reshape(n, heads, 3, -1).permute(2, 1, 0, 3)
        x = x + p.linear(attended(q, k, v, bias), "self_attention.dense")
        y = p.linear(p.layer_norm(x, "post_attention_layernorm"), "mlp.dense_h_to_4h")
        x = x + p.linear(ACT["gelu_new"](y), "mlp.dense_4h_to_h")
    return w.layer_norm(x, "ln_f") @ w["word_embeddings.weight"].T


def falcon(w, ids, heads, groups, norms, parallel=True):
    """Each group of heads has its queries, then a key and a value, in the merged matrix."""
    w, n = Weights(w), len(ids)
    x = w["word_embeddings.weight"][ids]
    for i in range(2):
        p = w.at(f"h.{i}.")
        one = p.layer_norm(x, "ln_attn" if norms == 2 else "input_layernorm")
        qkv = p.linear(one, "self_attention.query_key_value").reshape(n, groups, heads // groups + 2, -1)
        q, k, v = (y.flatten(1, 2).transpose(0, 1) for y in (qkv[:, :, :-2], qkv[:, :, -2:-1], qkv[:, :, -1:]))
        y = p.linear(attended(turned(q), turned(k), v, earlier(n)), "self_attention.dense")
        two = p.layer_norm(x, "ln_mlp") if norms == 2 else one if parallel \
            else p.layer_norm(x + y, "post_attention_layernorm")
        x = x + y + p.linear(F.gelu(p.linear(two, "mlp.dense_h_to_4h")), "mlp.dense_4h_to_h")
    return w.layer_norm(x, "ln_f") @ w["word_embeddings.weight"].T


def reader(w, ids, heads, names, layer, first=0, eps=1e-12, bias=0, body="", act="gelu", layers=2):
    """BERT's layers after the embeddings: RoBERTa, ELECTRA, ALBERT, MPNet. Gives the rows behind the last layer."""
    w, n = Weights(w), len(ids)
    e = w.at(body + "embeddings.")
    x = e["word_embeddings.weight"][ids] + e["position_embeddings.weight"][first:first + n]
    if e.has("token_type_embeddings.weight"):
        x = x + e["token_type_embeddings.weight"][0]
    x = e.layer_norm(x, "LayerNorm", eps)
    for wide in ("embeddings_project", "encoder.embedding_hidden_mapping_in"):
        if w.has(body + wide + ".weight"):
            x = w.linear(x, body + wide)
    query, key, value, out, norm1, inner, outer, norm2 = names
    for i in range(layers):
        p = w.at(body + layer.format(i))
        y = attended(*(split(p.linear(x, s), heads) for s in (query, key, value)), bias)
        x = p.layer_norm(x + p.linear(y, out), norm1, eps)
        x = p.layer_norm(x + p.linear(ACT[act](p.linear(x, inner)), outer), norm2, eps)
    return x


def distance_bias(table, n, most=128):
    """MPNet: [h n n] from a table [buckets h], of which one half is for later keys."""
    half = len(table) // 2
    bucket = torch.empty(n, n, dtype=torch.long)
    for i in range(n):
        for j in range(n):
            far, single = abs(i - j), half // 2
            if far >= single:
                far = min(half - 1, single + int(math.log(far / single) / math.log(most / single) * (half - single)))
            bucket[i, j] = far + (half if j > i else 0)
    return torch.from_numpy(table)[bucket].permute(2, 0, 1)


def modernbert(w, ids, heads, every, window, bases):
    w, n = Weights(w), len(ids)
    x = w.layer_norm(w["embeddings.tok_embeddings.weight"][ids], "embeddings.norm")
    for i in range(3):
        p, whole = w.at(f"layers.{i}."), i % every == 0
        y = x if i == 0 else p.layer_norm(x, "attn_norm")
        q, k, v = (split(one, heads) for one in p.linear(y, "attn.Wqkv").chunk(3, -1))
        base = bases[0] if whole else bases[1]
        bias = around(n, n if whole else window // 2)
        x = x + p.linear(attended(turned(q, base), turned(k, base), v, bias), "attn.Wo")
        value, gate = p.linear(p.layer_norm(x, "mlp_norm"), "mlp.Wi").chunk(2, -1)
        x = x + p.linear(F.gelu(value) * gate, "mlp.Wo")
    return w.layer_norm(x, "final_norm")


def dinov2(w, picture, heads):
    """picture [H W C]; the rows behind the last norm, of which the first is that of the class token."""
    w = Weights(w)
    patches = F.conv2d(torch.from_numpy(picture).permute(2, 0, 1)[None],
                       w["embeddings.patch_embeddings.projection.weight"],
                       w["embeddings.patch_embeddings.projection.bias"],
                       stride=w["embeddings.patch_embeddings.projection.weight"].shape[-1])[0].flatten(1).T
    x = torch.cat([w["embeddings.cls_token"][0], patches]) + w["embeddings.position_embeddings"][0]
    for i in range(2):
        p = w.at(f"encoder.layer.{i}.")
        y = p.layer_norm(x, "norm1", 1e-6)
        q, k, v = (split(p.linear(y, f"attention.attention.{s}"), heads) for s in ("query", "key", "value"))
        x = x + p.linear(attended(q, k, v, 0), "attention.output.dense") * p["layer_scale1.lambda1"]
        y = p.linear(F.gelu(p.linear(p.layer_norm(x, "norm2", 1e-6), "mlp.fc1")), "mlp.fc2")
        x = x + y * p["layer_scale2.lambda1"]
    return w.layer_norm(x, "layernorm", 1e-6)
