# SPDX-License-Identifier: Apache-2.0
"""Readers that keep what they have seen, from torch.nn's cells and their papers' formulas: see test_systems_torch."""
import torch
from torch.nn import functional as F
from torch_parts import below, linear, places, read_on, recurrent, step

GRU, LSTM = torch.nn.GRU, torch.nn.LSTM


def zeros(*shape):
    return torch.zeros(*shape, dtype=torch.float64)


def lstmn(document, x, p):
    """Cheng, Dong, Lapata: the mixtures of all hidden states and memories so far go into the cell."""
    score, cell = below(p, "structure.attention.score"), below(p, "structure.cell")
    rows, width, n = x["x"], cell["U"].shape[0], len(x["x"])
    states, memories, seen, weights = [], [], zeros(1, width), []
    for t in range(n):
        if states:
            tape = torch.cat(states)
            inner = torch.tanh(tape @ score["W_h"] + rows[t] @ score["W_x"] + seen @ score["W_ht"])
            a = (inner @ score["w"]).softmax(0)
            seen, memory = (a @ tape)[None], (a @ torch.cat(memories))[None]
            weights.append(F.pad(a, (0, n - t)))
        else:
            memory = zeros(1, width)
            weights.append(zeros(n))
        h, c = step(torch.nn.LSTMCell, cell, rows[t][None], (seen, memory))
        states.append(h)
        memories.append(c)
    return {"output": torch.cat(states), "weights": torch.stack(weights), "last": states[-1]}


def rocktaschel(document, x, p):
    """Word by word: r_t = Y a_t + tanh(r_{t-1} W_t), the last of which meets the last state."""
    premise, (h, c) = read_on(below(p, "p.cell"), x["premise"])
    states, (last, _) = read_on(below(p, "h.cell"), x["hypothesis"], (torch.zeros_like(h), c))
    score, r, weights = below(p, "looks.attention.score"), zeros(1, premise.shape[1]), []
    for h in states:
        asks = torch.cat([h[None], r], 1) @ score["W1"]
        weights.append((torch.tanh(premise @ score["W2"] + asks + score["b"]) @ score["w"]).softmax(0))
        r = (weights[-1] @ premise)[None] + torch.tanh(r @ p["looks.W_t"])
    both = torch.tanh(torch.cat([r, last], 1) @ p["joined.kernel"][0] + p["joined.b"])
    return {"class.logits": linear(below(p, "class"), both), "looks.weights": torch.stack(weights), "looks.last": r}


def ntm(document, x, p):
    """Graves, Wayne, Danihelka: address, erase, add, address again, read; an LSTM controls both heads."""
    p = below(p, "structure")
    cell, memory = below(p, "cell"), p["M_0"]
    n, d = memory.shape
    start = F.one_hot(torch.tensor(0), n).double()
    h, c, r, read_at, write_at = zeros(1, cell["U"].shape[0]), zeros(1, cell["U"].shape[0]), zeros(d), start, start
    outputs, reads, writes = [], [], []

    def address(said, memory, before):
        content = (F.softplus(said[d]) * F.cosine_similarity(said[None, :d], memory, eps=1e-30)).softmax(0)
        g, s, gamma = said[d + 1].sigmoid(), said[d + 2:d + 5].softmax(0), 1 + F.softplus(said[d + 5])
        w = g * content + (1 - g) * before
        moved = s[0] * w.roll(-1) + s[1] * w + s[2] * w.roll(1)
        return moved ** gamma / (moved ** gamma).sum()
    for row in x["x"]:
        h, c = step(torch.nn.LSTMCell, cell, torch.cat([row, r])[None], (h, c))
        said = h[0] @ p["W_w"] + p["b_w"]
        write_at = address(said, memory, write_at)
        erase, add = said[d + 6:2 * d + 6].sigmoid(), said[2 * d + 6:]
        memory = memory * (1 - torch.outer(write_at, erase)) + torch.outer(write_at, add)
        read_at = address(h[0] @ p["W_r"] + p["b_r"], memory, read_at)
        r = read_at @ memory
        for kept, one in ((outputs, torch.cat([h[0], r])), (reads, read_at), (writes, write_at)):
            kept.append(one)
    return {"output": torch.stack(outputs), "weights": torch.stack(reads), "written": torch.stack(writes),
            "memory": memory}


def sums(document, weights, words):
    """The weights of each word added up over its positions, by the vocabulary of the module `answer`."""
    module = next(one for one in document["model"] if one["name"] == "answer")
    at = places(words, module["vocabulary"])
    return zeros(1, len(module["vocabulary"])).index_add(1, at, weights[None])


def answered(document, weights):
    p = sums(document, weights, document["inputs"]["text"]["tokens"])
    right = document["model"][-1]["vocabulary"].index(document["inputs"]["right"]["tokens"][0])
    return {"answer.probabilities": p, "loss": -p[0, right].log()}


def both_read(x, p):
    return (recurrent(GRU, x[name], below(p, k + ".forward"), below(p, k + ".backward"))[0]
            for name, k in (("question", "q"), ("text", "d")))


def aoa_reader(document, x, p):
    """Cui et al.: what the text's words get from each word of the question, mixed by how much that word matters."""
    q, d = both_read(x, p)
    pairs = q @ d.T
    by_question, by_text = pairs.softmax(1), pairs.softmax(0)
    return answered(document, by_text.mean(1) @ by_question)


def iana(document, x, p):
    """Sordoni et al.: question and text in turn, gates, and a search state that is a GRU."""
    q, d = both_read(x, p)
    s, p = zeros(1, 8), below(p, "search")

    def glimpse(name, query, rows):
        score = below(p, name + ".score")
        return ((query @ score["W"] + score["b"]) @ rows.T).softmax(1)
    for _ in range(4):
        c1 = glimpse("first", s, q) @ q
        at = glimpse("second", torch.cat([s, c1], 1), d)
        c2 = at @ d
        told = torch.cat([s, c2, c1, c2 * c1], 1)
        g1, g2 = (torch.sigmoid(told @ p["W_g" + k] + p["b_g" + k]) for k in "12")
        s = step(torch.nn.GRUCell, below(p, "cell"), torch.cat([g1 * c1, g2 * c2], 1), s)
    return {**answered(document, at[0]), "search.weights2": at}


def ram(document, x, p):
    """Mnih et al.: crops around a place, each shrunk by its mean, and a state that says the next place."""
    module, p_class = document["model"][0], below(p, "class")
    p, k, g = below(p, "look"), module["k"], module["g"]
    image, room = x["image"], g * 2 ** k
    around = F.pad(image, (room, room, room, room))
    h, place, places, states = zeros(1, p["W_l"].shape[0]), p["start"], [], []
    for t in range(module["steps"]):
        row, column = (int(torch.floor((place[i].detach() + 1) / 2 * (image.shape[i] - 1) + 0.5)) for i in (0, 1))
        crops = []
        for wide in (2 ** s for s in range(k)):
            top, left = (room + at - g * wide // 2 for at in (row, column))
            crop = around[top:top + g * wide, left:left + g * wide]
            crops.append(F.avg_pool2d(crop[None, None], wide).flatten())
        what = F.relu(F.linear(torch.cat(crops), p["W_rho"].T, p["b_rho"]))
        where = F.relu(F.linear(place, p["W_at"].T, p["b_at"]))
        felt = F.relu(what @ p["W_what"] + where @ p["W_where"] + p["b_g"])[None]
        cell = below(p, "cell")
        h = F.relu(felt @ cell["W"] + h @ cell["U"] + cell["b"])
        places.append(place)
        states.append(h)
        place = h[0] @ p["W_l"] + p["b_l"] + 0.1 * p["z"][t]
    return {"class.logits": linear(p_class, h), "look.output": torch.cat(states), "look.location": torch.stack(places)}


def numbered(count):
    return torch.arange(1, count + 1, dtype=torch.float64)


def grid(five, n, height, width):
    """Gregor et al., equations of the selective attention: two banks of Gaussians, and how strong they are."""
    spacing = five[3].exp() * (max(height, width) - 1) / (n - 1)

    def bank(centre, size):
        middles = (size + 1) * (centre + 1) / 2 + (numbered(n) - n / 2 - 0.5) * spacing
        gaps = numbered(size) - middles[:, None]
        filters = torch.exp(-gaps ** 2 / (2 * five[2].exp()))
        return filters / filters.sum(1, keepdim=True)
    return bank(five[0], width), bank(five[1], height), five[4].exp()


def draw(document, x, p):
    module, image, p = document["model"][0], x["image"], below(p, "draw")
    n, (height, width), d = module["N"], x["image"].shape, p["W_r"].shape[0]
    canvas, reader, writer, far, shown = zeros(height, width), (zeros(1, d),) * 2, (zeros(1, d),) * 2, 0, []
    for noise in p["draws"]:
        fx, fy, gamma = grid((writer[0] @ p["W_r"])[0], n, height, width)
        read = [(gamma * fy @ seen @ fx.T).reshape(1, -1) for seen in (image, image - canvas.sigmoid())]
        reader = step(torch.nn.LSTMCell, below(p, "encoder"), torch.cat([*read, writer[0]], 1), reader)
        normal = torch.distributions.Normal(reader[0] @ p["W_m"], (reader[0] @ p["W_s"]).exp())
        standard = torch.distributions.Normal(torch.zeros_like(normal.mean), torch.ones_like(normal.mean))
        far = far + torch.distributions.kl_divergence(normal, standard).sum()
        writer = step(torch.nn.LSTMCell, below(p, "decoder"), normal.mean + normal.stddev * noise, writer)
        fx, fy, gamma = grid((writer[0] @ p["W_w"])[0], n, height, width)
        canvas = canvas + fy.T @ (writer[0] @ p["W_p"]).reshape(n, n) @ fx / gamma
        shown.append(canvas.sigmoid())
    lost = F.binary_cross_entropy_with_logits(canvas, image)
    return {"loss": lost + far, "draw.canvases": torch.stack(shown), "draw.penalty": far}


READERS = {"lstmn": lstmn, "rocktaschel-entail": rocktaschel, "ntm": ntm, "aoa-reader": aoa_reader, "iana": iana,
           "ram": ram, "draw": draw}
