# SPDX-License-Identifier: Apache-2.0
"""More systems by hand in PyTorch, for test_systems_torch.py: p is what the document gives, x its inputs."""
import torch
from torch.nn import functional as F
from torch_parts import below, linear, places, recurrent, step

LSTM = torch.nn.LSTM


def las(document, x, p):
    """Listen, attend and spell: states of both sides go through a layer each, and their products score."""
    h, _ = recurrent(LSTM, x["sound"], below(p, "listener.forward"), below(p, "listener.backward"))
    h = h.reshape(len(h) // 2, -1)  # two neighbours are one row
    h, last = recurrent(LSTM, h, below(p, "listener-2.forward"), below(p, "listener-2.backward"))
    d, a = below(p, "speller"), below(p, "speller.attention.score")
    target = places(document["inputs"]["letters"]["tokens"])
    s, c = torch.tanh(last @ d["W_0"] + d["b_0"]), torch.zeros(1, d["W_0"].shape[1], dtype=torch.float64)
    read, maps, logits = torch.zeros(1, h.shape[1], dtype=torch.float64), [], []
    keys = F.relu(h @ a["W2"] + a["b2"])
    for before in [0, *target[:-1]]:
        s, c = step(torch.nn.LSTMCell, below(d, "cell"), torch.cat([d["E"][before][None], read], 1), (s, c))
        maps.append(torch.softmax(F.relu(s @ a["W1"] + a["b1"]) @ keys.T, 1))
        read = maps[-1] @ h  # what the next step is fed
        logits.append(linear(d, torch.cat([s, read], 1)))
    logits = torch.cat(logits)
    return {"speller.logits": logits, "speller.weights": torch.cat(maps), "loss": F.cross_entropy(logits, target)}


def hiecoatt(document, x, p):
    """Parallel co-attention at words, phrases and the sentence, summed up from below by tanh layers."""
    question, image = x["question"], x["image"]

    def conv(name, rows):
        kernel = p[name + ".kernel"].permute(2, 1, 0)
        return torch.tanh(F.conv1d(rows.T[None], kernel, p[name + ".b"], padding="same"))[0].T

    def together(name, q):
        c = below(p, name)
        table = torch.tanh(image @ c["W_A"] @ q.T)
        seen = torch.tanh(image @ c["W1"] + table @ q @ c["W2"]) @ c["w1"]
        heard = torch.tanh(q @ c["W2"] + table.T @ image @ c["W1"]) @ c["w2"]
        return (seen.softmax(0) @ image + heard.softmax(0) @ q)[None]
    phrases = torch.stack([conv(name, question) for name in ("unigrams", "bigrams", "trigrams")]).amax(0)
    sentence, _ = recurrent(LSTM, phrases, below(p, "sentence.cell"))
    h = conv("h-words", together("at-words", question))
    h = conv("h-phrases", torch.cat([together("at-phrases", phrases), h], 1))
    h = conv("h-sentence", torch.cat([together("at-sentence", sentence), h], 1))
    return {"answer.logits": linear(below(p, "answer"), h), "h-sentence.output": h}


def sentence_embedding(document, x, p):
    """A = softmax over the words of tanh(H W1) W2, M = A H, and the penalty ||A A^T - I||^2."""
    h, _ = recurrent(LSTM, x["x"], below(p, "reader.forward"), below(p, "reader.backward"))
    a = torch.softmax(torch.tanh(h @ p["table.W1"]) @ p["table.W2"], 0).T
    penalty = ((a @ a.T - torch.eye(len(a), dtype=torch.float64)) ** 2).sum()
    logits = linear(below(p, "class"), (a @ h).reshape(1, -1))
    return {"table.context": a @ h, "table.weights": a, "table.penalty": penalty, "class.logits": logits}


def decomposable(document, x, p):
    """Attend, compare, aggregate."""
    one, two, p = x["key1"], x["key2"], below(p, "structure")

    def layer(name, rows):
        return F.relu(F.linear(rows, p["W_" + name].T, p["b_" + name]))
    e = layer("F", one) @ layer("F", two).T
    beta, alpha = e.softmax(1) @ two, e.softmax(0).T @ one
    v1, v2 = layer("G", torch.cat([one, beta], 1)).sum(0), layer("G", torch.cat([two, alpha], 1)).sum(0)
    return {"output": F.linear(torch.cat([v1, v2])[None], p["W_H"].T, p["b_H"]), "affinity": e}


def lcr_rot_hop(document, x, p):
    """A target asks its left and right, which ask the target, three times over."""
    left, target, right = (recurrent(LSTM, x[name], below(p, k + ".forward"), below(p, k + ".backward"))[0]
                           for name, k in (("left", "l"), ("target", "t"), ("right", "r")))

    def asked(name, rows, query):
        score = below(p, "rotation." + name + ".score")
        return torch.softmax(torch.tanh(rows @ score["W"] @ query + score["b"]), 0) @ rows
    lt = rt = target.mean(0)
    for _ in range(3):
        r_left, r_right = asked("tl", left, lt), asked("tr", right, rt)
        lt, rt = asked("lt", target, r_left), asked("rt", target, r_right)
    both = torch.cat([r_left, r_right, lt, rt])[None]
    return {"class.logits": linear(below(p, "class"), both), "rotation.output": both}


def dep_parse(document, x, p):
    """Dozat and Manning's biaffine score: parent U dependent + parent . u."""
    h, _ = recurrent(LSTM, x["sentence"], below(p, "reader.forward"), below(p, "reader.backward"))
    dependent, parent = (F.linear(h, p[name + ".W"].T, p[name + ".b"]) for name in ("as-dependent", "as-parent"))
    score = below(p, "arcs.attention.score")
    e = dependent @ score["U"].T @ parent.T + parent @ score["u"]
    right = torch.tensor([int(i) for i in document["inputs"]["parents"]["data"]])
    return {"arcs.logits": e, "arcs.probabilities": e.softmax(1), "loss": F.cross_entropy(e, right)}


MORE = {"las": las, "hiecoatt": hiecoatt, "sentence-embedding": sentence_embedding, "decomposable-nli": decomposable,
        "lcr-rot-hop": lcr_rot_hop, "dep-parse": dep_parse}
