# SPDX-License-Identifier: Apache-2.0
"""Layers and cells of today against their formulas in NumPy, every number given. Run by pytest."""
import numpy as np
import pytest
from judge import TOLERANCE, Draw, differences, document, run, sigmoid, softmax
from judge_blocks_today import ffn_parameters, gated, held, layer, mlp, rms
from judge_scores import ACTS, erf


@pytest.mark.parametrize("offset", [0, 1])
def test_norms(offset):
    draw = Draw(1)
    x, gamma, beta = draw(5, 6), draw(6), draw(6)
    knobs = {"eps": 1e-4, "offset": offset}
    held({"type": "rmsnorm", **knobs}, {"x": x}, {"gamma": gamma}, {"output": rms(x, gamma, **knobs)})
    held({"type": "layer-norm", **knobs}, {"x": x}, {"gamma": gamma, "beta": beta},
         {"output": layer(x, gamma, beta, **knobs)})
    bonus = draw(5, 6)
    parts = layer(x.reshape(5, 3, 2)).reshape(5, 6) * gamma + beta + bonus
    held({"type": "group-norm", "groups": 3}, {"x": x, "bonus": bonus}, {"gamma": gamma, "beta": beta},
         {"output": parts})


def test_dynamic_tanh():
    draw = Draw(2)
    x, alpha, gamma, beta, s = draw(5, 6), draw(), draw(6), draw(6), draw()
    held({"type": "dyt"}, {"x": x}, {"alpha": alpha, "gamma": gamma, "beta": beta},
         {"output": gamma * np.tanh(alpha * x) + beta})
    held({"type": "dyt", "act": "erf"}, {"x": x}, {"alpha": alpha, "gamma": gamma, "beta": beta, "s": s},
         {"output": gamma * erf(alpha * x + s) + beta})


@pytest.mark.parametrize("act", ACTS)
def test_feed_forward(act):
    draw = Draw(3)
    x, p = draw(5, 4), ffn_parameters(draw, 4, 7)
    gate, y = gated(x, p, act)
    held({"type": "swiglu", "act": act}, {"x": x}, p, {"gate": gate, "output": y})
    q = {"W1": draw(4, 7), "b1": draw(7), "W2": draw(7, 4), "b2": draw(4)}
    held({"type": "mlp", "act": act}, {"x": x}, q, {"output": mlp(x, q, act)})


def test_the_feed_forward_of_gpt_oss():
    draw = Draw(4)
    x, p = 8 * draw(6, 4), ffn_parameters(draw, 4, 7)  # beyond the clips
    gate, y = gated(x, p, variant="oss")
    assert (x @ p["W_gate"] + p["b_gate"]).max() > 7
    held({"type": "swiglu", "variant": "oss"}, {"x": x}, p, {"gate": gate, "output": y})


def test_token_shift():
    draw = Draw(5)
    x, mu = draw(5, 4), draw(4)
    before = np.vstack([np.zeros((1, 4)), x[:-1]])
    held({"type": "token-shift"}, {"x": x}, {"mu": mu}, {"output": x + (before - x) * mu})
    held({"type": "token-shift"}, {"x": x[:1]}, {"mu": mu}, {"output": (1 - mu) * x[:1]})


def test_a_cap_of_logits_and_a_scale_of_embeddings():
    draw = Draw(6)
    x, W, b = 20 * draw(5, 4), draw(4, 3), draw(3)
    logits = 2.5 * np.tanh((x @ W + b) / 2.5)
    held({"type": "om-softmax", "cap": 2.5}, {"x": x}, {"W_c": W, "b_c": b},
         {"logits": logits, "probabilities": softmax(logits)})
    E = draw(6, 4)
    words = document({"type": "fm-embedding", "scale": 2,
                      "vocabulary": ["<start>", "<end>", "<unknown>", "a", "b", "c"]},
                     {}, {"structure.E": E})
    words["inputs"]["x"] = {"tokens": ["b", "a", "b"]}
    (answer,) = run([words])
    assert differences(answer, {"output": 2 * E[[4, 3, 4]]})["output"] < TOLERANCE


def cell_held(cell, x, w, expected):
    held({"type": "fm-rnn", "cell": cell}, {"x": x}, {"cell." + name: value for name, value in w.items()},
         {"output": expected, "last": expected[-1:]})


@pytest.mark.parametrize("act", ["g", "identity"])
def test_minimal_cells(act):
    draw, n, dx, dh = Draw(40), 6, 4, 3
    x = draw(n, dx)
    bent = (lambda u: np.where(u >= 0, u + 0.5, sigmoid(u))) if act == "g" else (lambda u: u)
    w = {"W": draw(dx, 2 * dh), "b": draw(2 * dh)}
    u, z = np.split(x @ w["W"] + w["b"], 2, axis=1)
    h, states = np.zeros(dh), []
    for t in range(n):
        h = (1 - sigmoid(z[t])) * h + sigmoid(z[t]) * bent(u[t])
        states.append(h)
    cell_held({"type": "mingru", "act": act}, x, w, np.array(states))
    w = {"W": draw(dx, 3 * dh), "b": draw(3 * dh)}
    u, f, i = np.split(x @ w["W"] + w["b"], 3, axis=1)
    f, i = sigmoid(f), sigmoid(i)
    h, states = np.zeros(dh), []
    for t in range(n):
        h = (f[t] * h + i[t] * bent(u[t])) / (f[t] + i[t])
        states.append(h)
    cell_held({"type": "minlstm", "act": act}, x, w, np.array(states))


def test_an_slstm():
    draw, n, dx, dh = Draw(41), 7, 4, 3
    x, w = draw(n, dx), {"W": draw(dx, 4 * dh), "U": draw(dh, 4 * dh), "b": draw(4 * dh)}
    h, c, total, states = np.zeros(dh), np.zeros(dh), np.zeros(dh), []
    for t in range(n):
        i, f, z, o = np.split(x[t] @ w["W"] + h @ w["U"] + w["b"], 4)
        c = sigmoid(f) * c + np.exp(i) * np.tanh(z)
        total = sigmoid(f) * total + np.exp(i)
        h = sigmoid(o) * c / total
        states.append(h)
    cell_held("slstm", x, w, np.array(states))
