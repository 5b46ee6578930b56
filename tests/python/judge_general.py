# SPDX-License-Identifier: Apache-2.0
"""The general module in NumPy, composed of judge_scores, judge_aligns and judge_masks in the order of the contract.
`judged(mechanism, inputs, seed)` draws the numbers that the mechanism needs, and returns
its document and the expected results."""
import numpy as np
from judge import document
from judge_aligns import aligned
from judge_given import Given, items, slots_of
from judge_masks import allowed_by, biased, hidden_tokens, location_weights, moved, tree_rows, turned
from judge_scores import ACTS, convolved, named, score, sigmoid, unit


def rows_of(spec, inputs, p):
    """Queries, keys and values before positions, and the whole rows of each side."""
    query = named(spec.get("query", "query-basic"))
    kind = query["type"]
    if kind == "self-attention":
        return inputs["x"], inputs["x"], None
    key = inputs["key"] if "key" in inputs else inputs["query"]
    if kind == "query-learned":
        q = p.of("query.")("q", query.get("rows", 1), key.shape[1])
    elif kind == "query-pooled-self":
        q = pooled(key, query.get("pool", "avg"))
    elif kind == "query-specialized":
        how = query.get("pool", "mean")
        q = inputs["other"] if how == "none" else pooled(inputs["other"], how)
    elif kind == "query-constant":
        q = np.zeros((1, key.shape[1]))
    elif kind == "two-queries":
        q = np.concatenate([inputs["query"], inputs["query2"]], 1)
    else:
        q = inputs.get("query", np.zeros((1, key.shape[1])))  # the filters of a convolution are queries themselves
    return q, key, inputs.get("value")


def pooled(x, how):
    return {"avg": x.mean(0), "mean": x.mean(0), "max": x.max(0), "last": x[-1]}[how][None]


def keyed(spec, key, value, p):
    """The slot `key`."""
    slot = named(spec.get("key", "none"))
    if slot["type"] == "key-value-split":
        source = key if value is None else value
        return (key @ p.of("key.")("W_K", key.shape[1], slot.get("width", key.shape[1])),
                source @ p.of("value.")("W_V", source.shape[1], source.shape[1]))
    if slot["type"] == "neighbour-keys":
        r, n = slot.get("radius", 1), len(key)
        near = np.array([key[max(0, j - r) : j + r + 1].mean(0) for j in range(n)])
        return near, key if value is None else value
    return key, value


def placed(spec, x, side, p):
    """Rows with their encodings, which are added first, then weighed by their distance from a target."""
    for item, at in slots_of(spec, "position", "position"):
        if side in ("weights", "value"):
            break
        x = x + tree_rows(item, *x.shape, p.of(at)) if item["type"] == "pos-tree" else moved(item, x, p.of(at))
    for item, _ in slots_of(spec, "position", "position"):
        if item["type"] == "pos-location-weight" and side != "query":
            x = x * location_weights(item, len(x))[:, None]
    return x


def normed(spec, x, p, name):
    kind, eps = spec.get("kind", "rms"), spec.get("eps", 1e-6)
    gamma = p("gamma_" + name, x.shape[-1]) + spec.get("offset", 0)
    if kind == "rms":
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + eps) * gamma
    if kind == "layer":
        c = x - x.mean(-1, keepdims=True)
        return c / np.sqrt((c * c).mean(-1, keepdims=True) + eps) * gamma
    return x / np.maximum(np.linalg.norm(x, axis=-1, keepdims=True), 1e-12) * gamma


def readied(spec, q, k, p):
    """Projected rows after `qk` and rotations."""
    if "qk" in spec:
        qk = named(spec["qk"])
        q, k = normed(qk, q, p.of("qk."), "Q"), normed(qk, k, p.of("qk."), "K")
    for item, _ in slots_of(spec, "position", "position"):
        if item["type"] == "pos-rope":
            q, k = turned(item, q), turned(item, k)
    return q, k


def by_row(row, add, m):
    return lambda t, state: add(np.tile(row(t, state), (m, 1)))[t]


def usual_score(spec):
    """The score of a document that names none: some parts come with their own."""
    def has(slot, *kinds):
        return any(one["type"] in kinds for one in items(spec.get(slot)))

    if has("query", "query-constant"):
        return "self-additive"
    if has("query", "two-queries"):
        return "biased-general"
    if has("mask", "positional-mask-energy", "rule-augmented") or has("penalties", "doubly-stochastic-reg"):
        return "dot"
    return "dot" if has("output", "weights-as-output") or has("aggregate", "aggregate-gate") else "scaled-dot"


def alone(spec, q, k, v, rows, p, inputs, heads=None, head=0, alignment=None):
    """One head, or all of an attention without heads: its scores, weights and context. `alignment` is (one, prefix)."""
    own = lambda prefix, shared=False: p.of(prefix, heads, head, shared)  # noqa: E731
    out = {}
    q, k = readied(spec, q, k, p)
    kind = named(spec.get("score", usual_score(spec)))
    case = {**inputs, "width of values": v.shape[1]}
    e = score(kind, own("score."), q, k, case)
    for item, at in slots_of(spec, "position", "position"):
        add = lambda e, item=item, at=at: biased(item, e, q, k, own(at, True), kind, head, heads or 1)  # noqa: E731
        e = by_row(e, add, len(q)) if callable(e) else add(e)
    out["scores"] = e
    return finished(spec, e, q, k, v, own, p, inputs, out, alignment)


def finished(spec, e, q, k, v, own, p, inputs, out, alignment=None):
    m, n = len(q), len(k)
    allowed, before, after, energy = np.ones((m, n), bool), [], [], np.zeros((m, n))
    for item, at in slots_of(spec, "mask", "mask"):
        kind = item["type"]
        if kind == "positional-mask-energy":
            values = np.array([[-np.inf if x is None else x for x in row] for row in np.atleast_2d(
                np.array(item["values"], dtype=object))], float)
            energy = energy + values
        elif kind == "rule-augmented":
            energy = energy + item.get("rho", 1) * inputs["rule"]
        elif kind == "mask-multiply-zero":
            M = allowed_by(item.get("base", "mask-causal"), m, n, p.of(at + "base."), *inputs["whole"])
            (after if item.get("variant", "a") == "b" else before).append((M, item.get("renormalise")))
        elif kind != "mask-mlm":
            allowed &= allowed_by(item, m, n, p.of(at), *inputs["whole"])
    allowed = allowed & (energy > -np.inf)
    add = np.where(np.isfinite(energy), energy, 0)
    if callable(e):
        raw, history = e, []

        def e(t, state):
            history[:] = history[:t] + [raw(t, state)]
            return history[t] + add[t]
    else:
        e = e + add
        for M, _ in before:
            e = e * M
    chosen, numbers = alignment or (spec.get("alignment", "softmax"), own("alignment."))
    if lstmn(spec):
        i, j = np.arange(m)[:, None], np.arange(n)[None]
        allowed = allowed & (j < i)
    out["mask"] = allowed
    a, more = aligned(chosen, e, allowed, numbers, q, k, v)
    if callable(out["scores"]):
        out["scores"] = np.array(history)
    more.pop("scores", None)
    for M, again in after:
        a = a * M
        if again:
            total = a.sum(1, keepdims=True)
            a = a / np.where(total == 0, 1, total)
    out.update(more, weights=a)
    out["context"] = read(spec, a, v, own)
    return out


def read(spec, a, v, own):
    """The context: values, and what a position adds to them."""
    context = a @ v
    for item, at in slots_of(spec, "position", "position"):
        if item["type"] == "pos-relative-shaw" and item.get("value", True):
            reach = item.get("k", 4)
            i, j = np.arange(len(a))[:, None], np.arange(len(v))[None]
            table = own(at, True)("a_V", 2 * reach + 1, v.shape[1])[np.clip(j - i, -reach, reach) + reach]
            context = context + np.einsum("mn,mnd->md", a, table)
    return context


def general(spec, inputs, p):
    q, k, v = rows_of(spec, inputs, p)
    for item, at in slots_of(spec, "mask", "mask"):
        if item["type"] == "mask-mlm":
            N, D = max(len(q), len(k)), max(q.shape[1], k.shape[1])
            q, k = (hidden_tokens(item, x, p.of(at), N, D) for x in (q, k))
    self_ = named(spec.get("query", "query-basic"))["type"] == "self-attention"
    heads = named(spec.get("heads", "singular-query"))
    constant = named(spec.get("query", "query-basic"))["type"] == "query-constant"
    rows = None if constant else q
    norm = named(spec.get("output", "none"))
    ready = (lambda x: levelled(norm, x, p.of("output."))) if norm.get("norm") == "pre" else lambda x: x
    if self_:
        whole_ = q
        key, raw = keyed(spec, q, None, p)[0], placed(spec, q, "query", p)
        q = rows = ready(raw)
        weigh = lambda x: placed(spec, x, "weights", p)  # noqa: E731
        k = weigh(ready(placed(spec, key, "query", p)) if key is whole_ else placed(spec, key, "query", p))
        v = weigh(q)
        if heads["type"] == "singular-query":
            q, k, v = (x @ p.of(a)(b, x.shape[1], x.shape[1])
                       for x, a, b in ((q, "query.", "W_Q"), (k, "key.", "W_K"), (v, "value.", "W_V")))
    else:
        k, v = keyed(spec, k, v, p)
        raw = placed(spec, q, "query", p)
        q = ready(raw)
        k, given = placed(spec, k, "key", p), v
        v = k if given is None else placed(spec, given, "value", p)
        rows = None if constant else q
    inputs = {**inputs, "whole": (q, k)}
    if "dimensionality" in spec and named(spec["dimensionality"])["type"] == "multi-dim":
        out = featured(spec, q, k, v, p, inputs)
    elif heads["type"] == "conv-multi-scores":
        out = filtered(spec, heads, k, v, p, inputs)
    elif heads["type"] == "singular-query":
        out = alone(spec, q, k, v, rows, p, inputs)
    else:
        out = in_heads(spec, heads, q, k, v, p, inputs)
    return whole(spec, out, q, rows, p, raw)


def filtered(spec, heads, k, v, p, inputs):
    """Each filter of the convolution is a row of scores."""
    kind = named(spec["score"])
    e = convolved(k, p.of("score."), ACTS[kind.get("act", "tanh")], {**kind, **heads})
    return finished(spec, e, np.zeros((len(e), k.shape[1])), k, v, p.of, p, inputs, {"scores": e})


def featured(spec, q, k, v, p, inputs):
    d, P = named(spec["dimensionality"]), p.of("dimensionality.")
    hidden = d.get("hidden", q.shape[1])
    q, k = readied(spec, q, k, p)
    both = (q @ P("W1", q.shape[1], hidden))[:, None] + (k @ P("W2", k.shape[1], hidden))[None] + P("b", hidden)
    e = ACTS[d.get("act", "tanh")](both) @ P("W_d", hidden, v.shape[1])
    for item, at in slots_of(spec, "position", "position"):
        e = np.stack([biased(item, e[..., c], q, k, p.of(at), "dot") for c in range(v.shape[1])], -1)
    each = [finished({**spec, "score": "dot"}, e[..., c], q, k, v[:, [c]], p.of, p, inputs, {"scores": e[..., c]})
            for c in range(v.shape[1])]
    return {"scores": e, "weights": np.stack([one["weights"] for one in each], -1),
            "context": np.concatenate([one["context"] for one in each], 1), "mask": each[0]["mask"]}


def in_heads(spec, heads, q, k, v, p, inputs):
    kind, h = heads["type"], heads.get("count", 4)
    G = {"grouped-query": heads.get("groups", 2), "multi-query": 1}.get(kind, h)
    P, width = p.of("heads."), len(k) if kind == "fixed-head-size" else 3
    W_Q, W_K, W_V = P("W_Q", h, q.shape[1], width), P("W_K", G, k.shape[1], width), P("W_V", G, v.shape[1], 2)
    b = heads.get("bias", False)
    bias = lambda name, *shape: P(name, *shape) if b else np.zeros(shape)  # noqa: E731
    b_Q, b_K, b_V = bias("b_Q", h, width), bias("b_K", G, width), bias("b_V", G, 2)
    sides = [(q @ W_Q[t] + b_Q[t], k @ W_K[t * G // h] + b_K[t * G // h], v @ W_V[t * G // h] + b_V[t * G // h])
             for t in range(h)]
    own = [(one, p.of(f"heads.alignments.{t}.")) for t, one in enumerate(heads.get("alignments", []))] or [None] * h
    if kind == "talking-heads":
        each = talking(spec, sides, h, P, p, inputs)
    else:
        each = [alone(spec, *sides[t], q, p, inputs, h, t, own[t]) for t in range(h)]
    if "aggregate" in spec:
        for t, one in enumerate(each):
            merged(spec, one, q, q, p.of("aggregate.", h, t))
    parts = [one.get("gated", one["context"]) for one in each]
    if kind == "head-masking":
        xi = P("xi", h)
        parts = [x * s for x, s in zip(parts, xi)]
    out = {name: np.stack([one[name] for one in each]) for name in ("scores", "weights", "remainder", "position_p")
           if name in each[0]}
    out.update(mask=each[0]["mask"], heads=np.stack(parts), values=np.stack([side[2] for side in sides]))
    if kind == "gated-heads":
        W_m = P("W_m", v.shape[1], 2)
        seen = [np.flatnonzero(row) for row in each[0]["mask"]]
        top = np.array([(v[s] @ W_m).max(0) if len(s) else np.zeros(2) for s in seen])
        mean = np.array([v[s].mean(0) if len(s) else np.zeros(v.shape[1]) for s in seen])
        g = sigmoid(np.concatenate([q, top, mean], 1) @ P("W_g", q.shape[1] + 2 + v.shape[1], h))
        parts = [q] + [x * g[:, [t]] for t, x in enumerate(parts)]
    joined = np.concatenate(parts, 1)
    out["context"] = joined @ P("W_O", joined.shape[1], 4) + bias("b_O", 4)
    return out


def talking(spec, sides, h, P, p, inputs):
    pre, post = P("W_pre", h, h), P("W_post", h, h)
    plain = {name: x for name, x in spec.items() if name not in ("mask", "alignment")}
    plain["score"] = spec.get("score", usual_score(spec))
    ready = [(*readied(spec, q, k, p), v) for q, k, v in sides]
    e = [alone(plain, *sides[t], sides[t][0], p, inputs, h, t)["scores"] for t in range(h)]
    mixed = [sum(e[t] * pre[t, s] for t in range(h)) for s in range(h)]
    own = [lambda prefix, shared=False, t=t: p.of(prefix, h, t, shared) for t in range(h)]
    each = [finished({**spec, "score": "dot"}, mixed[t], *ready[t], own[t], p, inputs, {"scores": mixed[t]})
            for t in range(h)]
    maps = [sum(each[t]["weights"] * post[t, s] for t in range(h)) for s in range(h)]
    return [{**each[s], "weights": maps[s], "context": read(spec, maps[s], sides[s][2], own[s])} for s in range(h)]


def merged(spec, out, q, rows, P):
    kind, c = named(spec["aggregate"]), out["context"]
    if kind["type"] == "aggregate-gate":
        f = sigmoid(q @ P("W1", q.shape[1], c.shape[1]) + c @ P("W2", c.shape[1], c.shape[1]) + P("b", c.shape[1]))
        out["gate"], out["gated"] = f, f * q + (1 - f) * c
    else:
        columns = 1 if kind.get("per") == "head" else c.shape[1]
        g = sigmoid(rows @ P("W_g", rows.shape[1], columns) + P("b_g", columns))
        out["gate"], out["gated"] = g, g * c


def whole(spec, out, q, rows, p, raw):
    """Aggregate without heads, penalties and output."""
    if "aggregate" in spec and "heads" not in out:
        merged(spec, out, q, rows, p.of("aggregate."))
        out["output"] = out["gated"]
    total = None
    for item, at in slots_of(spec, "penalties", "penalties"):
        lam, a = item.get("lambda", 1), out["weights"]
        a3 = a if a.ndim == 3 else a[None]
        if item["type"] == "frobenius-penalty":
            x = sum(((one @ one.T - np.eye(len(one))) ** 2).sum() for one in a3)
        elif item["type"] == "doubly-stochastic-reg":
            x = sum(((1 - one.sum(0)) ** 2).sum() for one in a3)
        elif item["type"] == "disagreement-position":
            x = sum((s * t).sum() for s in a3 for t in a3) / len(a3) ** 2
        else:
            of = out["values"] if item["type"] == "disagreement-subspace" else out["heads"]
            x = sum((unit(s) * unit(t)).sum(-1).mean() for s in of for t in of) / len(of) ** 2
        total = (total or 0) + lam * x
    if total is not None:
        out["penalty"] = total
    if "output" in spec:
        result(named(spec["output"]), out, rows, p.of("output."), raw)
    hidden = {"values", "gated"} | (set() if lstmn(spec) or hides(spec) else {"mask"})
    return {name: x for name, x in out.items() if name not in hidden}


def hides(spec):
    """Whether a mask says who may attend: energies do where one of them is minus infinity."""
    open_ = ("mask-multiply-zero", "rule-augmented", "mask-mlm")
    return any(one["type"] not in open_ for one in items(spec.get("mask")))


def lstmn(spec):
    return named(spec.get("score", "dot"))["type"] == "lstmn-score"


def levelled(kind, y, P):
    unit_ = (y - y.mean(-1, keepdims=True)) / np.sqrt(y.var(-1, keepdims=True) + kind.get("eps", 1e-5))
    return unit_ * P("gamma", y.shape[1]) + P("beta", y.shape[1])


def result(kind, out, x, P, raw):
    c = out.get("gated", out["context"])
    if kind["type"] == "selfatt-replace":
        out["output"] = c
    elif kind["type"] == "selfatt-residual":
        out["output"] = levelled(kind, x + c, P) if kind.get("norm", "post") == "post" else raw + c
    elif kind["type"] == "input-feeding":
        out["output"] = np.tanh(np.concatenate([c, x], 1) @ P("W_c", c.shape[1] + x.shape[1], 3))
    elif not kind.get("sum"):
        out["output"] = out["weights"]


def judged(mechanism, inputs, seed=0, **more):
    """The document and its expected results."""
    store = {}
    random = np.random.default_rng(seed)
    wanted = general(mechanism, {name: np.asarray(x, float) for name, x in inputs.items()}, Given(random, store))
    return document({"type": "attention", **mechanism}, inputs, store, **more), wanted

