# SPDX-License-Identifier: Apache-2.0
"""Systems whose decoder, player or memory goes from step to step, by hand in PyTorch: see test_systems_torch."""
import torch
from torch.nn import functional as F
from torch_parts import below, linear, places, recurrent, step
from torch_readers import zeros

GRU, LSTM = torch.nn.GRU, torch.nn.LSTM


def regions(x, p, name, stride=2):
    """A convolution of 3 x 3, zero padded, whose places are rows."""
    kernel = p[name + ".kernel"].permute(3, 2, 0, 1)
    return F.conv2d(x.permute(2, 0, 1)[None], kernel, p[name + ".b"], stride, padding=1)[0].flatten(1).T


def additive(score, query, keys):
    return torch.tanh(query @ score["W1"] + keys @ score["W2"] + score["b"]) @ score["w"]


def show_attend_tell(document, x, p):
    """Xu et al.: soft attention with a gate on what was seen, the deep output, and the doubly stochastic penalty."""
    rows, d = torch.tanh(regions(x["image"], p, "regions")), below(p, "decoder")
    target = places(document["inputs"]["caption"]["tokens"])
    mean = rows.mean(0, keepdim=True)
    h, c = torch.tanh(mean @ d["W_0"] + d["b_0"]), torch.tanh(mean @ d["W_m"] + d["b_m"])
    maps, logits = [], []
    for before in [0, *target[:-1]]:
        maps.append(additive(below(d, "attention.score"), h, rows).softmax(0))
        gate = torch.sigmoid(h[0] @ d["attention.penalties.0.w_beta"])
        seen, word = gate * (maps[-1] @ rows)[None], d["E"][before][None]
        h, c = step(torch.nn.LSTMCell, below(d, "cell"), torch.cat([word, seen], 1), (h, c))
        logits.append(linear(d, word + F.linear(torch.cat([h, seen], 1), d["W_r"].T, d["b_r"])))
    maps, logits = torch.stack(maps), torch.cat(logits)
    penalty = ((1 - maps.sum(0)) ** 2).sum()
    return {"loss": F.cross_entropy(logits, target) + penalty, "decoder.weights": maps, "decoder.logits": logits,
            "decoder.penalty": penalty}


def coverage(document, x, p):
    """Tu et al.: what was looked at so far, by how often a word may be, goes into the score; maxout reads."""
    source, target = (places(document["inputs"][name]["tokens"]) for name in ("source", "target"))
    states, last = recurrent(GRU, F.embedding(source, p["embedding.E"]), below(p, "encoder.forward"),
                             below(p, "encoder.backward"))
    d, score = below(p, "decoder"), below(p, "decoder.attention.score")
    s, covered = torch.tanh(last @ d["W_0"] + d["b_0"]), score["initial"]
    fertility = 2 * torch.sigmoid(states @ score["u"])
    maps, logits = [], []
    for before in [0, *target[:-1]]:
        inner = s @ score["W"] + states @ score["U"] + covered[:, None] * score["v_beta"]
        maps.append((torch.tanh(inner) @ score["w"]).softmax(0))
        covered = covered + maps[-1] / fertility
        seen, word = (maps[-1] @ states)[None], d["E"][before][None]
        s = step(torch.nn.GRUCell, below(d, "cell"), torch.cat([word, seen], 1), s)
        read = F.linear(torch.cat([s, seen, word], 1), d["W_r"].T, d["b_r"])
        logits.append(linear(d, F.max_pool1d(read[None], 2)[0]))
    logits = torch.cat(logits)
    return {"loss": F.cross_entropy(logits, target), "decoder.weights": torch.stack(maps), "decoder.logits": logits}


def man(document, x, p):
    """Before each hop the question is read anew; the match adds up the cosines of all hops."""
    q, a = (recurrent(LSTM, x[name], below(p, k + ".forward"), below(p, k + ".backward"))[0]
            for name, k in (("question", "q"), ("answer", "a")))
    asks, seen, score, total, maps = q.mean(0), a.mean(0), below(p, "hops.hop.score"), [], []
    for _ in range(3):
        asks = (asks @ q.T / q.shape[1] ** 0.5).softmax(0) @ q
        maps.append(additive(score, torch.cat([asks, seen]), a).softmax(0))
        seen = maps[-1] @ a
        total.append(F.cosine_similarity(asks, seen, 0, 1e-30))
    return {"match.output": sum(total).reshape(1, 1), "match.similarities": torch.stack(total),
            "hops.weights": maps[-1][None]}


def darqn(document, x, p):
    """The state before a frame asks its regions; what they say is all that the LSTM takes in."""
    h = c = zeros(1, 8)
    maps, states = [], []
    for k in range(1, 5):
        rows = F.relu(regions(x[f"frame-{k}"], p, "regions-1"))
        maps.append(additive(below(p, "player.attention.score"), h, rows).softmax(0))
        h, c = step(torch.nn.LSTMCell, below(p, "player.cell"), (maps[-1] @ rows)[None], (h, c))
        states.append(h)
    worth = F.linear(torch.cat(states), p["worth.W"].T, p["worth.b"])
    return {"worth.output": worth, "player.weights": torch.stack(maps)}


def stm(document, x, p):
    """Le, Tran, Venkatesh: items are written by gates, read by SAM into relations, which answer and hand back."""
    m, alpha = below(p, "memories"), (1, 0.5, 0.5)
    d, s = m["W_1"].shape[1], m["W_3"].shape[1]
    items, relations, shares, said = zeros(d, d), zeros(s, d, d), [], []
    for row in x["x"]:
        f1, f2, f3 = (row @ m["W_" + k] + m["b_" + k] for k in "123")
        takes, keeps = torch.sigmoid(f1 @ m["W_g"] + torch.tanh(items) @ m["U_g"] + m["b_g"]).split(d, 1)
        items = keeps * items + takes * torch.outer(f1, f2)
        shares.append(f3.softmax(0))
        answer = torch.einsum("s,c,scf->f", shares[-1], f2, relations)
        asked = items + alpha[1] * torch.outer(answer, f2)
        q, k, v = (F.layer_norm(m["W_" + kind] @ asked, (d,)) for kind in "qkv")
        relations = relations + alpha[0] * torch.einsum("src,rf->scf", torch.tanh(q[:, None] * k[None]), v)
        items = items + alpha[2] * m["G_1"] @ relations.flatten(0, 1)
        code = relations.flatten(1) @ m["G_2"] + m["c_2"]
        said.append(code.flatten() @ m["G_3"] + m["c_3"])
    return {"answer.logits": linear(below(p, "answer"), said[-1][None]), "memories.output": torch.stack(said),
            "memories.weights": torch.stack(shares), "memories.items": items, "memories.relations": relations}


def dmn(document, x, p):
    """Kumar et al.: two passes over the facts, each fact let in by its gate; the memory is a GRU over episodes."""
    facts, _ = recurrent(GRU, x["story"], below(p, "facts.cell"))
    _, q = recurrent(GRU, x["asked"], below(p, "question.cell"))
    m, d, shown = q, below(p, "memory"), []
    for _ in range(2):
        alike = [facts * q, facts * m, (facts - q).abs(), (facts - m).abs()]
        z = torch.cat([facts, m.expand_as(facts), q.expand_as(facts), *alike, facts @ d["W_b"] @ q.T,
                       facts @ d["W_b"] @ m.T], 1)
        gates = torch.sigmoid(torch.tanh(z @ d["W1"] + d["b1"]) @ d["w2"] + d["b2"])
        h = torch.zeros_like(q)
        for fact, gate in zip(facts, gates):
            h = gate * step(torch.nn.GRUCell, below(d, "cell"), fact[None], h) + (1 - gate) * h
        m = step(torch.nn.GRUCell, below(d, "keeper"), h, m)
        shown.append(gates)
    return {"answer.logits": linear(below(p, "answer"), torch.cat([m, q], 1)), "memory.weights": shown[1][None],
            "memory.weights.0": shown[0][None], "memory.output": m}


MEMORIES = {"show-attend-tell": show_attend_tell, "coverage-model": coverage, "man": man, "darqn-system": darqn,
            "sam-stm": stm, "dmn-like": dmn}
