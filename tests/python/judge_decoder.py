# SPDX-License-Identifier: Apache-2.0
"""Decoders in NumPy, step by step, for every way to ask, to feed and to read out."""
import numpy as np
from judge_scores import sigmoid
from judge_wholes import soft

WORDS = ["<start>", "<end>", "<unknown>", "a", "b", "c"]
HIDDEN, READ = 4, 4


def gru(p, x, h):
    W, U, b, c = p("W", len(x), 3 * len(h)), p("U", len(h), 3 * len(h)), p("b", 3 * len(h)), p("c", 3 * len(h))
    (r, z, n), (hr, hz, hn) = np.split(x @ W + b, 3), np.split(h @ U + c, 3)
    z = sigmoid(z + hz)
    return (1 - z) * np.tanh(n + sigmoid(r + hr) * hn) + z * h


def lstm(p, x, h, memory):
    i, f, g, o = np.split(x @ p("W", len(x), 4 * len(h)) + h @ p("U", len(h), 4 * len(h)) + p("b", 4 * len(h)), 4)
    memory = sigmoid(f) * memory + sigmoid(i) * np.tanh(g)
    return sigmoid(o) * np.tanh(memory), memory


def decoded(inputs, knobs, p, target):
    memory = inputs["memory"]
    first = inputs["initial"][0] if "initial" in inputs else memory.mean(0)
    fixed, q = knobs["type"].startswith("fixed"), p.below("attention.score.")

    def attended(s):
        if fixed:
            return first
        both = s @ q("W1", HIDDEN, 5) + memory @ q("W2", memory.shape[1], 5) + q("b", 5)
        return soft(np.tanh(both) @ q("w", 5)) @ memory

    def stepped(x, s, c):
        return (gru(p.below("cell."), x, s), c) if knobs["cell"] == "gru" else lstm(p.below("cell."), x, s, c)

    E = p("E", len(WORDS), 3)
    s, c = np.tanh(first @ p("W_0", len(first), HIDDEN) + p("b_0", HIDDEN)), np.zeros(HIDDEN)
    if knobs.get("first-memory") == "map":
        c = np.tanh(first @ p("W_m", len(first), HIDDEN) + p("b_m", HIDDEN))
    width = len(first) if fixed else memory.shape[1]
    bent, whole = knobs.get("readout", "none") == "tanh", knobs.get("feeds", "readout") == "readout"
    fed = np.zeros(width if not whole else READ if bent else HIDDEN + width)
    found = {"context": [], "states": [], "logits": []}
    for word in [0] + [WORDS.index(one) for one in target[:-1]]:
        if knobs.get("asks", "before") == "before":
            context = attended(s)
            s, c = stepped(np.concatenate([E[word], context]), s, c)
        else:
            s, c = stepped(np.concatenate([E[word], fed]) if knobs.get("input-feeding") else E[word], s, c)
            context = attended(s)
        read = np.concatenate([s, context])
        if bent:
            read = np.tanh(read @ p("W_r", len(read), READ) + p("b_r", READ))
        fed = read if whole else context
        for name, x in (("context", context), ("states", s),
                        ("logits", read @ p("W_c", len(read), len(WORDS)) + p("b_c", len(WORDS)))):
            found[name].append(x)
    return {name: np.array(x) for name, x in found.items()}
