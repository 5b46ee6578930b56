# SPDX-License-Identifier: Apache-2.0
"""Interventions against PyTorch: the same model with a hook at every tensor that a document can name, which replaces
the value on its way; outputs and gradients of both are compared, and exported code is run."""
import contextlib
import io
import json
import math

import pytest
import torch
from test_exports import check_values, differences, execute, tool
from torch import nn
from torch_parts import run, tensor

torch.set_default_dtype(torch.float64)
TOLERANCE = 1e-10


class Points(nn.Module):
    """Identities with names: a forward hook on one replaces a tensor for all that reads it."""

    def __init__(self, *names):
        super().__init__()
        for name in names:
            setattr(self, name.replace(".", "_"), nn.Identity())

    def forward(self, name, x):
        return getattr(self, name.replace(".", "_"))(x)


@contextlib.contextmanager
def hooked(points, interventions, sources):
    """`sources`: by number of the intervention, the value that a patch takes."""
    handles = []
    for number, one in enumerate(interventions):
        def replace(_, __, out, one=one, number=number):
            where = [slice(None)] * out.dim()
            if "head" in one:
                where[-3] = one["head"]
            if "rows" in one:
                where[-2] = one["rows"]
            where = tuple(where)
            out = out.clone()
            if one["type"] == "patch":
                out[where] = sources[number][where]
            elif one["type"] == "scale":
                out[where] = out[where] * torch.tensor(one["value"])
            else:
                out[where] = torch.tensor(one["value"]).expand(out[where].shape)
            return out
        point = getattr(points, one["of"].replace(".", "_"))
        handles.append(point.register_forward_hook(replace))
    yield
    for handle in handles:
        handle.remove()


def drawn(*shape, seed):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed))


class Heads(nn.Module):
    """Self-attention of two heads behind a causal mask."""

    def __init__(self):
        super().__init__()
        self.points = Points("query", "key", "value", "scores", "weights", "heads", "context")
        self.w = nn.ParameterDict({name: nn.Parameter(drawn(*shape, seed=k) * .7) for k, (name, shape) in enumerate({
            "W_Q": (2, 4, 3), "W_K": (2, 4, 3), "W_V": (2, 4, 3), "W_O": (6, 4)}.items())})

    def forward(self, x):
        at = self.points
        q, k, v = (at(name, x @ self.w[w]) for name, w in (("query", "W_Q"), ("key", "W_K"), ("value", "W_V")))
        e = at("scores", q @ k.transpose(-1, -2) / math.sqrt(3))
        allowed = torch.ones(x.shape[-2], x.shape[-2]).tril().bool()
        a = at("weights", e.masked_fill(~allowed, -math.inf).softmax(-1))
        h = at("heads", a @ v)
        c = at("context", h.permute(1, 0, 2).reshape(x.shape[-2], 6) @ self.w["W_O"])
        return {"query": q, "key": k, "value": v, "scores": e, "weights": a, "heads": h, "context": c}


EDITS = {
    "a head that is cut": [{"type": "set", "of": "heads", "head": 1, "value": 0.0}],
    "two heads scaled": [{"type": "scale", "of": "heads", "head": [0, 1], "value": 0.5}],
    "rows of one map": [{"type": "set", "of": "weights", "head": 0, "rows": [1, 3], "value": [0.1, 0.2, 0.3, 0.4]}],
    "one row of the scores": [{"type": "scale", "of": "scores", "rows": 2, "value": -2.0}],
    "values of a word": [{"type": "set", "of": "value", "rows": 1, "value": [1.0, 2.0, 3.0]}],
    "keys, then weights, then weights again": [
        {"type": "scale", "of": "key", "head": 1, "value": 3.0},
        {"type": "set", "of": "weights", "rows": [0], "value": 0.25},
        {"type": "scale", "of": "weights", "head": 0, "rows": [0, 2], "value": 2.0}],
    "patched weights of a head": [{"type": "patch", "of": "weights", "head": 1, "from": {"example": 1}}],
    "patched rows of queries, and a scaled context": [
        {"type": "patch", "of": "query", "rows": [0, 2], "from": {"example": 2}},
        {"type": "scale", "of": "context", "rows": 3, "value": -1.0}],
    "a tensor back to what it was without an earlier change": [
        {"type": "scale", "of": "scores", "value": 4.0},
        {"type": "patch", "of": "weights", "head": 0, "from": "clean"}],
}


@pytest.mark.parametrize("name", EDITS)
def test_heads_equal_torch_with_hooks(name):
    edits, model = EDITS[name], Heads()
    examples = [drawn(4, 4, seed=20 + k) for k in range(3)]
    document = {
        "schema": "attention-playground/1", "examples": [{"x": {"matrix": x.tolist()}} for x in examples],
        "mechanism": {"type": "attention", "query": "self-attention", "mask": ["mask-causal"],
                      "heads": {"type": "multi-head", "count": 2}},
        "parameters": {"heads." + name: tensor(w) for name, w in model.w.items()},
        "interventions": edits,
        "outputs": ["query", "key", "value", "scores", "weights", "heads", "context"],
        "gradient": {"of": "context"}}
    answer = run(document)
    assert "error" not in answer, answer
    clean = [{key: x.detach() for key, x in model(x).items()} for x in examples]
    total = 0
    for k, x in enumerate(examples):
        x.requires_grad_()
        sources = {number: clean[k if one["from"] == "clean" else one["from"]["example"]][one["of"]]
                   for number, one in enumerate(edits) if one["type"] == "patch"}
        with hooked(model.points, edits, sources):
            outputs = model(x)
        total = total + outputs["context"].sum()
        for key, wanted in outputs.items():
            found = torch.tensor(answer["outputs"][key]["data"]).reshape(answer["outputs"][key]["shape"])[k]
            assert (found - wanted).abs().max() < TOLERANCE, (key, k)
    total.backward()
    for key, found in answer["gradients"].items():
        wanted = torch.stack([x.grad for x in examples]) if key == "inputs.x" else model.w[key.split(".")[1]].grad
        found = torch.tensor(found["data"]).reshape(found["shape"])
        wanted = torch.zeros_like(found) if wanted is None else wanted
        assert (found - wanted).abs().max() < TOLERANCE, key


class Decoder(nn.Module):
    """A recurrent decoder that attends before its step: the contract's om-decoder with a gru."""

    def __init__(self, p, words, memory, initial):
        super().__init__()
        self.points = Points("decoder.weights", "decoder.states", "decoder.context")
        self.p, self.words, self.memory, self.initial = p, words, memory, initial

    def forward(self):
        p, at, rows = self.p, self.points, {"states": [], "weights": [], "context": [], "logits": []}
        s = torch.tanh(self.initial @ p["W_0"] + p["b_0"])
        said = 0
        for t, word in enumerate(self.words):
            u = torch.tanh(s @ p["attention.score.W1"] + self.memory @ p["attention.score.W2"] + p["attention.score.b"])
            a = at("decoder.weights", self.row(t, (u @ p["attention.score.w"].reshape(-1, 1)).T.softmax(-1)))
            a = self.own(a)
            c = self.own(at("decoder.context", self.row(t, a @ self.memory)))
            x = torch.cat([p["E"][said][None], c], -1)
            d = s.shape[-1]
            gx, gh = x @ p["cell.W"] + p["cell.b"], s @ p["cell.U"] + p["cell.c"]
            r, z = (torch.sigmoid(gx[:, k * d:(k + 1) * d] + gh[:, k * d:(k + 1) * d]) for k in (0, 1))
            n = torch.tanh(gx[:, 2 * d:] + r * gh[:, 2 * d:])
            s = self.own(at("decoder.states", self.row(t, (1 - z) * n + z * s)))
            said = word
            for key, value in (("states", s), ("weights", a), ("context", c),
                               ("logits", torch.cat([s, c], -1) @ p["W_c"] + p["b_c"])):
                rows[key].append(value)
        return {key: torch.cat(value) for key, value in rows.items()}

    def row(self, t, x):
        """A step's row among as many as there are steps, so that a hook finds it by its number."""
        self.t = t
        whole = x.new_zeros(len(self.words), x.shape[-1])
        return torch.cat([whole[:t], x, whole[t + 1:]])

    def own(self, whole):
        return whole[self.t:self.t + 1]


IN_STEPS = {
    "weights of two steps": [{"type": "set", "of": "decoder.weights", "rows": [0, 2], "value": [0.0, 0.5, 0.5]}],
    "a state": [{"type": "scale", "of": "decoder.states", "rows": 1, "value": -2.0}],
    "a context, and weights": [
        {"type": "set", "of": "decoder.context", "rows": 1, "value": 0.5},
        {"type": "scale", "of": "decoder.weights", "value": [0.5, 1.0, 2.0]}],
}


@pytest.mark.parametrize("name", IN_STEPS)
def test_steps_of_a_decoder_equal_torch_with_hooks(name):
    edits, generator = IN_STEPS[name], torch.Generator().manual_seed(4)
    memory, initial = torch.randn(3, 4, generator=generator), torch.randn(1, 4, generator=generator)
    words = ["x", "y", "x", "<end>"]
    vocabulary = ["<start>", "<end>", "<unknown>", "x", "y"]
    document = {
        "schema": "attention-playground/1", "seed": 2,
        "inputs": {"memory": {"matrix": memory.tolist()}, "initial": {"matrix": initial.tolist()},
                   "target": {"tokens": words}},
        "model": [{"name": "decoder", "type": "om-decoder", "hidden": 5, "dim": 3, "vocabulary": vocabulary,
                   "inputs": {"memory": "memory", "target": "target", "initial": "initial"},
                   "attention": {"score": {"type": "additive", "hidden": 6}}}],
        "outputs": ["decoder.weights", "decoder.context", "decoder.states", "decoder.logits"],
        "gradient": {"of": "decoder.logits"}}
    shapes = {key: value["shape"] for key, value in run(document)["parameters"].items()}
    p = {key: torch.randn(*shape, generator=generator).requires_grad_() for key, shape in shapes.items()}
    document["parameters"] = {key: tensor(value) for key, value in p.items()}
    document["interventions"] = edits
    answer = run(document)
    assert "error" not in answer, answer
    model = Decoder({key.removeprefix("decoder."): value for key, value in p.items()},
                    [vocabulary.index(word) for word in words], memory, initial)
    with hooked(model.points, edits, {}):
        outputs = model()
    for key, wanted in outputs.items():
        found = answer["outputs"]["decoder." + key]
        found = torch.tensor(found["data"]).reshape(found["shape"])
        assert (found - wanted).abs().max() < TOLERANCE, key
    outputs["logits"].sum().backward()
    for key, value in p.items():
        found = torch.tensor(answer["gradients"][key]["data"]).reshape(value.shape)
        wanted = torch.zeros_like(value) if value.grad is None else value.grad
        assert (found - wanted).abs().max() < 1e-9, key


# A mask allows a key wherever it is not 0.
MASKS = {"softmax": {}, "entmax": {"alignment": "alpha-entmax"}, "sparsemax in talking heads": {
    "alignment": "sparsemax", "heads": "talking-heads"}}


@pytest.mark.parametrize("dialect", ["pytorch", "numpy"])
@pytest.mark.parametrize("name", MASKS)
def test_exported_masks_allow_what_the_engine_allows(name, dialect):
    document = {"schema": "attention-playground/1", "seed": 3,
                "inputs": {"x": {"matrix": drawn(4, 4, seed=1).tolist()}},
                "mechanism": {"type": "attention", "query": "self-attention", "mask": ["mask-causal"], **MASKS[name]},
                "interventions": [{"type": "set", "of": "mask", "rows": 2, "value": [-0.5, 0, 0.25, -2]}]}
    assert not check_values(dialect, name, json.dumps(document))


@pytest.mark.parametrize("dialect", ["pytorch", "numpy"])
@pytest.mark.parametrize("name", [*EDITS, *IN_STEPS])
def test_exported_code_has_the_interventions(name, dialect):
    if name in EDITS:
        document = {"schema": "attention-playground/1", "seed": 3,
                    "examples": [{"x": {"matrix": drawn(4, 4, seed=20 + k).tolist()}} for k in range(3)],
                    "mechanism": {"type": "attention", "query": "self-attention", "mask": ["mask-causal"],
                                  "heads": {"type": "multi-head", "count": 2}},
                    "parameters": {"heads." + key: tensor(w) for key, w in Heads().w.items()},
                    "interventions": EDITS[name]}
    else:
        document = {"schema": "attention-playground/1", "seed": 3,
                    "inputs": {"memory": {"matrix": drawn(3, 4, seed=1).tolist()},
                               "target": {"tokens": ["x", "y", "<end>"]}},
                    "model": [{"name": "decoder", "type": "om-decoder", "hidden": 4, "dim": 3,
                               "inputs": {"memory": "memory", "target": "target"}}],
                    "interventions": IN_STEPS[name]}
    text = json.dumps(document)
    expected = json.loads(tool("run", "-", text=text))["outputs"]
    if name in EDITS:  # exported code is that of the first example
        expected = {key: {"shape": value["shape"][1:],
                          "data": value["data"][:len(value["data"]) // value["shape"][0]]}
                    for key, value in expected.items()}
    with contextlib.redirect_stderr(io.StringIO()):
        found = execute(tool("export", dialect, "-", text=text), name)
    assert differences(expected, found) == []
