# SPDX-License-Identifier: Apache-2.0
"""The cores of today, each by the loops of its paper, token by token, without a look at the engine. A core is
`(q, k, v, x, knobs, parameters) -> results` for one head, where x [n dx] are the rows before any projection. It returns
what the engine must give: "context", "implied" (one map, or one for each feature of the values), "state", .."""
import numpy as np
from judge import relu, sigmoid, softmax
from judge_scores import ACTS


def softplus(x):
    return np.log1p(np.exp(x))


def gate(name, x, knobs, p, squash):
    """Given, or a projection of the token's whole row: a matrix for many columns, a vector for one."""
    if knobs.get("gates", "given") == "given":
        return np.asarray(p[name])
    if "W_" + name in p:
        return squash(x @ p["W_" + name] + p.get("b_" + name, 0))
    return squash(x @ p["w_" + name] + p.get("b_" + name, 0))


def scale(knobs, q, root):
    return knobs.get("scale", 1 / np.sqrt(q.shape[1]) if root else 1.0)


def recurrence(n, width, v, step, read):
    """S_t = step(t, S, v_t), o_t = read(t, S_{t-1}, S_t, v_t), for the values and for V = I."""
    found = []
    for values in (v, np.eye(n)):
        S, rows, states = np.zeros((width, values.shape[1])), [], []
        for t in range(n):
            before = S
            S = step(t, S, values[t])
            rows.append(read(t, before, S, values[t]))
            states.append(S)
        found.append((np.array(rows), np.array(states)))
    (context, states), (implied, _) = found
    return {"context": context, "implied": implied, "weights": implied, "state": states[-1], "states": states}


def faded(q, k, v, s, decay):
    """decay(t): a factor for each feature of the key, or one for all."""
    return recurrence(
        len(q),
        q.shape[1],
        v,
        lambda t, S, value: np.reshape(decay(t), (-1, 1)) * S + np.outer(k[t], value),
        lambda t, before, S, value: s * q[t] @ S,
    )


def retention(q, k, v, x, knobs, p, head=0):
    gamma = knobs.get("gamma", 1 - 2.0 ** (-5 - head))
    gamma = gamma[head] if isinstance(gamma, list) else gamma
    return faded(q, k, v, scale(knobs, q, True), lambda t: gamma)


def lightning(q, k, v, x, knobs, p, head=0, heads=1):
    f = 1 - knobs.get("layer", 0) / (knobs.get("layers", 1) - 1 + 1e-5) + 1e-5
    gamma = np.exp(-f * 2.0 ** (-8 * (head + 1) / heads))
    return faded(q, k, v, scale(knobs, q, False), lambda t: gamma)


def gla(q, k, v, x, knobs, p):
    alpha = gate("alpha", x, knobs, p, lambda y: sigmoid(y) ** (1 / knobs.get("tau", 16)))
    return faded(q, k, v, scale(knobs, q, True), lambda t: alpha[t])


def hgrn2(q, k, v, x, knobs, p):
    lower = knobs.get("lower", 0)
    f = gate("f", x, knobs, p, lambda y: lower + (1 - lower) * sigmoid(y))
    q = ACTS[knobs.get("act", "identity")](q)
    return faded(q, 1 - f, v, scale(knobs, q, False), lambda t: f[t])


def prepared(x, knobs):
    x = ACTS[knobs.get("act", "identity")](x)
    how = knobs.get("normalise", "l2")
    if how == "sum":
        return x / x.sum(-1, keepdims=True)
    return x / np.sqrt((x * x).sum(-1, keepdims=True) + 1e-6) if how == "l2" else x


def delta(q, k, v, x, knobs, p, alpha):
    beta = gate("beta", x, knobs, p, lambda y: (2 if knobs.get("negative") else 1) * sigmoid(y))
    q, k, s = prepared(q, knobs), prepared(k, knobs), scale(knobs, q, True)

    def step(t, S, value):
        S = np.reshape(alpha(t), (-1, 1)) * S
        return S + beta[t] * np.outer(k[t], value - k[t] @ S)

    return recurrence(len(q), q.shape[1], v, step, lambda t, before, S, value: s * q[t] @ S)


def deltanet(q, k, v, x, knobs, p):
    return delta(q, k, v, x, knobs, p, lambda t: 1.0)


def gated_deltanet(q, k, v, x, knobs, p):
    """Also kda, whose gate has a column for each feature of the key."""
    alpha = gate("alpha", x, knobs, p, lambda y: np.exp(-np.exp(p["A_log"]) * softplus(y)))
    return delta(q, k, v, x, knobs, p, lambda t: alpha[t])


def gdn_2(q, k, v, x, knobs, p):
    q, k, s = prepared(q, knobs), prepared(k, knobs), scale(knobs, q, True)

    def run(values):
        S, rows, states = np.zeros((q.shape[1], values.shape[1])), [], []
        for t in range(len(q)):
            S = p["alpha"][t][:, None] * S
            S = S + np.outer(k[t], values[t] - (p["b"][t] * k[t]) @ S)
            rows.append(s * q[t] @ S)
            states.append(S)
        return np.array(rows), np.array(states)

    context, states = run(p["w"] * v)
    maps = np.array([run(np.diag(p["w"][:, c]))[0] for c in range(v.shape[1])])
    return {"context": context, "implied": maps, "weights": maps, "state": states[-1], "states": states}


def gated_deltaproduct(q, k, v, x, knobs, p):
    """x are the whole rows of queries and of keys: the decay is the query's, how much is written the key's."""
    r = knobs.get("steps", 2)
    alpha = gate("alpha", x[0], knobs, p, lambda y: np.exp(-np.exp(p["A_log"]) * softplus(y)))
    beta = gate("beta", x[1], knobs, p, lambda y: (2 if knobs.get("negative") else 1) * sigmoid(y))
    q, k, s = prepared(q, knobs), prepared(k, knobs), scale(knobs, q, True)

    def run(values):
        S, rows, states = np.zeros((q.shape[1], values.shape[1])), [], []
        for t in range(len(q)):
            S = alpha[t] * S
            for u in range(r * t, r * t + r):
                S = S + beta[u] * np.outer(k[u], values[u] - k[u] @ S)
            rows.append(s * q[t] @ S)
            states.append(S)
        return np.array(rows), np.array(states)

    context, states = run(v)
    implied = run(np.eye(len(k)))[0]
    return {"context": context, "implied": implied, "weights": implied, "state": states[-1], "states": states}


def mamba_2(q, k, v, x, knobs, p):
    dt, A, s = gate("dt", x, knobs, p, softplus), -np.exp(p["A_log"]), scale(knobs, q, False)
    return recurrence(
        len(q),
        q.shape[1],
        v,
        lambda t, S, value: np.exp(dt[t] * A) * S + dt[t] * np.outer(k[t], value),
        lambda t, before, S, value: s * q[t] @ S + p["D"] * value,
    )


def mamba(q, k, v, x, knobs, p):
    dt, A = gate("dt", x, knobs, p, softplus), -np.exp(p["A_log"])  # [n dv] [dv p]

    def channel(c, values):
        """values [n z]: what channel c reads, and its part of the memory [n p z]."""
        S, rows, states = np.zeros((q.shape[1], values.shape[1])), [], []
        for t in range(len(q)):
            S = np.exp(dt[t, c] * A[c])[:, None] * S + dt[t, c] * np.outer(k[t], values[t])
            rows.append(q[t] @ S + p["D"][c] * values[t])
            states.append(S)
        return np.array(rows), np.array(states)

    each = [channel(c, v[:, c : c + 1]) for c in range(v.shape[1])]
    maps = np.array([channel(c, np.eye(len(q)))[0] for c in range(v.shape[1])])
    states = np.concatenate([one[1] for one in each], -1)
    context = np.concatenate([one[0] for one in each], -1)
    return {"context": context, "implied": maps, "weights": maps, "state": states[-1], "states": states}


def rwkv_7(q, k, v, x, knobs, p):
    w = gate("w", x, knobs, p, lambda y: np.exp(-np.exp(-0.5) * sigmoid(y)))
    a = gate("a", x, knobs, p, sigmoid)
    bent = k * p["k_k"]
    kappa = bent / np.maximum(np.linalg.norm(bent, axis=-1, keepdims=True), 1e-12)
    key, s = k * (1 + (a - 1) * p["k_a"]), scale(knobs, q, False)

    def step(t, S, value):
        return w[t][:, None] * S - np.outer(kappa[t] * a[t], kappa[t] @ S) + np.outer(key[t], value)

    return recurrence(len(q), q.shape[1], v, step, lambda t, before, S, value: s * q[t] @ S)


def rwkv_6(q, k, v, x, knobs, p):
    w, s = gate("w", x, knobs, p, lambda y: np.exp(-np.exp(y))), scale(knobs, q, False)
    return recurrence(
        len(q),
        q.shape[1],
        v,
        lambda t, S, value: w[t][:, None] * S + np.outer(k[t], value),
        lambda t, before, S, value: s * q[t] @ (before + np.outer(p["u"] * k[t], value)),
    )


def log_linear(q, k, v, x, knobs, p):
    """Pair by pair; the level is read off the two indices in binary."""
    n, s = len(q), scale(knobs, q, False)
    alpha = gate("alpha", x, knobs, p, sigmoid)
    share = gate("lambda", x, knobs, p, softplus)
    implied, states = np.zeros((n, n)), np.zeros((n, share.shape[1], q.shape[1], v.shape[1]))
    for i in range(n):
        for j in range(i + 1):
            level = len(bin(i ^ j)) - 2 if i != j else 0
            kept = np.prod(alpha[j + 1 : i + 1])
            implied[i, j] = share[i, level] * s * (q[i] @ k[j]) * kept
            states[i, level] += kept * np.outer(k[j], v[j])
    return {"context": implied @ v, "implied": implied, "weights": implied, "state": states[-1], "states": states}


def map_of(weights, v, **more):
    return {"context": weights @ v, "implied": weights, "weights": weights, **more}


def based(q, k, v, x, knobs, p):
    s = scale(knobs, q, True) * q @ k.T
    w = np.tril(s * s if knobs.get("kernel") == "square" else 1 + s + s * s / 2)
    return map_of(w / (w.sum(-1, keepdims=True) + knobs.get("eps", 1e-6)), v)


def cosformer(q, k, v, x, knobs, p):
    M = knobs.get("M", max(len(q), len(k)))
    i, j = np.arange(len(q))[:, None], np.arange(len(k))[None]
    w = relu(q) @ relu(k).T * np.cos(np.pi / 2 * (i - j) / M)
    w = np.where(j <= i, w, 0) if knobs.get("causal") else w
    return map_of(w / np.maximum(w.sum(-1, keepdims=True), 1e-6), v)


def hedgehog(q, k, v, x, knobs, p):
    phi = lambda y: softmax(np.concatenate([2 * y @ p["W"], -2 * y @ p["W"]], -1))  # noqa: E731
    w = phi(q) @ phi(k).T
    w = np.tril(w) if knobs.get("causal", True) else w
    return map_of(w / w.sum(-1, keepdims=True), v)


def gated_slot(q, k, v, x, knobs, p):
    alpha = gate("alpha", x, knobs, p, lambda y: sigmoid(y) ** (1 / 8))
    s, slots = scale(knobs, q, True), alpha.shape[1]
    K, shares = np.zeros((q.shape[1], slots)), []
    for t in range(len(q)):
        K = K * alpha[t] + np.outer(k[t], 1 - alpha[t])
        shares.append(softmax(s * q[t] @ K))
    return recurrence(
        len(q),
        slots,
        v,
        lambda t, S, value: alpha[t][:, None] * S + np.outer(1 - alpha[t], value),
        lambda t, before, S, value: shares[t] @ S,
    )


def mesa(q, k, v, x, knobs, p):
    G, rows = np.zeros((q.shape[1], q.shape[1])), []
    for t in range(len(q)):
        G = p["alpha"][t] * G + p["beta"][t] * np.outer(k[t], k[t])
        rows.append(np.linalg.solve((G + np.diag(p["lambda"])).T, q[t]))
    return recurrence(
        len(q),
        q.shape[1],
        v,
        lambda t, S, value: p["alpha"][t] * S + p["beta"][t] * np.outer(k[t], value),
        lambda t, before, S, value: rows[t] @ S,
    )


def mlstm(q, k, v, x, knobs, p):
    """Without the running maximum."""
    i, f = np.exp(gate("ig", x, knobs, p, lambda y: y)), sigmoid(gate("fg", x, knobs, p, lambda y: y))
    root, z, rows = np.sqrt(q.shape[1]), np.zeros(q.shape[1]), []
    for t in range(len(q)):
        z = f[t] * z + i[t] * k[t] / root
        rows.append(q[t] / max(abs(q[t] @ z), 1))
    return recurrence(
        len(q),
        q.shape[1],
        v,
        lambda t, S, value: f[t] * S + i[t] * np.outer(k[t], value) / root,
        lambda t, before, S, value: rows[t] @ S,
    )


def picked(scores, allowed, forced, top):
    """The `top` candidates with the largest scores; forced ones first, ties by the lower index."""
    order = sorted(np.flatnonzero(allowed), key=lambda c: (not forced[c], 0 if forced[c] else -scores[c], c))
    choice = np.zeros(len(scores))
    choice[order[:top]] = 1
    return choice


def blocks_of(k, size):
    return [k[start : start + size] for start in range(0, len(k), size)]


def attended(e, allowed):
    return softmax(np.where(allowed, e, -np.inf))


def moba(q, k, v, x, knobs, p):
    b, top, s = knobs.get("block", 4), knobs.get("top", 3), scale(knobs, q, True)
    means = np.array([block.mean(0) for block in blocks_of(k, b)])
    c, rows, choices = np.arange(len(means)), [], []
    for i in range(len(q)):
        choice = picked(means @ q[i], c <= i // b, c == i // b, top)
        keys = np.array([j <= i and choice[j // b] == 1 for j in range(len(k))])
        rows.append(attended(s * k @ q[i], keys))
        choices.append(choice)
    return map_of(np.array(rows), v, chosen=np.array(choices))


def quest(q, k, v, x, knobs, p):
    b, top, s = knobs.get("page", 4), knobs.get("top", 2), scale(knobs, q, True)
    pages, rows, choices, index = blocks_of(k, b), [], [], []
    for i in range(len(q)):
        scores = np.array([np.maximum(q[i] * one.min(0), q[i] * one.max(0)).sum() for one in pages])
        c = np.arange(len(pages))
        choice = picked(scores, c <= i // b, c == i // b, top)
        keys = np.array([j <= i and choice[j // b] == 1 for j in range(len(k))])
        rows.append(attended(s * k @ q[i], keys))
        choices.append(choice)
        index.append(scores)
    return map_of(np.array(rows), v, chosen=np.array(choices), index=np.array(index))


def nsa_compressed(q, k, knobs):
    b, s = knobs.get("block", 4), scale(knobs, q, True)
    means = np.array([block.mean(0) for block in blocks_of(k, b)])
    return np.array(
        [attended(s * means @ q[i], (np.arange(len(means)) + 1) * b - 1 <= i) for i in range(len(q))]
    )


def nsa(q, k, v, x, knobs, p, group=None):
    """`group`: the mean of p over the heads of a group, which choose together."""
    b, top, window, s = knobs.get("block", 4), knobs.get("top", 2), knobs.get("window", 4), scale(knobs, q, True)
    g = gate("g", x, knobs, p, sigmoid)
    compressed, rows, choices = nsa_compressed(q, k, knobs), [], []
    deciding = compressed if group is None else group
    for i in range(len(q)):
        own, c = i // b, np.arange(compressed.shape[1])
        choice = picked(deciding[i], c <= own, (c == 0) | (c == own - 1) | (c == own), top)
        j, e = np.arange(len(k)), s * k @ q[i]
        first = np.concatenate([np.full(len(one), a / len(one)) for a, one in zip(compressed[i], blocks_of(k, b))])
        second = attended(e, (j <= i) & (choice[j // b] == 1))
        third = attended(e, (i - j >= 0) & (i - j < window))
        rows.append(g[i, 0] * first + g[i, 1] * second + g[i, 2] * third)
        choices.append(choice)
    return map_of(np.array(rows), v, chosen=np.array(choices), compressed=compressed)


def dsa(q, k, v, x, knobs, p):
    """x are the rows of queries and of keys alike."""
    top, s, (heads, _, width) = knobs.get("top", 4), scale(knobs, q, True), p["W_Q"].shape
    index = np.zeros((len(q), len(k)))
    for i in range(len(q)):
        for j in range(len(k)):
            for u in range(heads):
                product = (x[i] @ p["W_Q"][u]) @ (x[j] @ p["W_K"])
                index[i, j] += (x[i] @ p["W_w"][:, u]) * max(product / np.sqrt(width), 0) / np.sqrt(heads)
    rows, choices = [], []
    for i in range(len(q)):
        choice = picked(index[i], np.arange(len(k)) <= i, np.zeros(len(k), bool), top)
        rows.append(attended(s * k @ q[i], choice == 1))
        choices.append(choice)
    return map_of(np.array(rows), v, index=index, chosen=np.array(choices))


FORMS = {
    "retention": retention,
    "lightning": lightning,
    "gla": gla,
    "simple-gla": gla,
    "deltanet": deltanet,
    "gated-deltanet": gated_deltanet,
    "kda": gated_deltanet,
    "gdn-2": gdn_2,
    "gated-deltaproduct": gated_deltaproduct,
    "mamba-2": mamba_2,
    "mamba": mamba,
    "rwkv-7": rwkv_7,
    "rwkv-6": rwkv_6,
    "log-linear": log_linear,
    "hgrn2": hgrn2,
    "based": based,
    "cosformer": cosformer,
    "hedgehog": hedgehog,
    "gated-slot": gated_slot,
    "mesa": mesa,
    "mlstm": mlstm,
    "moba": moba,
    "quest": quest,
    "nsa": nsa,
    "dsa": dsa,
}
