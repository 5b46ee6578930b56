# SPDX-License-Identifier: Apache-2.0
"""Modules whose choices had no judge, each as `(x, knobs, p) -> {result: array}`: x are the inputs, p(name, *shape)
draws a parameter."""
import math

import numpy as np
from judge import layer_norm
from judge_masks import wave
from judge_scores import ACTS, sigmoid, unit


def soft(e, axis=-1):
    x = np.exp(e - e.max(axis, keepdims=True))
    return x / x.sum(axis, keepdims=True)


def softly(e, allowed):
    """Rows over the allowed columns; rows without any are zeros."""
    a = np.zeros_like(e)
    for i, keys in enumerate(allowed):
        if keys.any():
            a[i, keys] = soft(e[i, keys], 0)
    return a


def below(n, before=True):
    i, j = np.arange(n)[:, None], np.arange(n)[None]
    return j < i if before else j > i


def pairwise(x, knobs, p):
    image, r = x["image"], knobs.get("footprint", 7) // 2
    height, width, C = image.shape
    a, delta, dv = knobs.get("hidden", C), knobs.get("delta", "sum"), 3
    phi, psi = image @ p("W_phi", C, a), image @ p("W_psi", C, a)
    beta, gamma = image @ p("W_beta", C, dv), p("W_gamma", {"dot": 1, "concat": 2 * a}.get(delta, a), dv)
    join = {"sum": np.add, "diff": np.subtract, "had": np.multiply, "dot": lambda u, v: np.array([u @ v]),
            "concat": lambda u, v: np.concatenate([u, v])}[delta]
    out = np.zeros((height, width, dv))
    for y, z in np.ndindex(height, width):
        near = [(s, t) for s in range(y - r, y + r + 1) for t in range(z - r, z + r + 1)
                if 0 <= s < height and 0 <= t < width]
        e = np.array([join(phi[y, z], psi[at]) @ gamma for at in near])
        out[y, z] = (soft(e, 0) * np.array([beta[at] for at in near])).sum(0)
    return {"context": out}


def generalized_pooling(x, knobs, p):
    x, h = x["x"], knobs.get("count", 5)
    d, act = x.shape[1], ACTS[knobs.get("act", "relu")]
    W1, b1, W2, b2 = p("W1", h, d, 3), p("b1", h, 3), p("W2", h, 3, d), p("b2", h, d)
    a = np.stack([soft(act(x @ W1[t] + b1[t]) @ W2[t] + b2[t], 0) for t in range(h)])
    return {"weights": a, "context": (a * x).sum(1).reshape(1, -1)}


def inner_attention(x, knobs, p):
    a = sigmoid(x["query"] @ p("M", x["query"].shape[1], x["key"].shape[1]) @ x["key"].T)
    return {"gate": a, "output": a.T * x["key"]}


def memnet(x, knobs, p):
    d_in, d, hops = x["query"].shape[1], 3, knobs.get("hops", 3)
    if knobs.get("tying") == "adjacent":
        E = p("E", hops + 1, d_in, d)
        inside, outside, first, H = E[:-1], E[1:], E[0], np.eye(d)
    else:
        inside, outside = [p("A", d_in, d)] * hops, [p("C", d_in, d)] * hops
        first, H = p("B", d_in, d), p("H", d, d)
    u, maps = x["query"] @ first, []
    for k in range(hops):
        e = u @ (x["memory"] @ inside[k]).T
        maps.append(e if knobs.get("linear") else soft(e))
        u = u @ H + maps[-1] @ (x["memory"] @ outside[k])
    return {"output": u, "weights": maps[-1], **{f"weights.{k}": a for k, a in enumerate(maps)}}


def multi_hop(x, knobs, p):
    """Its score is the additive one, over the pair of the new query and the last context."""
    Q, K, V = x["query"], x["key"], x["value"]
    hops, shared, how, a = knobs.get("hops", 2), knobs.get("share", True), knobs.get("transform", "query"), 3
    dq, dv = Q.shape[1], V.shape[1]
    own = lambda name, *shape: p(name, *(() if shared else (hops,)), *shape)  # noqa: E731
    at = (lambda z, s: z) if shared else (lambda z, s: z[s])
    width = {"context": dv, "concat": dq + dv}.get(how)
    W_t = own("W_t", width, dq) if width else None
    W1, W2 = own("hop.score.W1", dq + dv, a), own("hop.score.W2", K.shape[1], a)
    b, w = own("hop.score.b", a), own("hop.score.w", a)
    q, c, maps = Q.mean(0), V.mean(0), []
    for s in range(hops):
        x_s = {"query": q, "context": c, "concat": np.concatenate([q, c])}[how]
        x_s = x_s if W_t is None else x_s @ at(W_t, s)
        q = soft(Q @ x_s / math.sqrt(dq)) @ Q
        e = np.tanh(np.concatenate([q, c]) @ at(W1, s) + K @ at(W2, s) + at(b, s)) @ at(w, s)
        maps.append(soft(e)[None])
        c = soft(e) @ V
    return {"context": c[None], **{f"weights.{s}": one for s, one in enumerate(maps)}}


def fft_kernel(x, knobs, p):
    q, k, v = unit(x["query"]), unit(x["key"]), x["value"]
    n = len(k)
    b, omega = p("b", 2 * n - 1), p("omega", 5, q.shape[1])
    phi = lambda y: np.exp(y @ omega.T - (y * y).sum(-1, keepdims=True) / 2) / math.sqrt(len(omega))  # noqa: E731
    i, j = np.arange(n)[:, None], np.arange(n)[None]
    a = phi(q) @ phi(k).T * np.exp(b[j - i + n - 1])
    a = np.where(j <= i, a, 0) if knobs.get("causal") else a
    return {"context": a / a.sum(1, keepdims=True) @ v}


def memnet_positions(x, knobs, p):
    x = x["x"]
    I, J, d = x.shape
    j, k = np.arange(1, J + 1)[:, None], np.arange(1, d + 1)[None]
    m = ((1 - j / J - k / d * (1 - 2 * j / J)) * x).sum(1)
    return {"context": m + p("T_A", I, d), "value": m + p("T_C", I, d)}


def resa(x, knobs, p):
    x = x["x"]
    n, d = x.shape
    mean = np.broadcast_to(x.mean(0), x.shape)
    f, found, z = np.concatenate([x, mean, x * mean], 1), {}, {}
    for side in "hd":
        hidden = ACTS["elu"](f @ p("W1_" + side, 3 * d, 3) + p("b1_" + side, 3))
        found["probability_" + side] = sigmoid(hidden @ p("w_" + side, 3) + p("b_" + side))
        z[side] = p("z_" + side, n, kind="bits") == 1
    way = {"none": ~np.eye(n, dtype=bool), "fw": below(n), "bw": below(n, False)}[knobs.get("direction", "none")]
    allowed = way & z["h"][:, None] & z["d"][None]
    c = knobs.get("c", 5.0)
    e = c * np.tanh(((x @ p("pair.W1", d, d))[:, None] + (x @ p("pair.W2", d, d))[None] + p("pair.b1", d)) / c)
    a = np.stack([softly(e[..., f], allowed) for f in range(d)], -1)
    s = (a * x[None]).sum(1)
    if knobs.get("keep-unselected"):
        for i in np.flatnonzero(~z["h"]):
            mine = way[i] & z["d"]
            s[i] = x[mine].mean(0) if mine.any() else 0
    gate = sigmoid(s @ p("pair.W_s", d, d) + x @ p("pair.W_h", d, d) + p("pair.b_f", d))
    return {**found, "mask": allowed, "context": s, "output": gate * x + (1 - gate) * s}


def transparent(x, knobs, p):
    a = soft(p("logits", knobs.get("decoder", 6), len(x["layers"])))
    return {"weights": a, "context": np.einsum("tl,lnd->tnd", a, x["layers"])}


def truncated(x, knobs, p):
    x, reach = x["x"], knobs.get("N_m", 5)
    d, a = x.shape[1], 3
    W1, W2, W3, w = p("W1", d, a), p("W2", d, a), p("W3", d, a), p("w", a)
    done, maps = [], np.zeros((len(x), len(x)))
    for t, h in enumerate(x):
        past = range(max(0, t - reach), t)
        if past:
            e = np.array([np.tanh(x[i] @ W1 + h @ W2 + done[i] @ W3) @ w for i in past])
            maps[t, past] = soft(e)
            h = h + np.maximum(soft(e) @ np.array([done[i] for i in past]), 0)
        done.append(h)
    return {"output": np.array(done), "weights": maps}


def stacked(x, knobs, p):
    f, hops = x["x"], knobs.get("hops", 2)
    d = f.shape[1]
    W_Q, W_K, W_V = p("W_Q", hops, d, 3), p("W_K", hops, d, 3), p("W_V", hops, d, d)
    gamma, beta = p("gamma", hops, d), p("beta", hops, d)
    for s in range(hops):
        a = soft(f @ W_Q[s] @ (f @ W_K[s]).T / math.sqrt(3))
        f = layer_norm(f + a @ f @ W_V[s], gamma[s], beta[s])
    return {"output": f, "weights": a}


def mhca(x, knobs, p):
    image, total = x["image"], 0
    height, width, C = image.shape
    for k in map(int, knobs.get("kernels", "1-3-5").split("-")):
        conv, deconv, edge = p(f"conv{k}", k, k, C, 2), p(f"deconv{k}", k, k, 2, C), 0
        if knobs.get("edge") != "inside":
            edge = k // 2
        padded = np.pad(image, ((edge, edge), (edge, edge), (0, 0)))
        inner = np.zeros((height + 2 * edge - k + 1, width + 2 * edge - k + 1, 2))
        for u, v in np.ndindex(k, k):
            inner += padded[u : u + len(inner), v : v + inner.shape[1]] @ conv[u, v]
        inner, back = np.maximum(inner, 0), np.zeros_like(padded)
        for u, v in np.ndindex(k, k):
            back[u : u + len(inner), v : v + inner.shape[1]] += inner @ deconv[u, v]
        total = total + back[edge : edge + height, edge : edge + width]
    return {"output": sigmoid(total) * image}


def luna_causal(x, knobs, p):
    x = x["x"]
    P, rows = p("P", 4, x.shape[1]), []
    for t in range(len(x)):
        packed = np.mean([np.outer(ACTS["softplus"](P @ x[j]), x[j]) for j in range(t + 1)], 0)
        rows.append(soft(packed @ x[t]) @ packed)
    return {"context": np.array(rows)}


def lite_causal(x, knobs, p):
    x, split = x["x"], math.ceil(x["x"].shape[1] / 2)
    left, right, kernel = x[:, :split], x[:, split:], soft(p("kernel", knobs.get("k", 3)))
    a = softly(left @ left.T / math.sqrt(split), ~below(len(x), False))
    moved = np.zeros_like(right)
    for i in range(len(x)):
        for s, w in enumerate(kernel):
            at = i - (len(kernel) - 1) + s
            if at >= 0:
                moved[i] += w * right[at]
    return {"context": np.concatenate([a @ left, moved], 1), "weights": a}


def reversed_back(x, knobs, p):
    y1, y2 = x["x1"], x["x2"]
    d1, d2 = y1.shape[1], y2.shape[1]
    x2 = y2 - (np.maximum(y1 @ p("W1", d1, 3) + p("b1", 3), 0) @ p("W2", 3, d2) + p("b2", d2))
    e = x2 @ p("W_Q", d2, 3) @ (x2 @ p("W_K", d2, 3)).T / math.sqrt(3)
    a = softly(e, ~below(len(e), False)) if knobs.get("causal") else soft(e)
    return {"output1": y1 - a @ x2 @ p("W_V", d2, d1), "output2": x2}


def random_table(x, knobs, p):
    x = x["x"]
    n = len(x)
    R = p("R1", n + 1, 2) @ p("R2", n + 1, 2).T if knobs.get("factorized") else p("R", n + 1, n + 1)
    R = R[:n, :n]
    a = softly(R, ~below(n, False)) if knobs.get("causal") else soft(R)
    return {"context": a @ x @ p("W_V", x.shape[1], 3), "weights": a}


def outer_product(x, knobs, p):
    act = ACTS[knobs.get("act", "tanh")]
    return {"output": np.einsum("mnp,nv->mpv", act(x["query"][:, None] * x["key"][None]), x["value"])}


def sam(x, knobs, p):
    x, act, s, slots = x["x"], ACTS[knobs.get("act", "tanh")], knobs.get("queries", 3), knobs.get("slots", 4)
    q, k, v = (layer_norm(p(name, rows, len(x)) @ x) for name, rows in (("W_q", s), ("W_k", slots), ("W_v", slots)))
    out = np.stack([sum(np.outer(act(a * b), c) for b, c in zip(k, v)) for a in q])
    return {"context": out, "output": knobs.get("alpha", 1.0) * out}


def token_to_token(x, knobs, p):
    df, d, act, c = x["x"].shape[1], 3, ACTS[knobs.get("act", "elu")], knobs.get("c", 5.0)
    h = act(x["x"] @ p("W_x", df, d) + p("b_x", d))
    e = c * np.tanh(((h @ p("W1", d, d))[:, None] + (h @ p("W2", d, d))[None] + p("b1", d)) / c)
    allowed = below(len(h)) if knobs.get("mask") else np.ones((len(h), len(h)), bool)
    s = np.stack([softly(e[..., f], allowed) @ h[:, f] for f in range(d)], 1)
    f = sigmoid(s @ p("W_s", d, d) + h @ p("W_h", d, d) + p("b_f", d))
    return {"context": s, "gate": f, "output": f * h + (1 - f) * s}


def source_to_token(x, knobs, p):
    x, act = x["x"], ACTS[knobs.get("act", "elu")]
    d = x.shape[1]
    a = soft(act(x @ p("W1", d, 3) + p("b1", 3)) @ p("W2", 3, d) + p("b2", d), 0)
    return {"context": (a * x).sum(0)[None]}


def two_attentions(x, knobs, p):
    """Over the keys, and over the states of a network that reads the source."""
    q, k, source = x["query"], x["key"], x["source"]
    d, dx = q.shape[1], source.shape[1]
    W, U, b, h, states = p("cell.W", dx, d), p("cell.U", d, d), p("cell.b", d), np.zeros(d), []
    for row in source:
        h = np.tanh(row @ W + h @ U + b)
        states.append(h)
    att = lambda a, rows: soft(a @ rows.T / math.sqrt(d)) @ rows  # noqa: E731
    one = att(q, k)
    if knobs.get("combine") == "stacked":
        return {"context": one + att(q + one, np.array(states))}
    other = att(q, np.array(states))
    g = sigmoid(np.concatenate([one, other], 1) @ p("W_g", 2 * d, d) + p("b_g", d))
    return {"context": g * one + (1 - g) * other}


def losses(kind):
    def one(x, knobs, p):
        a, gold, lam = x["weights"], x.get("gold", x.get("teacher")), knobs.get("lambda", 0.1)
        return {"loss": lam * {"mse": lambda: ((gold - a) ** 2).sum(), "xent": lambda: -(gold * np.log(a)).sum(),
                               "mult": lambda: -np.log((gold * a).sum(-1)).sum()}[knobs.get("form", kind)]()}

    return one


def hinge(x, knobs, p):
    return {"loss": np.maximum(0, 1 - x["output"] * x["target"]).mean()}


def combine(x, knobs, p):
    parts = [x[name] for name in sorted(x)]
    n, d = parts[0].shape
    f = {"sum": sum, "product": lambda l: np.prod(l, 0), "max": lambda l: np.max(l, 0)}[knobs.get("by", "sum")](parts)
    if knobs.get("position"):
        f = f + p("P", n + 1, d)[:n]
    if knobs.get("waves", "none") != "none":
        w = wave(np.arange(n), d, knobs.get("base", 10000.0))
        f = f + (np.concatenate([w[:, ::2], w[:, 1::2]], 1) if knobs["waves"] == "halves" else w)
    return {"output": layer_norm(f, p("gamma", d), p("beta", d)) if knobs.get("norm") else f}


def convolved(x, knobs, p):
    """Over tokens or over an image: centred, zeros outside, every stride-th place, then the largest of each square."""
    x, size, act = x["x"], knobs.get("size", 3), ACTS[knobs.get("act", "relu")]
    axes, filters, left = x.ndim - 1, knobs.get("filters", 4), (size - 1) // 2
    kernel, b = p("kernel", *(size,) * axes, x.shape[-1], filters), p("b", filters)
    padded = np.pad(x, [(left, size - 1 - left)] * axes + [(0, 0)])
    y = np.zeros((*x.shape[:-1], filters))
    for at in np.ndindex(*y.shape[:-1]):
        window = padded[tuple(slice(a, a + size) for a in at)]
        y[at] = act(np.tensordot(window, kernel, axes + 1) + b)
    if axes == 1:
        return {"output": y}
    y, pool = y[:: knobs.get("stride", 1), :: knobs.get("stride", 1)], knobs.get("pool", 1)
    high, wide = (n // pool for n in y.shape[:2])
    y = y[: high * pool, : wide * pool].reshape(high, pool, wide, pool, -1).max((1, 3))
    return {"output": y, "rows": y.reshape(-1, filters)}


def act_of(names, usual):
    """A feed-forward layer: `names` are its two matrices and biases, gated or not."""
    def one(x, knobs, p):
        x, d, act = x["x"], x["x"].shape[1], ACTS[knobs.get("act", usual)]
        hidden = act(x @ p(names[0], d, 3) + p(names[1], 3))
        if names[0] == "W_gate":
            hidden = hidden * (x @ p("W_up", d, 3) + p("b_up", 3))
        return {"output": hidden @ p(names[2], 3, d) + p(names[3], d)}

    return one


def feed_forward(x, knobs, p):
    f = act_of(("W1", "b1", "W2", "b2"), "relu")
    norm = lambda y: layer_norm(y, p("gamma", y.shape[1]), p("beta", y.shape[1]))  # noqa: E731
    if knobs.get("norm") == "pre":
        return {"output": x["x"] + f({"x": norm(x["x"])}, knobs, p)["output"]}
    return {"output": norm(x["x"] + f(x, knobs, p)["output"])}


WHOLES = {
    "attention-over-dims-pairwise": pairwise, "generalized-pooling": generalized_pooling,
    "inner-attention": inner_attention, "memnet-hop": memnet, "multi-hop": multi_hop, "pos-fft-kernel": fft_kernel,
    "pos-memnet-pe": memnet_positions, "resa": resa, "transparent-attention": transparent,
    "truncated-history": truncated, "transformer-as-hops": stacked, "mhca": mhca, "luna": luna_causal,
    "lite-transformer": lite_causal, "reversible-residual": reversed_back, "synthesizer-random": random_table,
    "opa": outer_product, "sam": sam, "token2token": token_to_token, "source2token": source_to_token,
    "supervised-mse": losses("mse"), "supervised-xent": losses("xent"), "supervised-mult": losses("mult"),
    "transfer-loss": losses("mse"), "hinge": hinge, "fm-combine": combine,
    "fm-linear": lambda x, knobs, p: {"output": ACTS[knobs.get("act", "identity")](
        x["x"] @ p("W", x["x"].shape[1], 3) + (p("b", 3) if knobs.get("bias") else 0))},
    "fm-identity": lambda x, knobs, p: {"output": x["x"]},
    "mlp": act_of(("W1", "b1", "W2", "b2"), "gelu"), "om-ffn": feed_forward, "rnn-plus-attn": two_attentions,
    "fm-cnn1d": convolved, "fm-cnn2d": convolved,
    "fm-lookup": lambda x, knobs, p: {"output": knobs["scale"] * p("E", 4, 3)[x["x"][:, 0].astype(int)]},
    "swiglu": act_of(("W_gate", "b_gate", "W_down", "b_down"), "silu"),
}
