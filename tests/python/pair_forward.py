# SPDX-License-Identifier: Apache-2.0
"""Forward passes in NumPy of models with an encoder and a decoder: T5 and mT5, Marian, BART and mBART. Written from the
papers and from how the published models compute, with nothing of the engine in them."""
import math

import numpy as np
from forward import attend, causal, gelu, gelu_tanh, heads_of, layer_norm, rms_norm, silu, softmax

ACTS = {"gelu": gelu, "gelu_new": gelu_tanh, "swish": silu, "silu": silu, "relu": lambda x: np.maximum(x, 0)}


def bucket(gap, both, buckets, most):
    """The bucket of key minus query, as T5 counts it."""
    first = 0
    if both:
        buckets //= 2
        first = buckets if gap > 0 else 0
        gap = abs(gap)
    else:
        gap = -min(gap, 0)
    exact = buckets // 2
    if gap < exact:
        return first + gap
    ratio = np.float32(math.log(gap / exact)) / np.float32(math.log(most / exact)) * np.float32(buckets - exact)
    return first + min(exact + int(ratio), buckets - 1)


def t5(w, source, target, heads, act="relu", tied=True, most=128, maps=None):
    """Logits of each row of the target, or the rows of the encoder without one. `act` with "gated-" in front: a gate.
    `maps` gets the weights of cross-attention by layer."""
    def norm(name, x):
        return rms_norm(x, w[name + ".weight"], 1e-6)

    def table(side, i, rows):
        name = "{}.block.{}.layer.0.SelfAttention.relative_attention_bias.weight"
        own = w.get(name.format(side, i), w[name.format(side, 0)])
        gaps = [[bucket(k - q, side == "encoder", len(own), most) for k in range(rows)] for q in range(rows)]
        return own[np.array(gaps)].transpose(2, 0, 1)

    def att(p, x, y, bias, allowed=None):
        q, k, v = (heads_of(z @ w[f"{p}.{c}.weight"].T, heads) for c, z in (("q", x), ("k", y), ("v", y)))
        scores = q @ k.transpose(0, 2, 1) + bias
        a = softmax(scores if allowed is None else np.where(allowed, scores, -np.inf))
        if maps is not None and "EncDec" in p:
            maps.append(a)
        return (a @ v).transpose(1, 0, 2).reshape(len(x), -1) @ w[p + ".o.weight"].T

    def fed(p, x):
        if act.startswith("gated-"):
            f = gelu_tanh if act == "gated-gelu" else ACTS[act[6:]]
            h = f(x @ w[p + ".wi_0.weight"].T) * (x @ w[p + ".wi_1.weight"].T)
        else:
            h = ACTS[act](x @ w[p + ".wi.weight"].T)
        return h @ w[p + ".wo.weight"].T

    def stack(side, ids, memory=None):
        x = w["shared.weight"][ids]
        for i in range(sum(n.startswith(side) and n.endswith("SelfAttention.q.weight") for n in w)):
            p = f"{side}.block.{i}.layer."
            n = norm(p + "0.layer_norm", x)
            x = x + att(p + "0.SelfAttention", n, n, table(side, i, len(ids)),
                        causal(len(ids)) if side == "decoder" else None)
            if side == "decoder":
                x = x + att(p + "1.EncDecAttention", norm(p + "1.layer_norm", x), memory, 0)
            last = p + ("2" if side == "decoder" else "1")
            x = x + fed(last + ".DenseReluDense", norm(last + ".layer_norm", x))
        return norm(side + ".final_layer_norm", x)
    if target is None:
        return stack("encoder", source)
    y = stack("decoder", target, stack("encoder", source))
    return y * len(w["shared.weight"][0]) ** -0.5 @ w["shared.weight"].T if tied else y @ w["lm_head.weight"].T


def waves(rows, width):
    """Sinusoids of Marian: all sines, then all cosines."""
    angle = np.arange(rows)[:, None] / 10000.0 ** (2 * (np.arange(width) // 2) / width)
    return np.concatenate([np.sin(angle[:, 0::2]), np.cos(angle[:, 1::2])], 1)


def bart(w, source, target, heads, act="gelu", scaled=False, offset=2, decoder_heads=None):
    """BART (norms after), mBART (norms before, and a last one), Marian (offset 0, no norm of the embeddings)."""
    def norm(name, x):
        return layer_norm(x, w[name + ".weight"], w[name + ".bias"], 1e-5)

    def linear(name, x):
        return x @ w[name + ".weight"].T + w[name + ".bias"]

    def stack(side, ids, count, memory=None):
        table = w.get(side + ".embed_tokens.weight", w.get("shared.weight"))
        x = table[ids] * (math.sqrt(table.shape[1]) if scaled else 1)
        places = w.get(side + ".embed_positions.weight")
        x = x + (waves(len(ids), table.shape[1]) if places is None else places[offset:offset + len(ids)])
        if side + ".layernorm_embedding.weight" in w:
            x = norm(side + ".layernorm_embedding", x)
        before = side + ".layer_norm.weight" in w

        def around(name, x, part):
            return x + part(norm(name, x)) if before else norm(name, x + part(x))

        def att(p, x, y, allowed):
            q, k, v = (heads_of(linear(f"{p}.{c}_proj", z), count) for c, z in (("q", x), ("k", y), ("v", y)))
            return linear(p + ".out_proj", attend(q, k, v, allowed))
        for i in range(sum(n.startswith(side) and n.endswith("self_attn.q_proj.weight") for n in w)):
            p = f"{side}.layers.{i}."
            allowed = causal(len(ids)) if memory is not None else None
            x = around(p + "self_attn_layer_norm", x, lambda z: att(p + "self_attn", z, z, allowed))
            if memory is not None:
                x = around(p + "encoder_attn_layer_norm", x, lambda z: att(p + "encoder_attn", z, memory, None))
            x = around(p + "final_layer_norm", x, lambda z: linear(p + "fc2", ACTS[act](linear(p + "fc1", z))))
        return norm(side + ".layer_norm", x) if before else x
    y = stack("decoder", target, decoder_heads or heads, stack("encoder", source, heads))
    words = w.get("lm_head.weight", w.get("decoder.embed_tokens.weight", w.get("shared.weight")))
    return y @ words.T + w.get("final_logits_bias", np.zeros((1, len(words))))[0]
