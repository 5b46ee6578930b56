# SPDX-License-Identifier: Apache-2.0
"""Systems of the literature against PyTorch: each document of systems/ with explicit numbers, in double, and the model
built here by hand from torch.nn's layers and the formulas of its paper. Results and all gradients agree to 1e-9."""
import pytest
import torch
from torch.nn import functional as F
from torch_memories import MEMORIES
from torch_more import MORE
from torch_parts import (below, causal, cotangent, decoder_layer, encoder_layer, linear, multi_head, nested, places,
                         read_on, recurrent, run, sinusoids, step, system, with_explicit_numbers)
from torch_readers import READERS

TOLERANCE = 1e-9
GRU, LSTM = torch.nn.GRU, torch.nn.LSTM


def tokens(document, name):
    return document["inputs"][name]["tokens"]


def reset_first(cell, x, h):
    """Appendix A of Bahdanau, Cho, Bengio 2015: the reset gate acts on the state before its matrix does."""
    d, own = h.shape[1], x @ cell["W"] + cell["b"]
    r, z = torch.sigmoid(own[:, :2 * d] + h @ cell["U"][:, :2 * d] + cell["c"][:2 * d]).chunk(2, 1)
    n = torch.tanh(own[:, 2 * d:] + (r * h) @ cell["U"][:, 2 * d:] + cell["c"][2 * d:])
    return (1 - z) * n + z * h


def read_by_paper(cell, rows):
    states = [torch.zeros(1, cell["U"].shape[0], dtype=torch.float64)]
    for row in rows:
        states.append(reset_first(cell, row[None], states[-1]))
    return torch.cat(states[1:])


def rnnsearch(document, x, p):
    source, target = places(tokens(document, "source")), places(tokens(document, "target"))
    words = F.embedding(source, p["embedding.E"])
    ahead = read_by_paper(below(p, "encoder.forward"), words)
    back = read_by_paper(below(p, "encoder.backward"), words.flip(0)).flip(0)
    states, last = torch.cat([ahead, back], 1), torch.cat([ahead[-1:], back[:1]], 1)
    d, score = below(p, "decoder"), below(p, "decoder.attention.score")
    s = torch.tanh(last @ d["W_0"] + d["b_0"])
    weights, logits = [], []
    for before in [0, *target[:-1]]:
        e = torch.tanh(s @ score["W1"] + states @ score["W2"] + score["b"]) @ score["w"]
        weights.append(e.softmax(0))
        context = (weights[-1] @ states)[None]
        s = reset_first(below(d, "cell"), torch.cat([d["E"][before][None], context], 1), s)
        logits.append(linear(d, torch.cat([s, context], 1)))
    logits = torch.cat(logits)
    return {"decoder.weights": torch.stack(weights), "decoder.logits": logits, "loss": F.cross_entropy(logits, target)}


def luong(document, x, p):
    source, target = places(tokens(document, "source")), places(tokens(document, "target"))
    states, last = recurrent(LSTM, F.embedding(source, p["embedding.E"]), below(p, "encoder.cell"))
    d = below(p, "decoder")
    h, c = torch.tanh(last @ d["W_0"] + d["b_0"]), torch.zeros(1, d["W_0"].shape[1], dtype=torch.float64)
    read, weights, logits = torch.zeros(1, d["W_r"].shape[1], dtype=torch.float64), [], []
    for before in [0, *target[:-1]]:
        h, c = step(torch.nn.LSTMCell, below(d, "cell"), torch.cat([d["E"][before][None], read], 1), (h, c))
        weights.append((states @ d["attention.score.W"] @ h[0]).softmax(0))
        read = torch.tanh(torch.cat([h, (weights[-1] @ states)[None]], 1) @ d["W_r"] + d["b_r"])
        logits.append(linear(d, read))
    logits = torch.cat(logits)
    return {"decoder.weights": torch.stack(weights), "decoder.logits": logits, "loss": F.cross_entropy(logits, target)}


def importance(p, rows):
    """HAN, equations 5 to 7: a learned vector asks every row."""
    weights = torch.softmax(torch.tanh(F.linear(rows, p["score.W"].T, p["score.b"])) @ p["score.w"], 0)
    return weights, (weights @ rows)[None]


def han(document, x, p):
    words, start = tokens(document, "text"), 0
    d, sentences, within = below(p, "document"), [], []
    for end in [i + 1 for i, word in enumerate(words) if word in ".!?"]:
        states, _ = recurrent(GRU, x["text"][start:end], below(d, "words.forward"), below(d, "words.backward"))
        weights, sentence = importance(below(d, "word"), states)
        sentences.append(sentence)
        within.append(weights)
        start = end
    rows, _ = recurrent(GRU, torch.cat(sentences), below(d, "sentences.forward"), below(d, "sentences.backward"))
    weights, whole = importance(below(d, "sentence"), rows)
    return {"class.logits": linear(below(p, "class"), whole), "document.sentence.weights": weights[None],
            "document.weights": torch.cat([a * w for a, w in zip(weights, within)])[None]}


def transformer(document, x, p):
    memory, y = x["source"] + sinusoids(*x["source"].shape), x["target"] + sinusoids(*x["target"].shape)
    for k in "12":
        memory = encoder_layer(below(p, "encoder-" + k), below(p, "encoder-ffn-" + k), memory)
    for k in "12":
        y = decoder_layer(below(p, "decoder-" + k), below(p, "cross-" + k), below(p, "decoder-ffn-" + k), y, memory)
    return {"words.logits": linear(below(p, "words"), y), "encoder-ffn-2.output": memory}


def bert(document, x, p):
    words, draws, table = places(tokens(document, "tokens")), below(p, "word"), p["word.E"]
    special = torch.tensor([word in ("[CLS]", "[SEP]") for word in tokens(document, "tokens")])
    picked, kind, seen = (draws["u_pick"] < 0.15) & ~special, draws["u_kind"], list(table[words])
    assert picked.any()
    for i in picked.nonzero()[:, 0]:  # 80 % [MASK], 10 % any word, 10 % as it was
        if kind[i] < 0.9:
            seen[i] = draws["x_mask"] if kind[i] < 0.8 else table[3 + int(draws["u_token"][i] * (len(table) - 3))]

    def norm(of, rows):
        return F.layer_norm(rows, rows.shape[1:], p[of + ".gamma"], p[of + ".beta"])
    y = norm("row", torch.stack(seen) + F.embedding(places(tokens(document, "segments")), p["segment.E"])
             + p["row.P"][:len(words)])
    for k in "12":
        y = encoder_layer(below(p, "layer-" + k), below(p, "ffn-" + k), y, act="gelu")
    y = norm("normed", F.gelu(y @ p["transform.W"] + p["transform.b"]))
    logits = y @ table.T + p["words.b_c"]  # the words' own vectors say which they were, too
    return {"words.logits": logits, "loss": F.cross_entropy(logits, words)}


def gpt(document, x, p):
    vocabulary = document["model"][0]["vocabulary"]
    words = places(tokens(document, "x"), vocabulary)
    y = F.embedding(words, p["word.E"]) + p["layer-1.position.0.P"][:len(words)]
    for k in "12":
        y = encoder_layer(below(p, "layer-" + k), below(p, "ffn-" + k), y, act="gelu", mask=causal(len(words)))
    logits = y @ p["word.E"].T + p["words.b_c"]  # the words' own vectors write them, too
    following = places(tokens(document, "next"), vocabulary)
    return {"words.logits": logits, "loss": F.cross_entropy(logits, following)}


def vit(document, x, p):
    image, size = x["image"].permute(2, 0, 1), document["model"][0]["P"]
    d = below(p, "patches")
    kernel = d["W_e"].reshape(size, size, image.shape[0], -1).permute(3, 2, 0, 1)
    patches = F.conv2d(image[None], kernel, d["b_e"], stride=size)[0].flatten(1).T  # [n d]
    y = torch.cat([d["cls"][None], patches]) + d["pos"]
    y = encoder_layer(below(p, "layer"), below(p, "ffn"), y, act="gelu", norm_first=True)
    return {"class.logits": linear(below(p, "class"), y[:1]), "ffn.output": y}


def sagan(document, x, p):
    """Equations 1 to 3, channels first, as 1 x 1 convolutions."""
    image = x["image"].permute(2, 0, 1)[None]
    height, width = image.shape[2:]

    def conv(name, of):
        return F.conv2d(of, p["structure." + name].T[:, :, None, None])
    f, g, h = (conv(name, image).flatten(2)[0] for name in ("W_f", "W_g", "W_h"))
    beta = torch.softmax(f.T @ g, 0)  # s_ij = f(x_i) . g(x_j), normalised over i
    o = conv("W_v", (h @ beta).reshape(1, -1, height, width))
    y = document["parameters"]["structure.gamma"] * o + image
    return {"weights": beta.T, "output": y[0].permute(1, 2, 0)}


def bidaf(document, x, p):
    h, u = (recurrent(LSTM, x[name], below(p, k + ".forward"), below(p, k + ".backward"))[0]
            for name, k in (("context", "c"), ("question", "q")))
    n, m, w = len(h), len(u), p["flow.w"]
    pair_h, pair_u = h[:, None].expand(n, m, -1), u[None].expand(n, m, -1)
    s = torch.cat([pair_u, pair_h, pair_h * pair_u], 2) @ w
    to_question = s.softmax(1) @ u
    to_context = (s.max(1).values.softmax(0) @ h).expand(n, -1)
    g = torch.cat([h, to_question, h * to_question, h * to_context], 1)
    first, _ = recurrent(LSTM, g, below(p, "model.forward"), below(p, "model.backward"))
    second, _ = recurrent(LSTM, first, below(p, "model-2.forward"), below(p, "model-2.backward"))
    start, end = ((torch.cat([g, rows], 1) @ p[name + ".score.w"]).softmax(0)[None]
                  for name, rows in (("start", first), ("end", second)))
    return {"end.weights": end, "start.weights": start, "flow.affinity": s}


def qanet(document, x, p):
    def encode(rows):  # the text and the question have one encoder
        kernel, b = p["context-near.kernel"].permute(2, 1, 0), p["context-near.b"]
        near = F.relu(F.conv1d(rows.T[None], kernel, b, padding="same"))[0].T
        return multi_head(below(p, "context-far"), near, near)
    c, q = encode(x["context"]), encode(x["question"])
    n, m = len(c), len(q)
    s = torch.cat([q[None].expand(n, m, -1), c[:, None].expand(n, m, -1), c[:, None] * q[None]], 2) @ p["flow.w"]
    rows, columns = s.softmax(1), s.softmax(0)
    a, b = rows @ q, rows @ columns.T @ c
    flow = torch.cat([c, a, c * a, c * b], 1)
    m = [flow @ p["mixed.W"]]
    for _ in range(3):  # the same weights thrice
        m.append(multi_head(below(p, "model-0"), m[-1], m[-1]))
    start, end = ((torch.cat([m[1], m[k]], 1) @ p[name + ".score.w"]).softmax(0)[None] for name, k in
                  (("start", 2), ("end", 3)))
    return {"end.weights": end, "start.weights": start, "flow.output": flow}


def gat(document, x, p):
    edges = torch.tensor(document["model"][0]["mask"][0]["adjacency"], dtype=torch.bool) | torch.eye(5).bool()

    def head(name, rows):  # equations 1 to 4 of the paper, on W h
        h, n = rows @ p[name + ".score.W"], len(rows)
        pairs = torch.cat([h[:, None].expand(n, n, -1), h[None].expand(n, n, -1)], 2)
        e = F.leaky_relu(pairs @ p[name + ".score.a"], 0.2).masked_fill(~edges, -torch.inf)
        return e.softmax(1), e.softmax(1) @ h
    hidden = F.elu(torch.cat([head(name, x["x"])[1] for name in ("head-1", "head-2")], 1))
    weights, logits = head("last", hidden)
    return {"logits.output": logits, "last.weights": weights}


def memn2n(document, x, p):
    vocabulary = document["model"][0]["vocabulary"]
    words = F.embedding(places(tokens(document, "source"), vocabulary), p["word.E"])
    facts = F.conv1d(words.T[None], p["facts.kernel"].permute(2, 1, 0), p["facts.b"], padding="same")[0].T
    _, asked = recurrent(GRU, words, below(p, "reader.cell"))
    h, maps = below(p, "hops"), []
    u, memory, values = asked @ h["B"], facts @ h["A"], facts @ h["C"]
    for _ in range(2):
        maps.append(torch.softmax(u @ memory.T, 1))
        u = u @ h["H"] + maps[-1] @ values
    logits = linear(below(p, "answer"), u)
    right = places(tokens(document, "target"), document["model"][-1]["vocabulary"])
    return {"answer.logits": logits, "hops.weights.0": maps[0], "hops.weights": maps[1],
            "loss": F.cross_entropy(logits, right)}


def pointer_network(document, x, p):
    e, remembered = read_on(below(p, "encoder.cell"), x["points"])
    d, _ = read_on(below(p, "decoder.cell"), x["steps"], remembered)
    s = below(p, "pointer.attention.score")
    u = torch.tanh((d @ s["W1"])[:, None] + (e @ s["W2"])[None] + s["b"]) @ s["w"]
    right = torch.tensor([int(i) for i in document["inputs"]["order"]["data"]])
    return {"pointer.logits": u, "pointer.probabilities": u.softmax(1), "loss": F.cross_entropy(u, right)}


def ian(document, x, p):
    s, _ = recurrent(LSTM, x["sentence"], below(p, "s.cell"))
    t, _ = recurrent(LSTM, x["target"], below(p, "t.cell"))

    def asked(name, rows, query):  # tanh(h W q + b)
        score = below(p, "both." + name + ".score")
        return torch.softmax(torch.tanh(rows @ score["W"] @ query + score["b"]), 0) @ rows
    both = torch.cat([asked("first", s, t.mean(0)), asked("second", t, s.mean(0))])[None]
    return {"class.logits": linear(below(p, "class"), both), "both.output": both}


MODELS = {"rnnsearch": rnnsearch, "luong": luong, "han": han, "transformer": transformer, "bert": bert, "gpt": gpt,
          "vit": vit, "sagan-system": sagan, "bidaf": bidaf, "qanet": qanet, "gat": gat, "memn2n": memn2n,
          "pointer-network": pointer_network, "ian": ian, **MORE, **READERS, **MEMORIES}


def apart(name, ours, theirs):
    """A sentence for a tensor of attend64 that differs from PyTorch's."""
    if ours["shape"] != list(theirs.shape):
        return [f"{name}: shape {ours['shape']} instead of {list(theirs.shape)}"]
    found = torch.tensor(ours["data"], dtype=torch.float64).reshape(theirs.shape)
    gap = (found - theirs).abs().max().item()
    largest = max(1e-3, theirs.abs().max().item())
    return [] if gap <= TOLERANCE * largest else [f"{name}: {gap} apart, where the largest is {largest}"]


# Numbers with which BERT hides a word behind [MASK] and another behind a random word; 1 for the others.
DRAWN_WITH = {"bert": 7}


@pytest.mark.parametrize("name", MODELS)
def test_a_system_and_its_gradients_equal_pytorch(name):
    document, inputs, parameters = with_explicit_numbers(system(name), DRAWN_WITH.get(name, 1))
    theirs = MODELS[name](document, inputs, parameters)
    of = next(iter(theirs))
    weights = cotangent(list(theirs[of].shape))
    document["outputs"], document["gradient"] = list(theirs), {"of": of, "cotangent": nested(weights)}
    ours = run(document)
    wrong = [line for one, value in theirs.items() for line in apart(one, ours["outputs"][one], value.detach())]
    (theirs[of] * weights).sum().backward()
    leaves = {**{"inputs." + one: x for one, x in inputs.items()}, **parameters}
    moved = 0
    for leaf, slope in ours["gradients"].items():
        if leaf not in leaves:
            continue  # given by the system's own file
        expected = leaves[leaf].grad
        moved += expected is not None and bool(expected.any())
        nothing = torch.zeros(slope["shape"], dtype=torch.float64)
        wrong += apart("gradient " + leaf, slope, nothing if expected is None else expected)
    assert not wrong
    assert moved >= 2
