# SPDX-License-Identifier: Apache-2.0
"""Feature models, decoders, losses and batches by themselves, against PyTorch: results and gradients, 1e-9."""
import copy

import pytest
import torch
from test_judge_models import SCHEMA, TARGET, held, numbers, states, step, vectors, words
from torch.nn import functional as F
from torch_parts import drawn, run, tensor

IMAGE = {"shape": [7, 6, 2], "data": [0.0] * 84}


def summed(x):
    """A loss of all numbers: the mean of their squares."""
    return (x**2).mean()


def zeros_like_output(n, d):
    return {"matrix": [[0] * d for _ in range(n)]}


def one_module(module, n, d, inputs, output="output"):
    """A module whose result is pulled to zero, so that every parameter has a gradient."""
    return {
        "inputs": {**inputs, "zero": zeros_like_output(n, d)},
        "model": [
            module,
            {
                "name": "loss",
                "type": "squared-error",
                "inputs": {"output": f"{module['name']}.{output}", "target": "zero"},
            },
        ],
    }


@pytest.mark.parametrize("size,act", [(3, "relu"), (1, "tanh"), (5, "gelu")])
def test_a_convolution_over_rows(size, act):
    def model(inputs, p):
        x = F.conv1d(inputs["x"].T[None], p["a.kernel"].permute(2, 1, 0), p["a.b"], padding=size // 2)[0].T
        y = {"relu": torch.relu, "tanh": torch.tanh, "gelu": F.gelu}[act](x)
        return {"a.output": y, "loss": summed(y)}

    held(
        one_module(
            {"name": "a", "type": "fm-cnn1d", "size": size, "act": act, "inputs": {"x": "x"}},
            6,
            3,
            {"x": vectors(6, 3)},
        ),
        model,
    )


@pytest.mark.parametrize("size,stride,pool,rows", [(3, 1, 1, 42), (3, 2, 1, 12), (3, 1, 2, 9), (1, 1, 3, 4)])
def test_a_convolution_over_an_image(size, stride, pool, rows):
    module = {
        "name": "a",
        "type": "fm-cnn2d",
        "size": size,
        "stride": stride,
        "pool": pool,
        "filters": 3,
        "act": "tanh",
        "inputs": {"x": "image"},
    }

    def model(inputs, p):
        image = inputs["image"].permute(2, 0, 1)[None]
        y = torch.tanh(F.conv2d(image, p["a.kernel"].permute(3, 2, 0, 1), p["a.b"], padding=size // 2, stride=stride))
        y = F.max_pool2d(y, pool)[0].permute(1, 2, 0)
        return {"a.output": y, "a.rows": y.reshape(-1, 3), "loss": summed(y)}

    held(one_module(module, rows, 3, {"image": IMAGE}, "rows"), model)


@pytest.mark.parametrize(
    "knobs,ports,rows,made",
    [
        ({"type": "fm-combine"}, ["x1", "x2", "x3"], (4, 3), lambda a, b, c: a + b + c),
        ({"type": "fm-combine", "by": "product"}, ["x1", "x2"], (4, 3), lambda a, b: a * b),
        ({"type": "fm-pool"}, ["x"], (1, 3), lambda a: a.amax(0, keepdim=True)),
        ({"type": "fm-pool", "by": "mean"}, ["x"], (1, 3), lambda a: a.mean(0, keepdim=True)),
        ({"type": "fm-flatten"}, ["x"], (1, 12), lambda a: a.reshape(1, 12)),
        ({"type": "fm-flatten", "size": 2}, ["x"], (2, 6), lambda a: a.reshape(2, 6)),
    ],
    ids=["sum", "product", "largest", "mean", "all rows", "pairs of rows"],
)
def test_rows_are_added_pooled_and_laid_out(knobs, ports, rows, made):
    module = {"name": "a", **knobs, "inputs": {port: port for port in ports}}

    def model(inputs, p):
        y = made(*(inputs[port] for port in ports))
        return {"a.output": y, "loss": summed(y)}

    held(one_module(module, *rows, {port: vectors(4, 3) for port in ports}), model)


@pytest.mark.parametrize("kind", ["gru", "lstm", "rnn"])
def test_both_directions(kind):
    module = {"name": "a", "type": "fm-birnn", "cell": kind, "hidden": 3, "inputs": {"x": "x"}}

    def model(inputs, p):
        (there, last), (back, first) = states(kind, p, "a.forward", inputs["x"]), states(
            kind, p, "a.backward", inputs["x"], True
        )
        both = torch.cat([there, back], 1)
        return {"a.output": both, "a.last": torch.cat([last, first], 1), "loss": summed(both)}

    held(one_module(module, 5, 6, {"x": vectors(5, 2)}), model)


@pytest.mark.parametrize("kind", ["gru", "lstm", "rnn"])
def test_a_reader_that_begins_with_a_state(kind):
    module = {"name": "a", "type": "fm-rnn", "cell": kind, "inputs": {"x": "x", "initial": "s"}}

    def model(inputs, p):
        state, rows = [inputs["s"]] + [torch.zeros(1, 3, dtype=torch.float64)] * (kind == "lstm"), []
        for row in inputs["x"]:
            state = step(kind, p, "a.cell", row[None], state)
            rows.append(state[0])
        return {"a.output": torch.cat(rows), "a.last": rows[-1], "loss": summed(torch.cat(rows))}

    held(one_module(module, 5, 3, {"x": vectors(5, 2), "s": vectors(1, 3)}), model)


@pytest.mark.parametrize(
    "kind,readout,fixed,initial",
    [("gru", "none", False, False), ("lstm", "tanh", False, True), ("gru", "tanh", True, False)],
)
def test_a_decoder_that_asks_before_its_step(kind, readout, fixed, initial):
    decoder = {
        "name": "d",
        "type": "fixed-vector-baseline" if fixed else "om-decoder",
        "cell": kind,
        "hidden": 4,
        "dim": 3,
        "readout": readout,
        "inputs": {"memory": "memory", "target": "target", **({"initial": "initial"} if initial else {})},
    }
    if not fixed:
        decoder["attention"] = {"score": {"type": "additive", "hidden": 5}}
    document = {
        "inputs": {
            "memory": vectors(4, 3),
            "target": words(TARGET),
            **({"initial": vectors(1, 2)} if initial else {}),
        },
        "model": [
            decoder,
            {"name": "loss", "type": "cross-entropy", "inputs": {"logits": "d.logits", "target": "target"}},
        ],
    }

    def model(inputs, p):
        memory = inputs["memory"]
        start = inputs["initial"] if initial else memory.mean(0, keepdim=True)
        state = [torch.tanh(start @ p["d.W_0"] + p["d.b_0"])]
        state += [torch.zeros_like(state[0])] * (kind == "lstm")
        rows, asked = [], "d.attention.score."
        for place in torch.cat([torch.tensor([0]), numbers(TARGET)[:-1]]):
            c = start
            if not fixed:
                e = (
                    torch.tanh(state[0] @ p[asked + "W1"] + memory @ p[asked + "W2"] + p[asked + "b"])
                    @ p[asked + "w"]
                )
                c = torch.softmax(e, 0)[None] @ memory
            state = step(kind, p, "d.cell", torch.cat([p["d.E"][place][None], c], 1), state)
            r = torch.cat([state[0], c], 1)
            r = torch.tanh(r @ p["d.W_r"] + p["d.b_r"]) if readout == "tanh" else r
            rows.append((c, state[0], r @ p["d.W_c"] + p["d.b_c"]))
        context, s, logits = (torch.cat(x) for x in zip(*rows))
        return {
            "d.context": context,
            "d.states": s,
            "d.logits": logits,
            "loss": F.cross_entropy(logits, numbers(TARGET)),
        }

    held(document, model)


@pytest.mark.parametrize(
    "type_,port,loss",
    [("binary-cross-entropy", "logits", F.binary_cross_entropy_with_logits), ("squared-error", "output", F.mse_loss)],
)
def test_a_loss(type_, port, loss):
    target = [[1, 0, 1], [0, 0, 1]]
    document = {
        "inputs": {"x": vectors(2, 3), "gold": {"matrix": target}},
        "model": [{"name": "l", "type": type_, "inputs": {port: "x", "target": "gold"}}],
    }
    held(document, lambda inputs, p: {"loss": loss(inputs["x"], torch.tensor(target, dtype=torch.float64))})


def test_greedy_decoding_stops_at_the_end():
    words_ = ["<start>", "<end>", "<unknown>", "a", "b"]
    document = {
        **SCHEMA,
        "inputs": {"memory": vectors(3, 2)},
        "model": [
            {
                "name": "d",
                "type": "om-decoder",
                "inputs": {"memory": "memory"},
                "feed": "greedy",
                "steps": 7,
                "hidden": 2,
                "dim": 2,
                "vocabulary": words_,
                "attention": {"score": "scaled-dot"},
            }
        ],
    }
    for seed in range(6):
        generator = torch.Generator().manual_seed(seed)
        filled = copy.deepcopy(document)
        filled["inputs"]["memory"] = tensor(drawn(generator, (3, 2)))
        p = {name: drawn(generator, x["shape"]) * 3 for name, x in run(filled)["parameters"].items()}
        filled["parameters"] = {name: tensor(x) for name, x in p.items()}
        memory = torch.tensor(filled["inputs"]["memory"]["data"], dtype=torch.float64).reshape(3, 2)
        state, place, rows, told = [torch.tanh(memory.mean(0, keepdim=True) @ p["d.W_0"] + p["d.b_0"])], 0, [], []
        while len(rows) < 7 and 1 not in told:
            c = torch.softmax(state[0] @ memory.T / 2**0.5, 1) @ memory
            state = step("gru", p, "d.cell", torch.cat([p["d.E"][place][None], c], 1), state)
            rows.append(torch.cat([state[0], c], 1) @ p["d.W_c"] + p["d.b_c"])
            place = int(rows[-1].argmax())
            told.append(place)
        answer = run(filled)
        logits = torch.tensor(answer["outputs"]["d.logits"]["data"], dtype=torch.float64).reshape(7, 5)
        wanted = torch.zeros(7, 5, dtype=torch.float64)
        wanted[: len(rows)] = torch.cat(rows)
        assert torch.allclose(logits, wanted, atol=1e-9, rtol=0)


def test_a_batch_is_its_examples():
    document = {
        **SCHEMA,
        "model": [
            {"name": "a", "type": "fm-linear", "inputs": {"x": "x"}, "width": 2, "bias": True},
            {"name": "l", "type": "squared-error", "inputs": {"output": "a", "target": "y"}},
        ],
    }
    generator = torch.Generator().manual_seed(5)
    W, b = drawn(generator, (3, 2)).requires_grad_(), drawn(generator, (2,)).requires_grad_()
    x, y = drawn(generator, (4, 5, 3)), drawn(generator, (4, 5, 2))
    document |= {
        "inputs": {},
        "examples": [{"x": tensor(x[i]), "y": tensor(y[i])} for i in range(4)],
        "parameters": {"a.W": tensor(W), "a.b": tensor(b)},
        "gradient": {"of": "loss"},
    }
    answer = run(document)
    assert "error" not in answer, answer
    losses = ((x @ W + b - y) ** 2).mean((1, 2))
    wanted = torch.autograd.grad(losses.sum(), [W, b])
    assert torch.allclose(torch.tensor(answer["outputs"]["loss"]["data"], dtype=torch.float64), losses, atol=1e-9)
    for name, slope in zip(("a.W", "a.b"), wanted):
        assert torch.allclose(
            torch.tensor(answer["gradients"][name]["data"], dtype=torch.float64).reshape(slope.shape),
            slope,
            atol=1e-9,
        )
