# SPDX-License-Identifier: Apache-2.0
"""Every mask and every position in NumPy. A mask gives the allowed pairs [m n] of one item of `mask`; a position
changes rows (`moved`), turns projected rows (`turned`) or adds to scores (`biased`)."""
import math

import numpy as np
from judge_scores import named, scale_of, sigmoid


def grid(m, n):
    return np.arange(m)[:, None], np.arange(n)[None, :]


def root(n):
    return int(np.ceil(np.sqrt(n)))


def unit_rows(x):
    return (x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + 1e-5)


def hashed(q, k, p, spec):
    R = p("R", spec.get("rounds", 2), q.shape[1], spec.get("buckets", 4) // 2)
    same = [np.equal.outer(*(np.concatenate([x @ r, -x @ r], 1).argmax(1) for x in (q, k))) for r in R]
    return np.any(same, 0)


def routed(q, k, p, spec):
    c = spec.get("clusters", root(len(k)))
    mu, sides = p("mu", c, k.shape[1]), []
    for x in (q, k):
        share, member = -(-len(x) // c), np.zeros((c, len(x)), bool)
        for a in range(c):
            member[a, np.argsort(-(unit_rows(x) @ mu[a]), kind="stable")[:share]] = True
        sides.append(member)
    return (sides[0][:, :, None] & sides[1][:, None, :]).any(0)


def sorted_blocks(q, k, p, spec):
    """The blocks that the sorting network puts first."""
    b, n = spec.get("blocks", 2), len(k)
    size = -(-n // b)
    sums = []
    for x in (q, k):
        own = -(-len(x) // b)
        sums.append(np.array([x[c * own : (c + 1) * own].sum(0) for c in range(b)]))
    r = np.maximum(np.concatenate(sums, 1) @ p("W", q.shape[1] + k.shape[1], b), 0)
    x = np.log(r + 1e-6) / spec.get("temperature", 0.75)
    for _ in range(spec.get("iterations", 8)):
        x = x - np.log(np.exp(x).sum(1, keepdims=True))
        x = x - np.log(np.exp(x).sum(0, keepdims=True))
    kept = set(x[: spec.get("t", 1)].argmax(1))
    return np.broadcast_to([j // size in kept for j in range(n)], (len(q), n))


def patterned(kind, spec, i, j, n):
    l, part = spec.get("l", root(n)), spec.get("part", "union")
    if kind == "mask-sparse-strided":
        first, second = (j >= i - l) & (j <= i), (j <= i) & ((i - j) % l == 0)
    else:
        first = (j <= i) & (i // l == j // l)
        second = (j <= i) & (j % l >= l - spec.get("c", 1))
    return {"first": first, "second": second, "union": first | second}[part]


def allowed_by(spec, m, n, p, q, k):
    spec = named(spec)
    kind = spec["type"]
    i, j = grid(m, n)
    every = (i >= 0) & (j >= 0)
    b, w = spec.get("block", 4), spec.get("window", 4)
    if kind == "mask-bigbird":
        b, g = spec.get("block", 1), spec.get("global", 2)
        drawn = np.zeros((m, n), bool)
        if spec["random"]:
            drawn[i, p("R", m, spec["random"], kind="keys", top=n).astype(int)] = True
        return (np.abs(i // b - j // b) <= spec.get("window", 3)) | (np.minimum(i // b, j // b) < g) | drawn
    if kind == "mask-selection":
        way = {"none": i != j, "fw": j < i, "bw": j > i}[spec.get("direction", "none")]
        return way & (p("z_h", m, kind="bits")[:, None] == 1) & (p("z_d", n, kind="bits")[None] == 1)
    return {
        "mask-padding": lambda: every & (j < spec.get("length", n)),
        "mask-causal": lambda: j <= i,
        "mask-directional-fw": lambda: j < i,
        "mask-directional-bw": lambda: j > i,
        "mask-diagonal": lambda: j != i,
        "mask-window": lambda: np.abs(i - j) <= spec.get("window", 2),
        "mask-block": lambda: i // b == j // b,
        "mask-block-local": lambda: (j <= i) & (j >= i // spec.get("l_q", 4) * spec.get("l_q", 4) - spec.get("l_m", 4)),
        "mask-graph": lambda: (np.array(spec["adjacency"]) == 1) | (i == j),
        "mask-explicit": lambda: np.broadcast_to(np.array(spec["allowed"]) == 1, (m, n)),
        "mask-disco": lambda: (p("random", m, n, kind="bits") == 1) & (i != j),
        "mask-sliding": lambda: (i - j >= 0) & (i - j < w),
        "mask-sink-window": lambda: (j <= i) & ((i - j < w) | (j < spec.get("sinks", 4))),
        "mask-prefix": lambda: (j <= i) | (j < spec.get("length", 1)),
        "mask-dilated": lambda: (np.abs(i - j) <= w) & ((i - j) % spec.get("dilation", 2) == 0),
        "mask-sliding-chunk": lambda: (j <= i) & (i // b - j // b <= spec.get("back", 1)),
        "mask-sparse-strided": lambda: patterned(kind, spec, i, j, n),
        "mask-sparse-fixed": lambda: patterned(kind, spec, i, j, n),
        "mask-lsh": lambda: hashed(q, k, p, spec),
        "mask-sortcut": lambda: sorted_blocks(q, k, p, spec),
        "mask-routing": lambda: routed(q, k, p, spec),
    }[kind]()


def hidden_tokens(spec, x, p, N, D):
    """BERT's noise on whole rows: a mask row, a row of the same sequence, or the row itself."""
    pick, kind, token = (p(name, N, kind="uniform") for name in ("u_pick", "u_kind", "u_token"))
    masked, y = spec.get("masked", 0.8), x.copy()
    instead = p("x_mask", D)
    for i in range(len(x)):
        if pick[i] < spec.get("rate", 0.15):
            if kind[i] < masked:
                y[i] = instead[: x.shape[1]]
            elif kind[i] < masked + spec.get("random", 0.1):
                y[i] = x[int(token[i] * len(x))]
    return y


def wave(positions, d, base=10000.0):
    c = np.arange(d)
    angle = np.asarray(positions, float)[..., None] / base ** (2 * (c // 2) / d)
    return np.where(c % 2 == 0, np.sin(angle), np.cos(angle))


def tree_rows(spec, n, d, p):
    """The path from the root: one-hot numbers of children, each step up times p."""
    branching = spec.get("branching", 2)
    parents = spec.get("parents") or [-1] + [(i - 1) // branching for i in range(1, n)]
    decay, depth, x, born = p("p"), spec.get("depth", 8), np.zeros((n, d)), [0] * n
    done, waiting = {parents.index(-1)}, [i for i in range(n) if parents[i] != -1]
    while waiting:
        for i in sorted(waiting):
            up = parents[i]
            if up in done:
                mine = np.zeros(branching)
                mine[sum(1 for other in range(i) if parents[other] == up)] = 1
                path = np.concatenate([mine, decay * x[up]])[: branching * min(depth, d // branching)]
                x[i, : len(path)] = path
                done.add(i)
                waiting.remove(i)
    return x


def moved(spec, x, p):
    """Rows with their position added, or weighed by it."""
    spec = named(spec)
    n, d = x.shape
    if spec["type"] == "pos-sinusoidal":
        return x + wave(np.arange(n), d, spec.get("base", 10000.0))
    if spec["type"] == "pos-learned":
        return x + p("P", spec.get("N", 64), d)[:n]
    if spec["type"] == "pos-ut-coordinate":
        return x + wave(np.arange(n), d) + wave(np.full(n, spec.get("step", 1)), d)
    return x


def location_weights(spec, n):
    start, length = spec.get("start", 0), spec.get("length", 1)
    j = np.arange(n)
    l = np.where(j < start, start - j, np.where(j >= start + length, j - (start + length - 1), 0))
    w = 1 - l / (n - length + 1)
    return np.where(l == 0, 1.0 if spec.get("keep") else 0.0, w)


def turned(spec, x):
    spec = named(spec)
    r = 2 * int(np.floor(spec.get("fraction", 1.0) * x.shape[-1] / 2))
    y, at = x.copy(), spec.get("start", 0) + np.arange(x.shape[-2])
    for t in range(r // 2):
        a, b = (t, t + r // 2) if spec.get("pairs", "half") == "half" else (2 * t, 2 * t + 1)
        angle = at * spec.get("base", 10000.0) ** (-2 * t / r)
        y[..., a] = x[..., a] * np.cos(angle) - x[..., b] * np.sin(angle)
        y[..., b] = x[..., a] * np.sin(angle) + x[..., b] * np.cos(angle)
    return y


def bucket(gap, buckets, most, both):
    """T5's bucket of a distance j - i."""
    first = 0
    if both:
        buckets //= 2
        first = buckets if gap > 0 else 0
        gap = abs(gap)
    else:
        gap = max(0, -gap)
    exact = buckets // 2
    if gap < exact:
        return first + gap
    if buckets == 1:
        return first
    steps = math.log(gap / exact) / math.log(most / exact) * (buckets - exact)
    return first + min(buckets - 1, exact + math.floor(steps))


def t5_bucket(gap, spec):
    return bucket(gap, spec.get("buckets", 32), spec.get("max", 128), spec.get("bidirectional", True))


def alibi_slopes(h):
    power = 2 ** int(math.floor(math.log2(h)))
    slopes = [2.0 ** (-8 * (t + 1) / power) for t in range(power)]
    return slopes + [2.0 ** (-8 * (t + 1) / (2 * power)) for t in range(0, 2 * power, 2)][: h - power]


def biased(spec, e, q, k, p, score, head=0, heads=1):
    """Scores with the terms of a position. `p` draws one table for all heads, `p.each` one for each head."""
    spec, s = named(spec), scale_of(named(score), k)
    kind, (m, n), d = spec["type"], e.shape, k.shape[1]
    i, j = grid(m, n)
    if kind == "pos-alibi":
        slopes = spec.get("slopes", alibi_slopes(heads))
        return e - np.broadcast_to(slopes, heads)[head] * np.abs(i - j)
    if kind == "pos-t5-bias":
        B = p.each("B", spec.get("buckets", 32))
        return e + np.array([[B[t5_bucket(c - r, spec)] for c in range(n)] for r in range(m)])
    if kind == "pos-kerple":
        r1, r2 = p.each("r1", kind="uniform"), p.each("r2", kind="uniform")
        far = np.abs(i - j)
        return e - (r1 * far**r2 if spec.get("kernel") == "power" else r1 * np.log(1 + r2 * far))
    if kind == "pos-forgetting":
        G = np.cumsum(np.log(p.each("f", n, kind="uniform", finish=lambda x: 0.2 + 0.8 * x)))
        return e - np.abs(G[:m, None] - G[None])
    if kind == "pos-sandwich":
        u = np.arange(math.ceil(spec.get("d", 128) / 2))
        angles = (i - j)[..., None] * spec.get("base", 10000.0) ** (-2 * u / spec.get("d", 128))
        return e + heads / (8 * (head + 1)) * np.cos(angles).sum(-1)
    if kind == "pos-relative-shaw":
        reach = spec.get("k", 4)
        return e + s * np.einsum("md,mnd->mn", q, p("a_K", 2 * reach + 1, d)[np.clip(j - i, -reach, reach) + reach])
    if kind == "pos-relative-music":
        E_r = p("E_r", n, d)
        far = np.einsum("md,mnd->mn", q, E_r[np.clip(len(E_r) - 1 - (i - j), 0, len(E_r) - 1)])
        return e + s * np.where(j <= i, far, 0)
    if kind == "pos-disentangled":
        return disentangled(spec, q, k, p, i, j)
    if kind in ("pos-attention", "pos-attention-factorized"):
        if kind == "pos-attention":
            T = p.each("T", m, n)
        else:
            rank = spec.get("rank", 8)
            T = p.each("F1", m, rank) @ p.each("F2", n, rank).T
        return T / math.sqrt(d) + (e if spec.get("add") else 0)
    if kind == "pos-cope":
        N, P = spec.get("N", 16), p("P", spec.get("N", 16), d)
        gates, out = sigmoid(e), e.copy()
        for r in range(m):
            for c in range(n):
                at = min(N - 1, gates[r, c : r + 1].sum()) if c <= r else 0.0
                low, high = int(math.floor(at)), min(N - 1, int(math.ceil(at)))
                out[r, c] += s * (q[r] @ P[low] * (1 - at + low) + q[r] @ P[high] * (at - low))
        return out
    if kind == "pos-relative-xl":
        u, v = p("u", d), p("v", d)
        R = wave(i - j, q.shape[1]) @ p("W_R", q.shape[1], d)
        return e + s * (u @ k.T + np.einsum("mnd,md->mn", R, q + v))
    return e


def disentangled(spec, q, k, p, i, j):
    reach, c2p, p2c = spec.get("k", 4), spec.get("c2p", True), spec.get("p2c", True)
    near = lambda far: np.clip(far + reach, 0, 2 * reach - 1)  # noqa: E731
    e = q @ k.T
    if c2p:
        e = e + np.einsum("md,mnd->mn", q, p("K_r", 2 * reach, k.shape[1])[near(i - j)])
    if p2c:
        far = j - i if spec.get("gather") == "paper" else i - j
        e = e + np.einsum("nd,mnd->mn", k, p("Q_r", 2 * reach, k.shape[1])[near(far)])
    return e / math.sqrt((1 + c2p + p2c) * q.shape[1])
