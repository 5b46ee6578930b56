# SPDX-License-Identifier: Apache-2.0
"""Model documents written from the rules for names and ports alone, against PyTorch's own cells and layers: results
and gradients, 1e-9."""
import pytest
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.utils.stateless import functional_call
from torch_parts import run, with_explicit_numbers

SCHEMA = {"schema": "attention-playground/1", "seed": 3}
SOURCE = ["the", "old", "house", "is", "small"]
TARGET = ["das", "alte", "haus", "ist", "klein", "<end>"]


def vectors(n, d):
    return {"shape": [n, d], "data": [0.0] * (n * d)}


def words(tokens):
    return {"tokens": tokens}


def numbers(tokens):
    """Places in the list that begins with <start>, <end>, <unknown> and goes on by first appearance."""
    known = ["<start>", "<end>", "<unknown>"]
    for token in tokens:
        if token not in known:
            known.append(token)
    return torch.tensor([known.index(token) for token in tokens])


def step(kind, p, name, x, state):
    """One row through a cell of PyTorch; state is a list whose first entry is h."""
    W, U, b = (p[f"{name}.{letter}"] for letter in "WUb")
    if kind == "gru":
        return [torch.gru_cell(x, state[0], W.T, U.T, b, p[f"{name}.c"])]
    if kind == "lstm":
        return list(torch.lstm_cell(x, state, W.T, U.T, b, torch.zeros_like(b)))
    return [torch.rnn_tanh_cell(x, state[0], W.T, U.T, b, torch.zeros_like(b))]


def states(kind, p, name, rows, reverse=False):
    """[n dh], in the order of the rows, and the last state that was made."""
    hidden = p[f"{name}.U"].shape[0]
    state, list_ = [torch.zeros(1, hidden, dtype=torch.float64)] * (2 if kind == "lstm" else 1), []
    for row in rows.flip(0) if reverse else rows:
        state = step(kind, p, name, row[None], state)
        list_.append(state[0])
    rows = torch.cat(list_)
    return (rows.flip(0) if reverse else rows), state[0]


def held(document, model, extra=()):
    """The document's results, loss and gradients against those of model(inputs, parameters)."""
    document, inputs, parameters = with_explicit_numbers({**SCHEMA, **document})
    document["gradient"] = {"of": "loss"}
    wanted = model(inputs, parameters)
    answer = run(document)
    assert "error" not in answer, answer
    for name, x in wanted.items():
        got = answer["outputs"][name]
        assert got["shape"] == list(x.shape), (name, got["shape"], list(x.shape))
        assert torch.allclose(
            torch.tensor(got["data"], dtype=torch.float64).reshape(x.shape), x, rtol=0, atol=1e-9
        ), name
    leaves = {**parameters, **{f"inputs.{name}": x for name, x in inputs.items()}}
    slopes = torch.autograd.grad(wanted["loss"], list(leaves.values()), allow_unused=True)
    for (name, leaf), slope in zip(leaves.items(), slopes):
        got = answer["gradients"][name]
        wanted_slope = torch.zeros_like(leaf) if slope is None else slope
        found = torch.tensor(got["data"], dtype=torch.float64).reshape(leaf.shape)
        assert torch.allclose(found, wanted_slope, rtol=0, atol=1e-9), name


@pytest.mark.parametrize(
    "kind,feeding,score", [("lstm", True, "general"), ("gru", False, "concat"), ("rnn", True, "dot")]
)
def test_an_encoder_and_decoder_with_luong_attention(kind, feeding, score):
    document = {
        "inputs": {"source": words(SOURCE), "target": words(TARGET)},
        "model": [
            {"name": "embedding", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": 5},
            {"name": "encoder", "type": "fm-rnn", "inputs": {"x": "embedding"}, "cell": kind, "hidden": 6},
            {
                "name": "decoder",
                "type": "om-decoder",
                "inputs": {"memory": "encoder", "target": "target", "initial": "encoder.last"},
                "cell": kind,
                "hidden": 6,
                "dim": 4,
                "asks": "after",
                "input-feeding": feeding,
                "readout": "tanh",
                "attention": {"score": score},
            },
            {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "decoder.logits", "target": "target"}},
        ],
    }

    def model(_, p):
        memory, last = states(kind, p, "encoder.cell", p["embedding.E"][numbers(SOURCE)])
        h = torch.tanh(last @ p["decoder.W_0"] + p["decoder.b_0"])
        state = [h, torch.zeros_like(h)] if kind == "lstm" else [h]
        read = torch.cat([torch.tensor([0]), numbers(TARGET)[:-1]])
        r = torch.zeros(1, p["decoder.W_r"].shape[1], dtype=torch.float64)
        rows = []
        for place in read:
            x = p["decoder.E"][place][None]
            state = step(kind, p, "decoder.cell", torch.cat([x, r], 1) if feeding else x, state)
            s = state[0]
            if score == "concat":
                both = torch.cat([memory, s.expand(len(memory), -1)], 1)
                hidden = torch.tanh(both @ p["decoder.attention.score.W"] + p["decoder.attention.score.b"])
                e = (hidden @ p["decoder.attention.score.w"])[None]
            else:
                e = (
                    s
                    @ (p["decoder.attention.score.W"].T if score == "general" else torch.eye(6, dtype=torch.float64))
                    @ memory.T
                )
            a = torch.softmax(e, 1)
            c = a @ memory
            r = torch.tanh(torch.cat([s, c], 1) @ p["decoder.W_r"] + p["decoder.b_r"])
            rows.append((a, c, s, r @ p["decoder.W_c"] + p["decoder.b_c"]))
        weights, context, s, logits = (torch.cat(x) for x in zip(*rows))
        return {
            "decoder.weights": weights,
            "decoder.context": context,
            "decoder.states": s,
            "decoder.logits": logits,
            "encoder.output": memory,
            "encoder.last": last,
            "loss": F.cross_entropy(logits, numbers(TARGET)),
        }

    held(document, model)


def layer(p, attention, ffn, x, mask, norm_first, act):
    """nn.TransformerEncoderLayer with the numbers of two modules."""
    d, h = x.shape[1], p[f"{attention}.heads.W_Q"].shape[0]
    own = nn.TransformerEncoderLayer(
        d, h, p[f"{ffn}.W1"].shape[1], 0.0, act, norm_first=norm_first, batch_first=True, dtype=torch.float64
    )
    flat = lambda name: p[f"{attention}.heads.W_{name}"].permute(0, 2, 1).reshape(d, d)  # noqa: E731
    bias = lambda name: p[f"{attention}.heads.b_{name}"].reshape(d)  # noqa: E731
    filled = {
        "self_attn.in_proj_weight": torch.cat([flat(x) for x in "QKV"]),
        "self_attn.in_proj_bias": torch.cat([bias(x) for x in "QKV"]),
        "self_attn.out_proj.weight": p[f"{attention}.heads.W_O"].T,
        "self_attn.out_proj.bias": p[f"{attention}.heads.b_O"],
        "norm1.weight": p[f"{attention}.output.gamma"],
        "norm1.bias": p[f"{attention}.output.beta"],
        "linear1.weight": p[f"{ffn}.W1"].T,
        "linear1.bias": p[f"{ffn}.b1"],
        "linear2.weight": p[f"{ffn}.W2"].T,
        "linear2.bias": p[f"{ffn}.b2"],
        "norm2.weight": p[f"{ffn}.gamma"],
        "norm2.bias": p[f"{ffn}.beta"],
    }
    return functional_call(own, filled, (x[None],), {"src_mask": mask})[0]


@pytest.mark.parametrize(
    "norm,act,causal,tied",
    [("post", "gelu", False, False), ("pre", "gelu", True, True), ("pre", "relu", False, False)],
)
def test_blocks_of_bert_and_gpt(norm, act, causal, tied):
    attention = {
        "type": "attention",
        "query": "self-attention",
        "heads": {"type": "multi-head", "count": 2, "bias": True},
        "mask": ["mask-causal"] if causal else [],
        "output": {"type": "selfatt-residual", "norm": norm},
    }
    ffn = {"type": "om-ffn", "hidden": 7, "act": act, "norm": norm}
    document = {
        "inputs": {"x": words(TARGET[:-1]), "target": words(TARGET[1:])},
        "model": [
            {"name": "embedding", "type": "fm-embedding", "inputs": {"x": "x"}, "dim": 6},
            {"name": "a1", "inputs": {"x": "embedding"}, **attention},
            {"name": "f1", "inputs": {"x": "a1"}, **ffn},
            {"name": "a2", "inputs": {"x": "f1"}, **attention},
            {"name": "f2", "inputs": {"x": "a2"}, **ffn},
            {"name": "head", "type": "om-softmax", "inputs": {"x": "f2"}, "classes": 7},
            {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "head.logits", "target": "target"}},
        ],
    }
    names = [
        "a.heads.W_Q",
        "a.heads.W_K",
        "a.heads.W_V",
        "a.heads.W_O",
        "a.heads.b_V",
        "a.output.gamma",
        "f.W1",
        "f.b2",
        "f.gamma",
    ]
    ties = {f"{name[0]}2{name[1:]}": f"{name[0]}1{name[1:]}" for name in names} if tied else {}
    if tied:
        document["tie"] = ties

    def model(_, p):
        p = {**p, **{one: p[other] for one, other in ties.items()}}
        x = p["embedding.E"][numbers(TARGET[:-1])]
        mask = torch.triu(torch.full((len(x), len(x)), float("-inf"), dtype=torch.float64), 1) if causal else None
        for n in "12":
            x = layer(p, f"a{n}", f"f{n}", x, mask, norm == "pre", act)
        logits = x @ p["head.W_c"] + p["head.b_c"]
        return {
            "f2.output": x,
            "head.logits": logits,
            "head.probabilities": torch.softmax(logits, 1),
            "loss": F.cross_entropy(logits, numbers(TARGET[1:])),
        }

    held(document, model)


@pytest.mark.parametrize("kind", ["gru", "lstm"])
def test_hierarchical_attention_over_words_and_sentences(kind):
    encoder = {"type": "fm-birnn", "cell": kind, "hidden": 2}
    spans = [[0, 3], [3, 4], [4, 8]]
    document = {
        "inputs": {"x": vectors(8, 3), "class": {"matrix": [[1]]}},
        "model": [
            {
                "name": "han",
                "type": "hierarchical",
                "inputs": {"x": "x"},
                "spans": spans,
                "words": encoder,
                "sentences": encoder,
                "word": {"score": {"type": "self-additive", "hidden": 5}},
                "sentence": {"score": {"type": "self-additive", "hidden": 5}},
            },
            {"name": "head", "type": "om-softmax", "inputs": {"x": "han"}, "classes": 3},
            {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "head.logits", "target": "class"}},
        ],
    }

    def model(inputs, p):
        def both(name, rows):
            return torch.cat(
                [states(kind, p, f"{name}.forward", rows)[0], states(kind, p, f"{name}.backward", rows, True)[0]], 1
            )

        def pooled(name, rows):
            e = torch.tanh(rows @ p[f"{name}.score.W"] + p[f"{name}.score.b"]) @ p[f"{name}.score.w"]
            return torch.softmax(e, 0)[None] @ rows

        sentences = torch.cat([pooled("han.word", both("han.words", inputs["x"][a:b])) for a, b in spans])
        d = pooled("han.sentence", both("han.sentences", sentences))
        logits = d @ p["head.W_c"] + p["head.b_c"]
        return {"han.context": d, "head.logits": logits, "loss": F.cross_entropy(logits, torch.tensor([1]))}

    held(document, model)


def test_a_pointer_network():
    document = {
        "inputs": {"places": vectors(5, 2), "visits": vectors(3, 2), "order": {"matrix": [[4], [0], [2]]}},
        "model": [
            {"name": "encoder", "type": "fm-rnn", "inputs": {"x": "places"}, "cell": "lstm", "hidden": 4},
            {
                "name": "decoder",
                "type": "fm-rnn",
                "inputs": {"x": "visits"},
                "cell": "lstm",
                "hidden": 3,
                "reverse": True,
            },
            {
                "name": "pointer",
                "type": "om-pointer",
                "inputs": {"query": "decoder", "key": "encoder"},
                "attention": {"score": {"type": "additive", "hidden": 6}},
            },
            {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "pointer.logits", "target": "order"}},
        ],
    }

    def model(inputs, p):
        k = states("lstm", p, "encoder.cell", inputs["places"])[0]
        q, last = states("lstm", p, "decoder.cell", inputs["visits"], True)
        s = "pointer.attention.score."
        e = torch.tanh((q @ p[s + "W1"])[:, None] + (k @ p[s + "W2"])[None] + p[s + "b"]) @ p[s + "w"]
        return {
            "pointer.logits": e,
            "pointer.probabilities": torch.softmax(e, 1),
            "decoder.last": last,
            "loss": F.cross_entropy(e, torch.tensor([4, 0, 2])),
        }

    held(document, model)


def pointed(p, inputs, order, steps):
    """Vinyals et al.: what stands where a step points is read next; in an order that is given, what stands there."""
    memory, state = states("lstm", p, "encoder.cell", inputs["points"])[0], [inputs["state"], inputs["remembered"]]
    s, read, logits = "decoder.attention.score.", p["decoder.start"].reshape(1, -1), []
    for t in range(steps):
        state = step("lstm", p, "decoder.cell", read, state)
        asked = state[0] @ p[s + "W1"] + memory @ p[s + "W2"] + p[s + "b"]
        logits.append(torch.tanh(asked) @ p[s + "w"])
        read = inputs["points"][order[t] if order else int(logits[-1].argmax())][None]
    return torch.stack(logits)


@pytest.mark.parametrize("feed", ["teacher", "greedy"])
def test_a_decoder_that_points(feed):
    order = [4, 0, 2]
    document = {
        "inputs": {
            "points": vectors(5, 2),
            "state": vectors(1, 3),
            "remembered": vectors(1, 3),
            "order": {"matrix": [[place] for place in order]},
        },
        "model": [
            {"name": "encoder", "type": "fm-rnn", "inputs": {"x": "points"}, "cell": "lstm", "hidden": 4},
            {
                "name": "decoder",
                "type": "om-pointer-decoder",
                "inputs": {"memory": "encoder", "initial": "state", "initial-memory": "remembered"},
                "feed": feed,
                "steps": 3,
            },
            {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "decoder.logits", "target": "order"}},
        ],
    }

    def model(inputs, p):
        e = pointed(p, inputs, order if feed == "teacher" else None, 3)
        return {
            "decoder.logits": e,
            "decoder.weights": torch.softmax(e, 1),
            "decoder.places": e.argmax(1).double(),
            "loss": F.cross_entropy(e, torch.tensor(order)),
        }

    held(document, model)


@pytest.mark.parametrize("cell,path", [("lstm", None), ("gru", "/model/2/first-memory")])
def test_a_decoder_may_begin_with_a_memory_of_its_own(cell, path):
    document = {
        "inputs": {"source": words(SOURCE), "target": words(TARGET)},
        "model": [
            {"name": "embedding", "type": "fm-embedding", "inputs": {"x": "source"}, "dim": 3},
            {"name": "encoder", "type": "fm-rnn", "inputs": {"x": "embedding"}, "hidden": 4},
            {
                "name": "decoder",
                "type": "om-decoder",
                "inputs": {"memory": "encoder", "initial": "encoder.last"},
                "cell": cell,
                "hidden": 3,
                "dim": 2,
                "first-memory": "map",
            },
            {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "decoder.logits", "target": "target"}},
        ],
    }
    if path:
        assert run({**SCHEMA, **document})["error"]["path"] == path
        return

    def model(_, p):
        memory, last = states("gru", p, "encoder.cell", p["embedding.E"][numbers(SOURCE)])
        state = [torch.tanh(last @ p[f"decoder.W_{x}"] + p[f"decoder.b_{x}"]) for x in "0m"]
        score, logits = "decoder.attention.score.", []
        for place in [0, *numbers(TARGET)[:-1]]:
            asked = state[0] @ p[score + "W1"] + memory @ p[score + "W2"] + p[score + "b"]
            seen = torch.softmax(torch.tanh(asked) @ p[score + "w"], 0) @ memory
            read = torch.cat([p["decoder.E"][place], seen])[None]
            state = step("lstm", p, "decoder.cell", read, state)
            logits.append(torch.cat([state[0], seen[None]], 1) @ p["decoder.W_c"] + p["decoder.b_c"])
        e = torch.cat(logits)
        return {"decoder.logits": e, "loss": F.cross_entropy(e, numbers(TARGET))}

    held(document, model)
