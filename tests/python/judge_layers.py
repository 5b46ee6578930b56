# SPDX-License-Identifier: Apache-2.0
"""The efficient forms that are layers, by the formulas of their papers with the names of their parameters.
Each is `(inputs, knobs, parameters) -> {result: array}`."""
import math

import numpy as np
from judge import allow, layer_norm, places, relu, sigmoid, sinusoid, softmax
from judge_aligns import entmax
from judge_scores import ACTS


def heads(x, y, p, at="", allowed=True):
    """[h m p] queries of x, keys and values of y: (scores, weights, heads, merged)."""
    q, k, v = (np.einsum("nd,hdp->hnp", z, p[at + name]) for z, name in ((x, "W_Q"), (y, "W_K"), (y, "W_V")))
    e = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])
    a = softmax(allow(e, allowed))
    each = a @ v
    return e, a, each, np.concatenate(each, -1) @ p[at + "W_O"]


def mab(x, y, p, at=""):
    e, a, _, c = heads(x, y, p, at)
    h = layer_norm(x + c, p[at + "gamma1"], p[at + "beta1"])
    return e, a, layer_norm(h + relu(h @ p[at + "W"] + p[at + "b"]), p[at + "gamma2"], p[at + "beta2"])


def one(context, **more):
    return {"context": context, "output": context, **more}


def set_mab(x, knobs, p):
    e, a, c = mab(x["query"], x["key"], p)
    return one(c, weights=a, scores=e)


def set_isab(x, knobs, p):
    _, first, state = mab(p["I"], x["x"], p, "mab1.")
    _, second, c = mab(x["x"], state, p, "mab2.")
    return one(c, **{"weights.0": first, "weights.1": second, "state": state})


def set_pma(x, knobs, p):
    _, a, c = mab(p["S"], relu(x["x"] @ p["W"] + p["b"]), p, "mab.")
    return one(c, weights=a)


def perceiver(x, knobs, p):
    """The norm in front of everything, the latents added behind; one head reads, several mix."""
    def normed(rows, name):
        return layer_norm(rows, p[name + "gamma"], p[name + "beta"])

    def fed(z, at):
        hidden = normed(z, at + "mlp.") @ p[at + "W1"] + p[at + "b1"]
        return z + hidden * (1 + np.vectorize(math.erf)(hidden / np.sqrt(2))) / 2 @ p[at + "W2"] + p[at + "b2"]

    z, tokens = p["Z"], normed(x["x"], "cross.kv.")
    for _ in range(knobs.get("repeats", 2)):
        q, k = normed(z, "cross.q.") @ p["cross.W_Q"], tokens @ p["cross.W_K"]
        a = softmax(q @ k.T / np.sqrt(q.shape[1]))
        z = fed(z + a @ tokens @ p["cross.W_V"] @ p["cross.W_O"], "cross.")
        rows = normed(z, "self.")
        z = fed(z + heads(rows, rows, p, "self.")[3], "self.")
    return one(z, weights=a)


def luna(x, knobs, p):
    x = x["x"]
    pack = softmax(p["P"] @ x.T)
    state = pack @ x
    unpack = softmax(x @ state.T)
    return one(unpack @ state, state=state, weights=unpack @ pack)


def transformer_ls(x, knobs, p):
    q, k, v, w = x["query"], x["key"], x["value"], knobs.get("window", 2)
    mix = softmax(k @ p["W_P"], 0)
    far_k, far_v = mix.T @ k, mix.T @ v
    if knobs.get("layernorm", True):
        k, v = (layer_norm(z, p["gamma1"], p["beta1"]) for z in (k, v))
        far_k, far_v = (layer_norm(z, p["gamma2"], p["beta2"]) for z in (far_k, far_v))
    i, j = places(len(q), len(k))
    allowed = np.concatenate([np.abs(i - j) <= w, np.ones((len(q), len(far_k)), bool)], 1)
    e = q @ np.concatenate([k, far_k]).T / np.sqrt(q.shape[1])
    a = softmax(allow(e, allowed))
    return one(a @ np.concatenate([v, far_v]), weights=a)


def xcit(x, knobs, p):
    q, k = (z / np.linalg.norm(z, axis=0) for z in (x["query"], x["key"]))
    a = softmax(q.T @ k / p.get("tau", knobs.get("temperature", 1)))
    return one(x["value"] @ a.T, weights=a)


def dense(x, p):
    return relu(x @ p["W1"] + p["b1"]) @ p["W2"] + p["b2"]


def synthesize(e, x, knobs, p):
    n = len(x)
    i, j = places(n, n)
    a = softmax(allow(e, (j <= i) | (not knobs.get("causal"))))
    return one(a @ x @ p["W_V"], weights=a, scores=e)


def synthesizer_dense(x, knobs, p):
    return synthesize(dense(x["x"], p)[:, : len(x["x"])], x["x"], knobs, p)


def synthesizer_random(x, knobs, p):
    n = len(x["x"])
    return synthesize((p["R"] if "R" in p else p["R1"] @ p["R2"].T)[:n, :n], x["x"], knobs, p)


def synthesizer_mix(x, knobs, p):
    n, s = len(x["x"]), softmax(p["alpha"])
    return synthesize(s[0] * dense(x["x"], p)[:, :n] + s[1] * p["R"][:n, :n], x["x"], knobs, p)


def depthwise(x, kernel):
    """Centred and padded with zeros; kernel [size] or [size d]."""
    size = len(kernel)
    padded = np.concatenate([np.zeros((size // 2, x.shape[1])), x, np.zeros((size - 1 - size // 2, x.shape[1]))])
    return sum(padded[s : s + len(x)] * kernel[s] for s in range(size))


def lite_transformer(x, knobs, p):
    x, split = x["x"], knobs.get("split", int(np.ceil(x["x"].shape[1] / 2)))
    a = softmax(x[:, :split] @ x[:, :split].T / np.sqrt(max(split, 1)))
    return one(np.concatenate([a @ x[:, :split], depthwise(x[:, split:], softmax(p["kernel"]))], 1), weights=a)


def opa(x, knobs, p):
    act = np.tanh if knobs.get("act", "tanh") == "tanh" else lambda z: z
    return one(np.einsum("mnp,nv->mpv", act(x["query"][:, None] * x["key"][None]), x["value"]))


def directed(x, p, at, before, c=5.0):
    """Masked self-attention: what each row sees of those on one side of it."""
    e = c * np.tanh((x[:, None] @ p[at + "W1"] + x[None] @ p[at + "W2"] + p[at + "b1"]) / c)
    i, j = places(len(x), len(x))
    return (softmax(allow(e, ((j < i) if before else (j > i))[:, :, None]), 1) * x[None]).sum(1)


def mblosa(x, knobs, p, at=""):
    x, block, before = x["x"], knobs["block"], knobs.get("direction", "fw") == "fw"
    act = ACTS[knobs.get("act", "elu")]
    parts = [directed(part, p, at + "inner.", before, knobs.get("c", 5)) for part in x.reshape(-1, block, x.shape[1])]
    scores = [act(h @ p[at + "pool.W1"] + p[at + "pool.b1"]) @ p[at + "pool.W2"] + p[at + "pool.b2"] for h in parts]
    blocks = np.array([(softmax(e, 0) * h).sum(0) for e, h in zip(scores, parts, strict=True)])
    seen = directed(blocks, p, at + "outer.", before, knobs.get("c", 5))
    f = sigmoid(seen @ p[at + "outer.W_s"] + blocks @ p[at + "outer.W_h"] + p[at + "outer.b_f"])
    e = np.repeat(f * blocks + (1 - f) * seen, block, 0)
    joined = np.concatenate([x, np.concatenate(parts), e], 1)
    gate = sigmoid(joined @ p[at + "W_g"] + p[at + "b_g"])
    return one(gate * act(joined @ p[at + "W"] + p[at + "b"]) + (1 - gate) * x)


def bi_blosa(x, knobs, p):
    both = [mblosa(x, {**knobs, "direction": way}, p, way + ".")["context"] for way in ("fw", "bw")]
    return one(np.concatenate(both, 1))


def tensorized(x, knobs, p):
    g = softmax(p["g"]).mean(0)
    t = np.einsum("r,ir,jr,kr->ijk", g, x["query"], x["key"], x["value"])
    return one(t.reshape(len(t), -1) @ p["W_O"])


def universal(x, knobs, p):
    h, n, d = x["x"], *x["x"].shape
    i, j = places(n, n)
    for t in range(1, knobs.get("steps", 4) + 1):
        h = h + sinusoid(np.arange(n), d) + sinusoid(np.full(n, t), d)
        _, weights, _, c = heads(h, h, p, allowed=(j <= i) | (not knobs.get("causal")))
        a = layer_norm(h + c, p["gamma1"], p["beta1"])
        h = layer_norm(a + relu(a @ p["W1"] + p["b1"]) @ p["W2"] + p["b2"], p["gamma2"], p["beta2"])
    return one(h, weights=weights)


def transformer_xl(x, knobs, p):
    x, memory = x["x"], x.get("memory", np.zeros((0, x["x"].shape[1])))
    y, m, width = np.concatenate([memory, x]), len(x), p["W_Q"].shape[1]
    q, k, v = x @ p["W_Q"], y @ p["W_K"], y @ p["W_V"]
    i, j = places(m, len(y))
    r = sinusoid(i + len(memory) - j, x.shape[1]) @ p["W_R"]
    e = ((q + p["u"]) @ k.T + ((q + p["v"])[:, None] * r).sum(-1)) / width**0.5
    a = softmax(allow(e, j <= i + len(memory)))
    return one(a @ v, weights=a)


def image_transformer(x, knobs, p):
    i, j = places(len(x["query"]), len(x["key"]))
    start = i // knobs.get("l_q", 4) * knobs.get("l_q", 4)
    e = x["query"] @ x["key"].T / np.sqrt(x["query"].shape[1])
    a = softmax(allow(e, (j <= i) & (j >= start - knobs.get("l_m", 2))))
    return one(a @ x["value"], weights=a, scores=e)


def standalone_local(x, knobs, p):
    image, k = x["image"], knobs.get("k") or len(p["r_row"])
    height, width, _ = image.shape
    q, key, v = (image @ p[name] for name in ("W_Q", "W_K", "W_V"))
    weights, context = np.zeros((height * width, height * width)), np.zeros((height, width, v.shape[-1]))
    for r in range(height):
        for c in range(width):
            near = [
                (y, z)
                for y in range(r - k // 2, r + k // 2 + 1)
                for z in range(c - k // 2, c + k // 2 + 1)
                if 0 <= y < height and 0 <= z < width
            ]
            place = [np.concatenate([p["r_row"][y - r + k // 2], p["r_col"][z - c + k // 2]]) for y, z in near]
            a = softmax(np.array([q[r, c] @ (key[at] + rel) for at, rel in zip(near, place, strict=True)]))
            context[r, c] = sum(w * v[at] for w, at in zip(a, near, strict=True))
            weights[r * width + c, [y * width + z for y, z in near]] = a
    return {"context": context, "weights": weights}


def bilinear(image, row, column):
    height, width, d = image.shape
    r, c, total = int(np.floor(row)), int(np.floor(column)), np.zeros(d)
    for y, z in ((r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)):
        if 0 <= y < height and 0 <= z < width:
            total += (1 - abs(row - y)) * (1 - abs(column - z)) * image[y, z]
    return total


def deformable(x, knobs, p):
    a, each = softmax(p["logits"]), []
    for t in range(a.shape[1]):
        image = x["image"] @ p["W_V"][t]
        each.append(
            np.array(
                [
                    sum(
                        a[i, t, s] * bilinear(image, *(x["points"][i] + p["offsets"][i, t, s]))
                        for s in range(a.shape[2])
                    )
                    for i in range(len(a))
                ]
            )
        )
    return one(np.concatenate(each, 1) @ p["W_O"])


def hvt(x, knobs, p):
    x, pool, stride = x["x"], knobs.get("pool", 2), knobs.get("stride", 2)
    c = softmax(x @ x.T / np.sqrt(x.shape[1])) @ x
    return {"context": c, "output": np.array([c[s : s + pool].max(0) for s in range(0, len(c) - pool + 1, stride)])}


def glance_gaze(x, knobs, p):
    i, j = places(len(x["query"]), len(x["key"]))
    s = knobs.get("stride", 2)
    a = softmax(allow(x["query"] @ x["key"].T / np.sqrt(x["query"].shape[1]), i % s == j % s))
    return one(a @ x["value"] + depthwise(x["value"], p["kernel"]), weights=a)


def power_bert(x, knobs, p):
    a = softmax(x["query"] @ x["key"].T / np.sqrt(x["query"].shape[1]))
    s, n = a.sum(0), len(a)
    kept = sorted(sorted(range(n), key=lambda j: (-s[j], j))[: knobs.get("keep", int(np.ceil(n / 2)))])
    return {
        "context": a @ x["value"],
        "significance": s[None],
        "kept": np.array(kept),
        "weights": a,
        "output": (a @ x["value"])[kept],
    }


def ganformer(x, knobs, p):
    x, y = x["x"], p["Y"]
    keys = softmax(y @ x.T / np.sqrt(x.shape[1])) @ x if knobs.get("duplex") else y
    a = softmax(x @ keys.T / np.sqrt(x.shape[1]))
    gain, shift = a @ y @ p["W_gamma"] + p["b_gamma"], a @ y @ p["W_beta"] + p["b_beta"]
    return {"output": gain * layer_norm(x) + shift, "weights": a}


def cross_transformer(x, knobs, p):
    q, k = x["query"] @ p["W_K"], x["support"] @ p["W_K"]
    a = softmax(q @ k.T / np.sqrt(q.shape[1]))
    c = a @ (x["support"] @ p["W_V"])
    return {"weights": a, "context": c, "output": ((c - x["query"] @ p["W_V"]) ** 2).sum() / len(q)}


def transformer_xh(x, knobs, p):
    e = x["query"] @ x["key"].T / np.sqrt(x["query"].shape[1])
    a = softmax(allow(e, np.array(knobs["adjacency"]) == 1))
    return {"weights": a, "context": a @ x["value"]}


def reversible(x, knobs, p):
    i, j = places(len(x["x2"]), len(x["x2"]))
    q, k = x["x2"] @ p["W_Q"], x["x2"] @ p["W_K"]
    a = softmax(allow(q @ k.T / np.sqrt(q.shape[1]), (j <= i) | (not knobs.get("causal"))))
    y1 = x["x1"] + a @ x["x2"] @ p["W_V"]
    return {"output1": y1, "output2": x["x2"] + relu(y1 @ p["W1"] + p["b1"]) @ p["W2"] + p["b2"], "weights": a}


def sparse_adaptive(x, knobs, p):
    q, k, v = (
        np.einsum("nd,hdp->hnp", x[role], p[name])
        for role, name in (("query", "W_Q"), ("key", "W_K"), ("value", "W_V"))
    )
    e = q @ k.transpose(0, 2, 1) / np.sqrt(q.shape[-1])
    a = np.zeros_like(e)
    for t, row in np.ndindex(e.shape[:2]):
        seen = row + 1 if knobs.get("causal") else e.shape[2]
        a[t, row, :seen] = entmax(e[t, row, :seen], 1 + sigmoid(p["gamma"][t]))
    return one(np.concatenate(a @ v, -1) @ p["W_O"], weights=a, heads=a @ v, scores=e)


LAYERS = {
    "set-mab": set_mab,
    "set-isab": set_isab,
    "set-pma": set_pma,
    "perceiver": perceiver,
    "luna": luna,
    "transformer-ls": transformer_ls,
    "xcit": xcit,
    "synthesizer-dense": synthesizer_dense,
    "synthesizer-random": synthesizer_random,
    "synthesizer-mix": synthesizer_mix,
    "lite-transformer": lite_transformer,
    "opa": opa,
    "mblosa": mblosa,
    "bi-blosa": bi_blosa,
    "tensorized": tensorized,
    "universal": universal,
    "transformer-xl": transformer_xl,
    "image-transformer": image_transformer,
    "standalone-local": standalone_local,
    "deformable": deformable,
    "cross-covariance-free-hvt": hvt,
    "glance-gaze": glance_gaze,
    "power-bert": power_bert,
    "ganformer-bipartite": ganformer,
    "cross-transformer": cross_transformer,
    "transformer-xh": transformer_xh,
    "reversible-residual": reversible,
    "sparse-adaptive-entmax": sparse_adaptive,
}
