# SPDX-License-Identifier: Apache-2.0
"""Heads of today against their formulas in NumPy, every number given. Run by pytest."""
import math

import numpy as np
import pytest
from judge import Draw, allow, sigmoid, softmax
from judge_blocks_today import attended, causal, held, joined, rms, rotated


def in_heads(heads, **more):
    return {"type": "attention", "query": "self-attention", "heads": heads, "mask": "mask-causal", **more}


@pytest.mark.parametrize("query_rank", [0, 3])
@pytest.mark.parametrize("pairs", ["neighbour", "half"])
@pytest.mark.parametrize("norm", [True, False])
def test_latent_heads(query_rank, pairs, norm):
    draw, h, n, d, r, pn, pr, pv = Draw(30), 2, 5, 6, 4, 3, 4, 2
    x = draw(n, d)
    w = {"W_DKV": draw(d, r), "W_UK": draw(h, r, pn), "W_UV": draw(h, r, pv), "W_KR": draw(d, pr),
         "W_O": draw(h * pv, d)}
    w |= {"gamma_KV": draw(r)} if norm else {}
    size = (lambda rows, gamma: rms(rows, w[gamma], 1e-5)) if norm else (lambda rows, gamma: rows)
    if query_rank:
        w |= {"W_DQ": draw(d, query_rank), "W_UQ": draw(h, query_rank, pn + pr)}
        w |= {"gamma_Q": draw(query_rank)} if norm else {}
        q = size(x @ w["W_DQ"], "gamma_Q") @ w["W_UQ"]
    else:
        w["W_Q"] = draw(h, d, pn + pr)
        q = x @ w["W_Q"]
    c = size(x @ w["W_DKV"], "gamma_KV")
    turn = {"base": 50.0, "neighbours": pairs == "neighbour"}
    rope = rotated(x @ w["W_KR"], **turn)
    e = (q[..., :pn] @ np.swapaxes(c @ w["W_UK"], 1, 2) + rotated(q[..., pn:], **turn) @ rope.T) / math.sqrt(pn + pr)
    a = softmax(allow(e, causal(n)))
    context = a @ (c @ w["W_UV"])
    held(in_heads({"type": "mla", "query_rank": query_rank, "base": 50, "pairs": pairs, "norm": norm, "eps": 1e-5}),
         {"x": x}, w, {"latent": c, "latent_key": rope, "scores": e, "weights": a, "heads": context,
                       "context": joined(context, w["W_O"])}, "heads.")


@pytest.mark.parametrize("slopes", [None, 0.3, [0.2, 0.7, 0.05]])
def test_both_maps_of_a_differential_head_have_its_bias(slopes):
    draw, h, n, d, p, pv = Draw(34), 3, 5, 6, 4, 3
    x, far = draw(n, d), np.abs(np.arange(n)[:, None] - np.arange(n))
    w = {"W_Q": draw(h, d, 2 * p), "W_K": draw(h, d, 2 * p), "W_V": draw(h, d, pv), "W_O": draw(h * pv, d)}
    w |= {name: draw(p) for name in ("lambda_q1", "lambda_k1", "lambda_q2", "lambda_k2")} | {"gamma": draw(pv)}
    lam = np.exp(w["lambda_q1"] @ w["lambda_k1"]) - np.exp(w["lambda_q2"] @ w["lambda_k2"]) + 0.2
    usual = [2.0**-4, 2.0**-8, 2.0**-2]  # of 2 heads, then the first of 4
    biases = {"pos-alibi": -np.broadcast_to(usual if slopes is None else slopes, h)[:, None, None] * far}
    if slopes is None:
        waves = np.cos(far[..., None] * 10000.0 ** (-np.arange(64) / 64)).sum(-1)
        biases["pos-sandwich"] = np.array([h / (8 * (t + 1)) * waves for t in range(h)])
    for position, bias in biases.items():
        maps = []
        for half in (slice(0, p), slice(p, 2 * p)):
            q, k = (x @ w["W_Q"])[..., half], (x @ w["W_K"])[..., half]
            maps.append(softmax(allow(q @ np.swapaxes(k, 1, 2) / 2 + bias, causal(n))))
        out = 0.8 * rms((maps[0] - lam * maps[1]) @ (x @ w["W_V"]), w["gamma"], 1e-5)
        knobs = {} if slopes is None else {"slopes": slopes}
        held(in_heads({"type": "differential"}, position={"type": position, **knobs}), {"x": x}, w,
             {"weights1": maps[0], "weights2": maps[1], "heads": out, "context": joined(out, w["W_O"])}, "heads.")


@pytest.mark.parametrize("norm", [True, False])
@pytest.mark.parametrize("layer_number", [0, 5])
def test_differential_heads(norm, layer_number):
    draw, h, n, d, p, pv = Draw(31), 2, 5, 6, 4, 3
    x = draw(n, d)
    w = {"W_Q": draw(h, d, 2 * p), "W_K": draw(h, d, 2 * p), "W_V": draw(h, d, pv), "W_O": draw(h * pv, d)}
    w |= {name: draw(p) for name in ("lambda_q1", "lambda_k1", "lambda_q2", "lambda_k2")}
    w |= {"gamma": draw(pv)} if norm else {}
    start = 0.8 - 0.6 * math.exp(-0.3 * layer_number)
    lam = np.exp(w["lambda_q1"] @ w["lambda_k1"]) - np.exp(w["lambda_q2"] @ w["lambda_k2"]) + start
    q, k, v = x @ w["W_Q"], x @ w["W_K"], x @ w["W_V"]
    maps = [attended(rotated(q[..., half]), rotated(k[..., half]), v, causal(n))[1]
            for half in (slice(0, p), slice(p, 2 * p))]
    a = maps[0] - lam * maps[1]
    out = (1 - start) * (rms(a @ v, w["gamma"], 1e-5) if norm else a @ v)
    held(in_heads({"type": "differential", "layer": layer_number, "norm": norm}, position="pos-rope"), {"x": x}, w,
         {"weights": a, "weights1": maps[0], "weights2": maps[1], "lambda": lam, "heads": out,
          "context": joined(out, w["W_O"])}, "heads.")


@pytest.mark.parametrize("groups", [1, 2, 4, 8])
def test_differential_heads_of_the_second_version(groups):
    draw, h, n, d, p, pv = Draw(32), 4, 5, 6, 4, 3
    x = draw(n, d)
    w = {"W_Q": draw(2 * h, d, p), "W_K": draw(groups, d, p), "W_V": draw(groups, d, pv), "W_lambda": draw(d, h),
         "W_O": draw(h * pv, d)}
    k, v = ((x @ w[name]).repeat(2 * h // groups, axis=0) for name in ("W_K", "W_V"))
    _, a, c = attended(x @ w["W_Q"], k, v, causal(n))
    lam = sigmoid(x @ w["W_lambda"]).T
    out = c[0::2] - lam[..., None] * c[1::2]
    held(in_heads({"type": "differential-v2", "groups": groups}), {"x": x}, w,
         {"weights": a, "heads": out, "context": joined(out, w["W_O"])}, "heads.")


def test_talking_heads():
    draw, h, n, d, p, pv = Draw(33), 3, 5, 6, 4, 2
    x = draw(n, d)
    w = {"W_Q": draw(h, d, p), "W_K": draw(h, d, p), "W_V": draw(h, d, pv), "W_O": draw(h * pv, d),
         "W_pre": draw(h, h), "W_post": draw(h, h)}
    e = np.einsum("tij,ts->sij", attended(x @ w["W_Q"], x @ w["W_K"], x @ w["W_V"])[0], w["W_pre"])
    a = np.einsum("tij,ts->sij", softmax(allow(e, causal(n))), w["W_post"])
    c = a @ (x @ w["W_V"])
    held(in_heads({"type": "talking-heads"}), {"x": x}, w,
         {"scores": e, "weights": a, "heads": c, "context": joined(c, w["W_O"])}, "heads.")
