# SPDX-License-Identifier: Apache-2.0
"""The efficient forms that stand between Q, K, V and the context, each as its map [m n] by the formula of its paper.
A form is `(q, k, v, knobs, parameters) -> map`; where the context is more than map times V it is `(map, context)`."""
import numpy as np
from judge import allow, elu, layer_norm, places, relu, sigmoid, softmax

PHI = {"elu+1": lambda x: elu(x) + 1, "relu": relu, "exp": np.exp, "1+x": lambda x: 1 + x}


def dot(q, k):
    return q @ k.T / np.sqrt(q.shape[1])


def future(q, k, knobs):
    i, j = places(len(q), len(k))
    return (j <= i) if knobs.get("causal") else np.ones((len(q), len(k)), bool)


def normalised(products, allowed):
    a = np.where(allowed, products, 0.0)
    total = a.sum(-1, keepdims=True)
    return a / np.where(total == 0, 1, total)


def unit(x):
    return x / np.linalg.norm(x, axis=-1, keepdims=True)


def flash(q, k, v, knobs, p):
    return softmax(allow(dot(q, k), future(q, k, knobs)))


def linear(q, k, v, knobs, p):
    phi = PHI[knobs.get("phi", "elu+1")]
    return normalised(phi(q) @ phi(k).T, future(q, k, knobs))


def fast_weight(q, k, v, knobs, p):
    """The steps themselves, once with V = I for the map: nothing here knows the quadratic form."""
    phi = PHI[knobs.get("phi", "elu+1")]
    fq, fk = phi(q), phi(k)
    if knobs.get("sum_norm"):
        fq, fk = fq / fq.sum(-1, keepdims=True), fk / fk.sum(-1, keepdims=True)
    state, rows, values = np.zeros((q.shape[1], len(k))), [], np.eye(len(k))
    if knobs.get("delta"):
        beta = p["beta"] if "beta" in p else sigmoid(k @ p["w_beta"])
    for t in range(len(q)):
        if knobs.get("delta"):
            state = state + beta[t] * np.outer(fk[t], values[t] - fk[t] @ state)
        else:
            state = state + np.outer(fk[t], values[t])
        rows.append(fq[t] @ state)
    return np.array(rows)


def gla(q, k, v, knobs, p):
    """The quadratic form with cumulative products of the gates: q A^t against k / A^t."""
    faded = np.cumprod(p["alpha"], 0)
    scale = knobs.get("scale", 1 / np.sqrt(q.shape[1]))
    return np.where(future(q, k, {"causal": True}), scale * (q * faded) @ (k / faded).T, 0.0)


def performer(q, k, v, knobs, p):
    omega, width = p["omega"], q.shape[1]
    q, k = q / width**0.25, k / width**0.25
    if knobs.get("kernel", "exp") == "relu":
        fq, fk = (relu(x @ omega.T) / np.sqrt(len(omega)) + 1e-3 for x in (q, k))
    else:
        fq, fk = (np.exp(x @ omega.T - (x * x).sum(-1, keepdims=True) / 2) / np.sqrt(len(omega)) for x in (q, k))
    return normalised(fq @ fk.T, future(q, k, knobs))


def rfa(q, k, v, knobs, p):
    omega = p["omega"]
    fq, fk = (
        np.concatenate([np.sin(unit(x) @ omega.T), np.cos(unit(x) @ omega.T)], -1) / np.sqrt(len(omega))
        for x in (q, k)
    )
    if knobs.get("gate"):
        decay, rows = np.zeros(len(k)), []
        for t, g in enumerate(p["g"]):
            decay = decay * g
            decay[t] = 1 - g
            rows.append(fq[t] @ fk.T * decay)
        a = np.array(rows)
    else:
        a = np.where(future(q, k, knobs), fq @ fk.T, 0)
    total = a.sum(-1, keepdims=True)
    sign = np.where(total < 0, -1, 1)
    return a / np.where(np.abs(total) < 1e-6, sign * 1e-6, total)


def efficient_attention(q, k, v, knobs, p):
    if knobs.get("scaling") == "sqrt-n":
        return (q / np.sqrt(len(k))) @ (k / np.sqrt(len(k))).T
    return softmax(q) @ softmax(k, 0).T


def linformer(q, k, v, knobs, p):
    thin = softmax(dot(q, p["E"] @ k))
    return thin @ p["G"], thin @ (p["G"] @ v), {"weights": thin}


def reformer(q, k, v, knobs, p):
    """Token by token, round by round."""
    n, width = q.shape
    planes = np.zeros((1, width, 1)) if knobs.get("buckets") == 1 else p["R"]
    planes = planes if planes.ndim == 3 else planes[None]
    chunk = knobs.get("chunk") or int(np.ceil(2 * n / knobs.get("buckets", 2 * planes.shape[2])))
    scores = q @ unit(q).T / np.sqrt(width)
    maps, totals = [], []
    for r in planes:
        bucket = np.argmax(np.concatenate([q @ r, -q @ r], -1), -1)
        order = sorted(range(n), key=lambda i: (bucket[i], i))
        place = {token: s // chunk for s, token in enumerate(order)}
        allowed = np.zeros((n, n), bool)
        for i in range(n):
            for j in range(n):
                near = place[j] in (place[i], place[i] - 1)
                allowed[i, j] = near and bucket[i] == bucket[j] and i != j and (j <= i or not knobs.get("causal"))
            allowed[i, i] = not allowed[i].any()
        e = allow(scores, allowed)
        top = e.max(-1)
        totals.append(top + np.log(np.exp(e - top[:, None]).sum(-1)))
        maps.append(softmax(e))
    share = softmax(np.array(totals), 0)
    return (share[:, :, None] * np.array(maps)).sum(0)


def routing(q, k, v, knobs, p):
    nq, nk, mu = layer_norm(q), layer_norm(k), p["mu"]
    e, (m, n), c = dot(nq, nk), (len(q), len(k)), len(mu)
    total, hits = np.zeros((m, n)), np.zeros(m)
    for centre in mu:
        rows = sorted(sorted(range(m), key=lambda i: (-(nq[i] @ centre), i))[: m // c])
        columns = sorted(sorted(range(n), key=lambda j: (-(nk[j] @ centre), j))[: n // c])
        allowed = np.zeros((m, n), bool)
        allowed[np.ix_(rows, columns)] = True
        allowed &= future(q, k, knobs)
        total += softmax(allow(e, allowed))
        hits[rows] += 1
    return total / np.maximum(hits, 1)[:, None]


def strided(q, k, v, knobs, p):
    i, j = places(len(q), len(k))
    length = knobs.get("l", int(np.ceil(np.sqrt(len(k)))))
    first, second = (j <= i) & (j >= i - length), (j <= i) & ((i - j) % length == 0)
    allowed = {"first": first, "second": second, "union": first | second}[knobs.get("part", "union")]
    return softmax(allow(dot(q, k), allowed))


def fixed(q, k, v, knobs, p):
    i, j = places(len(q), len(k))
    length = knobs.get("l", int(np.ceil(np.sqrt(len(k)))))
    first = (j <= i) & (j // length == i // length)
    second = (j <= i) & (j % length >= length - knobs.get("c", 1))
    allowed = {"first": first, "second": second, "union": first | second}[knobs.get("part", "union")]
    return softmax(allow(dot(q, k), allowed))


def bigbird(q, k, v, knobs, p):
    i, j = places(len(q), len(k))
    window, g, b = knobs.get("window", 3), knobs.get("global", 2), knobs.get("block", 1)
    allowed = (np.abs(i // b - j // b) <= window) | (i // b < g) | (j // b < g)
    if "random" in p:  # documents of before say the pairs themselves
        allowed = allowed | (p["random"] == 1)
    if "R" in p:
        allowed[i, p["R"].astype(int)] = True
    return softmax(allow(dot(q, k), allowed & future(q, k, knobs)))


def spans(q, k, knobs, z):
    i, j = places(len(q), len(k))
    causal = {"causal": knobs.get("causal", True)}
    ramp = np.clip((knobs.get("R", 32) + z - np.abs(i - j)) / knobs.get("R", 32), 0, 1)
    return normalised(ramp * np.exp(dot(q, k)), future(q, k, causal))


def adaptive_span(q, k, v, knobs, p):
    return spans(q, k, knobs, p["z"])


def dynamic_span(q, k, v, knobs, p):
    return spans(q, k, knobs, knobs.get("S", len(k)) * sigmoid(q @ p["w"] + p["b"])[:, None])


def gaussian(x, y, squared=1.0):
    return np.exp(-((x[:, None] - y[None]) ** 2).sum(-1) / (2 * squared))


def skyformer(q, k, v, knobs, p):
    root = q.shape[1] ** 0.5
    landmarks = np.concatenate([q, k])[p["landmarks"].astype(int)]
    middle = gaussian(landmarks, landmarks, root) + knobs.get("eps", 0.1) * np.eye(len(landmarks))
    if knobs.get("iterations", 6) == 0:
        inverse = np.linalg.inv(middle)
    else:
        scale = 1 / np.sqrt(middle.sum(-1))
        m, one = scale[:, None] * middle * scale, np.eye(len(middle))
        x = one
        for _ in range(knobs.get("iterations", 6)):
            mx = m @ x
            x = x @ (13 * one - mx @ (15 * one - mx @ (7 * one - mx))) / 4
        inverse = scale[:, None] * x * scale
    return gaussian(q, landmarks, root) @ inverse @ gaussian(landmarks, k, root)


def soft(q, k, v, knobs, p):
    root = q.shape[1] ** 0.5
    landmarks = q[p["landmarks"].astype(int)]
    middle = gaussian(landmarks, landmarks, root)
    if knobs.get("iterations", 20) == 0:
        inverse = np.linalg.inv(middle)
    else:
        inverse = middle * (1 if middle.min() == 1 else 2) / np.abs(middle).sum(0).max() ** 2
        for _ in range(knobs.get("iterations", 20)):
            inverse = 2 * inverse - inverse @ middle @ inverse
    if knobs.get("normalised"):
        scale = 1 / np.sqrt(middle.sum(-1))
        inverse = scale[:, None] * inverse * scale
    return gaussian(q, landmarks, root) @ inverse @ gaussian(landmarks, q, root)


def fmmformer(q, k, v, knobs, p):
    i, j = places(len(q), len(k))
    allowed = future(q, k, knobs)
    near = softmax(allow(dot(q, k), allowed & (np.abs(i - j) <= knobs.get("band", 5))))
    features = [lambda x: elu(x) + 1, lambda x: elu(-x) + 1, np.tanh]
    far = [w * normalised(f(q) @ f(k).T, allowed) for w, f in zip(p["wl"], features)]
    return p["w1"] * near + sum(far)


def sorted_blocks(q, k, v, knobs, p):
    b = p["W"].shape[1]
    qs, ks = (x.reshape(b, -1, x.shape[1]) for x in (q, k))
    r = relu(np.concatenate([qs.sum(1), ks.sum(1)], -1) @ p["W"])
    x = (np.log(r + 1e-6) + (p["gumbel"] if knobs.get("gumbel") else 0)) / knobs.get("temperature", 0.75)
    for _ in range(knobs.get("iterations", 8)):
        x = x - np.log(np.exp(x).sum(1, keepdims=True))
        x = x - np.log(np.exp(x).sum(0, keepdims=True))
    s = np.exp(x)
    if knobs.get("hard"):
        s = np.eye(b)[s.argmax(1)]
    return s, ks, b


def sinkhorn_sparse(q, k, v, knobs, p):
    s, ks, b = sorted_blocks(q, k, v, knobs, p)
    moved, size, rows = np.einsum("ab,bip->aip", s, ks), len(k) // b, []
    for i, x in enumerate(q):
        block = i // (len(q) // b)
        a = softmax(np.concatenate([moved[block], ks[block]]) @ x / np.sqrt(q.shape[1]))
        row = np.einsum("b,i->bi", s[block], a[:size])
        row[block] += a[size:]
        rows.append(row.reshape(-1))
    return np.array(rows)


def sinkhorn_sortcut(q, k, v, knobs, p):
    s, ks, b = sorted_blocks(q, k, v, knobs, p)
    t = knobs.get("t", 1)
    moved = np.einsum("ab,bip->aip", s, ks)[:t].reshape(-1, k.shape[1])
    a = softmax(dot(q, moved)).reshape(len(q), t, -1)
    return np.einsum("mti,tb->mbi", a, s[:t]).reshape(len(q), -1)


def clustered(q, k, v, knobs, p):
    groups = p["assignment"].astype(int)
    rows = np.zeros((len(q), len(k)))
    for group in sorted(set(groups)):
        mine = np.flatnonzero(groups == group)
        row = softmax(dot(q[mine].mean(0, keepdims=True), k))[0]
        for i in mine:
            rows[i] = row
            if knobs.get("improved"):
                top = sorted(range(len(k)), key=lambda j: (-row[j], j))[: knobs.get("k", 32)]
                rows[i, top] = row[top].sum() * softmax(dot(q[i : i + 1], k[top]))[0]
    return rows


def yoso(q, k, v, knobs, p):
    if knobs.get("mode") == "sample":
        same = [(((q @ r > 0)[:, None] == (k @ r > 0)[None]).all(-1)).astype(float) for r in p["R"]]
        a = sum(same) / len(same)
    else:
        cosine = np.clip(unit(q) @ unit(k).T, -1, 1)
        cosine = np.where(cosine > 1 - 1e-14, 1, cosine)  # rows that are equal up to rounding
        a = (1 - np.arccos(cosine) / np.pi) ** knobs.get("tau", 8)
    a = np.where(future(q, k, knobs), a, 0)
    c = a @ v
    return a, unit(c) if knobs.get("normalise", True) else c


def gaussian_softmax(q, k, v, knobs, p):
    return normalised(gaussian(q, k, knobs.get("s", 1) ** 2), future(q, k, knobs))


FORMS = {
    "flash": flash,
    "linear": linear,
    "fast-weight": fast_weight,
    "gla": gla,
    "performer": performer,
    "rfa": rfa,
    "efficient-attention": efficient_attention,
    "linformer": linformer,
    "reformer": reformer,
    "routing": routing,
    "sparse-strided": strided,
    "sparse-fixed": fixed,
    "bigbird": bigbird,
    "adaptive-span": adaptive_span,
    "dynamic-span": dynamic_span,
    "gaussian-attention-softmax": gaussian_softmax,
    "skyformer": skyformer,
    "soft": soft,
    "fmmformer": fmmformer,
    "sinkhorn-sparse": sinkhorn_sparse,
    "sinkhorn-sortcut": sinkhorn_sortcut,
    "clustered": clustered,
    "yoso": yoso,
}


def judged(form, q, k, v, knobs, p):
    """(map, context, weights) by the formula."""
    result = FORMS[form](q, k, v, knobs, p)
    if not isinstance(result, tuple):
        return result, result @ v, result
    return result[0], result[1], result[2]["weights"] if len(result) > 2 else result[0]
