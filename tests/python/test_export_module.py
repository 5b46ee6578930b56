# SPDX-License-Identifier: Apache-2.0
"""`attend export pytorch --module`: a torch.nn.Module of every mechanism, system and example, against attend64.

Each module is given three examples at once, of three lengths where its lengths are free. Results, maps and the
gradients of all weights must be the engine's; weights travel both ways under the engine's own names.
"""
import json
import math
import os
import random
import subprocess

import pytest
import torch
from test_exports import ROOT, TOOL, documents, nested, tool
from torch_parts import system

TOLERANCE = 1e-10
FUSED = getattr(torch.nn.functional, "scaled_dot_product_attention", None)


def exported(document, folder):
    """The module's names, its code, and the model with the document's weights."""
    weights = os.path.join(folder, "weights.safetensors")
    code = tool("export", "pytorch", "--module", "--weights", weights, "-", text=json.dumps(document))
    names = {"__name__": "exported"}
    exec(compile(code, "exported", "exec"), names)
    model = names["Model"]().double().eval()  # without dropout
    if hasattr(model, "load"):  # without weights there is nothing to load
        model.load(weights)
    return names, code, model


def engine(documents_given):
    done = subprocess.run([TOOL, "run", "--lines", "-"], capture_output=True, text=True, timeout=300,
                          input="\n".join(json.dumps(one) for one in documents_given))
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    for one in answers:
        assert "outputs" in one, one
    return answers


def free_inputs(names, code):
    """The inputs whose lengths may differ, by the name of their length."""
    line = code[code.index("return by_length(run"):].splitlines()[0]
    return eval(line[line.rindex("{"):line.rindex("}") + 1], {})


def longer(given, rows, draw, words):
    """An input with other rows: words of its vocabulary, or numbers that the document's own input has."""
    other = json.loads(json.dumps(given))
    if "tokens" in other and words:
        other["tokens"] = [draw.choice(words) for _ in range(rows)]
        return other
    numbers = numbers_of(given)
    known, shape = numbers.flatten().tolist(), [rows, *numbers.shape[1:]]
    return {"shape": shape, "data": [draw.choice(known) for _ in range(math.prod(shape))]}


def numbers_of(given):
    if "matrix" in given:
        return torch.tensor(given["matrix"], dtype=torch.float64)
    if "tokens" in given:
        features = given.get("features", {})
        if features.get("type") == "matrix":
            return torch.tensor(features["matrix"], dtype=torch.float64)
        return torch.zeros(len(given["tokens"]), features.get("dim", 16), dtype=torch.float64)
    return torch.tensor(given["data"], dtype=torch.float64).reshape(given["shape"])


def three_examples(names, code):
    """Documents like the exported one, of three lengths; and the model's inputs and lengths for all of them."""
    document = json.loads(names["DOCUMENT"])
    document.pop("training", None)
    axis = free_inputs(names, code)
    draw = random.Random(7)
    argument = {name: name.replace("-", "_").replace(".", "_") for name in document["inputs"]}
    several = []
    for more in (0, 2, 1):
        one = json.loads(json.dumps(document))
        for name, given in document["inputs"].items():
            rows = (len(given["tokens"]) if "tokens" in given
                    else len(numbers_of(given)) if numbers_of(given).dim() else 1)
            known = names.get("VOCABULARY", {}).get(argument[name])
            words = (known or [])[3:] or known
            free = argument[name] in axis
            if free or "tokens" not in given or not words:
                one["inputs"][name] = longer(given, rows + more if free else rows, draw, words)
        several.append(one)
    inputs, lengths = {}, {}
    for name, key in argument.items():
        given = [one["inputs"][name] for one in several]
        if key in names.get("VOCABULARY", {}):
            ids, counts = names["encode"](key, [one["tokens"] for one in given])
        else:
            rows = [numbers_of(one) for one in given]
            counts = torch.tensor([one.shape[0] if one.dim() else 1 for one in rows])
            ids = torch.nn.utils.rnn.pad_sequence(rows, batch_first=True) if rows[0].dim() else torch.stack(rows)
        inputs[key] = ids
        if key in axis:
            lengths[key] = counts
    return several, inputs, lengths


def near(found, expected, what):
    size = max(1.0, float(expected.abs().max()) if expected.numel() else 1.0)
    assert torch.isfinite(found).all(), what
    gap = float((found - expected).abs().max()) if expected.numel() else 0.0
    assert gap <= TOLERANCE * size, f"{what}: {gap} apart, of {size}"


def attention_in_one_call(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False):
    """What PyTorch 2 documents for its function of this name; Debian's PyTorch has none."""
    assert query.dim() == key.dim() == value.dim() == 4 and query.shape[:2] == key.shape[:2] == value.shape[:2]
    assert dropout_p == 0 and not (is_causal and attn_mask is not None)
    rows, keys = query.shape[-2], key.shape[-2]
    bias = torch.zeros(rows, keys, dtype=query.dtype)
    if is_causal:
        bias = bias.masked_fill(torch.ones(rows, keys, dtype=torch.bool).tril().logical_not(), -math.inf)
    if attn_mask is not None and attn_mask.dtype == torch.bool:
        bias = bias.masked_fill(attn_mask.logical_not(), -math.inf)
    elif attn_mask is not None:
        assert attn_mask.dtype == query.dtype
        bias = bias + attn_mask
    scores = query @ key.transpose(-2, -1) / math.sqrt(query.shape[-1]) + bias
    return torch.softmax(scores, dim=-1) @ value


def without_maps(names, model, inputs, lengths, draws, cotangent_sum):
    """The results and gradients where nobody asks for maps; attention in one call where the module has it."""
    kept = names.get("FUSED")
    if "attend" in names:
        names["FUSED"] = FUSED or attention_in_one_call
    model.zero_grad(set_to_none=True)
    results = model(**inputs, lengths=lengths or None, draws=draws)
    total = cotangent_sum(results)
    if total is not None and total.requires_grad:
        total.backward()
    if "attend" in names:
        names["FUSED"] = kept
    return results, {name: one.grad for name, one in model.named_parameters()}


def refused_at_the_entry(code, model, inputs, lengths):
    """Another length than a fixed one, and a batch of another size, are refused with the name of the input."""
    axis = free_inputs(None, code)
    for name, x in inputs.items():
        if f'check("{name}", ' not in code or x.dim() < 2:
            continue
        if name not in axis:
            with pytest.raises(ValueError, match=f"^{name}: expected the shape"):
                model(**{**inputs, name: torch.cat([x, x[:, :1]], dim=1)}, lengths=lengths or None)
        if f'check("{name}", {name}, None' not in code:
            with pytest.raises(ValueError, match=f"^{name}: expected the shape"):
                model(**{**inputs, name: x[:2]})


def compare(document, folder):
    names, code, model = exported(document, folder)
    several, inputs, lengths = three_examples(names, code)
    refused_at_the_entry(code, model, inputs, lengths)
    answers = engine(several)
    own = model.state_dict()
    for one, answer in zip(several, answers, strict=True):
        # Some weights begin with a number that depends on the length; the module has those of the document.
        for name, weight in own.items():
            if answer["parameters"][name]["data"] != weight.flatten().tolist():
                one.setdefault("parameters", {})[name] = {"shape": list(weight.shape),
                                                          "data": weight.flatten().tolist()}
    of = next((o for o in ("context", "output", "loss") if o in answers[0]["outputs"]), None)
    if of is None:
        of = next(iter(answers[0]["outputs"]))
    cotangents = []
    for one, answer in zip(several, answers, strict=True):
        shape = answer["outputs"][of]["shape"]
        flat = [math.sin(1 + i) for i in range(math.prod(shape))]
        one["gradient"] = {"of": of, "cotangent": nested(flat, shape) if shape else flat[0]}
        cotangents.append(torch.tensor(flat, dtype=torch.float64).reshape(shape))
    answers = engine(several)
    drawn = {name for name in answers[0]["parameters"] if name not in own}
    draws = {name: [torch.tensor(one["parameters"][name]["data"], dtype=torch.float64).reshape(
        one["parameters"][name]["shape"]) for one in answers] for name in drawn}
    if not lengths:
        draws = {name: torch.stack(each) for name, each in draws.items()}
    results = model(**inputs, lengths=lengths or None, return_maps=True, draws=draws)
    for i, answer in enumerate(answers):
        assert set(answer["outputs"]) == set(results)
        for name, one in answer["outputs"].items():
            expected = torch.tensor(one["data"], dtype=torch.float64).reshape(one["shape"])
            found = results[name][i][tuple(slice(0, extent) for extent in one["shape"])]
            near(found.detach(), expected, f"{name} of example {i}")

    def cotangent_sum(results):
        return sum((results[of][i][tuple(slice(0, extent) for extent in one.shape)] * one).sum()
                   for i, one in enumerate(cotangents)) if of in results else None

    total = cotangent_sum(results)
    if total.requires_grad:
        total.backward()
    for name, parameter in model.named_parameters():
        expected = sum(torch.tensor(one["gradients"][name]["data"], dtype=torch.float64).reshape(parameter.shape)
                       for one in answers)
        found = torch.zeros_like(parameter) if parameter.grad is None else parameter.grad
        near(found, expected, f"the gradient of {name}")
    slopes = {name: one.grad for name, one in model.named_parameters()}
    fewer, other_slopes = without_maps(names, model, inputs, lengths, draws, cotangent_sum)
    assert fewer.keys() <= results.keys()
    for name, one in fewer.items():
        near(one.detach(), results[name].detach(), f"{name} without maps")
    for name, parameter in model.named_parameters() if of in fewer else ():
        found, expected = (torch.zeros_like(parameter) if one is None else one
                           for one in (other_slopes[name], slopes[name]))
        near(found, expected, f"the gradient of {name} without maps")
    return names, code, model


FOLDER = os.path.join(ROOT, "examples", "trained")
TRAINED = sorted(name[:-12] for name in os.listdir(FOLDER) if name.endswith(".safetensors"))
SYSTEMS = sorted(name[:-5] for name in os.listdir(os.path.join(ROOT, "systems")) if name.endswith(".json"))
CASES = dict(documents())
# What cannot be a module, and why. An example with words that occur twice, or with sentences, is one text.
REFUSED = {
    "aoa-reader": "takes either numbers or words",
    "iana": "takes either numbers or words",
    "han": "depend on these words",
    "hatn": "depend on these words",
    "three-tier-rec": "depend on these words",
    "attention-sum-reader": "depend on these words",
}


def compare_or_refuse(name, document, folder):
    if name not in REFUSED:
        return compare(document, folder)
    with pytest.raises(RuntimeError, match=REFUSED[name]):
        exported(document, folder)


def sample(names, each):
    """Every so many of the names, or all of them where ATTEND_ALL is set. Neighbours are of one family."""
    names = list(names)
    return names if os.environ.get("ATTEND_ALL") else names[::each]


@pytest.mark.parametrize("name", sample(CASES, 6))
def test_a_module_computes_what_the_engine_does(name, tmp_path):
    compare_or_refuse(name, json.loads(CASES[name]()), tmp_path)


@pytest.mark.parametrize("name", sample(SYSTEMS, 6))
def test_a_system_as_a_module_computes_what_the_engine_does(name, tmp_path):
    compare_or_refuse(name, system(name), tmp_path)


@pytest.mark.parametrize("name", TRAINED)
def test_a_trained_model_as_a_module_computes_what_the_engine_does(name, tmp_path, monkeypatch):
    monkeypatch.chdir(FOLDER)  # where its weights are
    with open(f"{name}.json", encoding="utf-8") as file:
        document = json.load(file)
    document["parameters"] = {"from": f"{name}.safetensors"}
    compare(document, tmp_path)


def test_weights_go_to_the_module_and_back(tmp_path):
    names, _, model = exported(system("transformer"), tmp_path)
    first = model.state_dict()
    model.save(tmp_path / "back.safetensors")
    other = names["Model"]().double()
    other.load(tmp_path / "back.safetensors")
    assert first and all((one == first[name]).all() for name, one in other.state_dict().items())
    document = json.loads(names["DOCUMENT"])
    document["parameters"] = {"from": "back.safetensors"}
    (tmp_path / "document.json").write_text(json.dumps(document))
    parameters = json.loads(tool("run", str(tmp_path / "document.json")))["parameters"]
    assert {name: one["data"] for name, one in parameters.items()} == {
        name: one.flatten().tolist() for name, one in first.items()}


@pytest.mark.parametrize("library", ["pytorch", "numpy"])
def test_a_start_that_depends_on_the_length_is_that_of_the_document(library, tmp_path):
    document = json.loads(tool("example", "sigmoid-biased"))
    rows = json.loads(tool("run", "-", text=json.dumps(document)))["parameters"]["alignment.b"]["data"]
    weights = tmp_path / "weights.safetensors"
    code = tool("export", library, "--module", "--weights", str(weights), "-", text=json.dumps(document))
    names = {"__name__": "exported"}
    exec(compile(code, "exported", "exec"), names)
    held = names["read_weights"](str(weights))
    kept = held[0] if library == "pytorch" else held
    assert float(kept["alignment.b"]) == pytest.approx(rows[0], abs=1e-7)
    if library == "pytorch":
        assert float(names["Model"]().alignment.b) == pytest.approx(rows[0], abs=1e-6)


def test_a_module_that_reads_no_number_has_the_type_of_the_others(tmp_path):
    """Its result is set as a whole, so that only the other modules and the inputs say which type the numbers have."""
    document = {"schema": "attention-playground/1", "seed": 1, "inputs": {"x": {"matrix": [[1, 2], [3, 4], [5, 6]]}},
                "model": [{"name": "fixed", "type": "fm-linear", "inputs": {"x": "x"}}, {
                    "name": "att", "type": "attention", "query": "self-attention", "inputs": {"x": "fixed"}}],
                "interventions": [{"type": "set", "of": "fixed.output", "value": 0.1}]}
    _, _, model = exported(document, tmp_path)
    found = model(numbers_of(document["inputs"]["x"])[None])
    assert found["fixed.output"].dtype == torch.float64
    expected = engine([document])[0]["outputs"]["att.context"]
    near(found["att.context"][0], numbers_of(expected), "att.context")


# The rows of an input count, though nothing reads its numbers.
UNREAD = {
    "queries that no score reads": {"type": "darqn", "score": "self-dot", "hidden": 6},
    "an input that is replaced": {"type": "attention", "query": "self-attention"},
}


@pytest.mark.parametrize("name", UNREAD)
def test_sizes_come_from_inputs_that_nothing_reads(name, tmp_path):
    document = json.loads(tool("example", "darqn" if name == "queries that no score reads" else "self-attention"))
    document["mechanism"] = UNREAD[name]
    if name == "an input that is replaced":
        document["interventions"] = [{"type": "set", "of": "inputs.x", "value": 0.5}]
    compare(document, tmp_path)


@pytest.mark.parametrize("library", ["pytorch", "numpy"])
def test_drawn_keys_are_those_of_the_text(library, tmp_path):
    document = json.loads(tool("example", "mask-bigbird"))
    code = tool("export", library, "--module", "-", text=json.dumps(document))
    (line,) = [line for line in code.splitlines() if " = drawn(" in line]
    assert line.rstrip(")").split(", ")[-1] == "n", line


def test_names_of_modules_and_inputs_hide_nothing():
    model = [{"name": "read", "type": "fm-embedding", "inputs": {"x": "batch"}, "dim": 4},
             {"name": "f", "type": "om-ffn", "inputs": {"x": "read"}, "hidden": 4, "act": "gelu"}]
    document = {"schema": "attention-playground/1", "seed": 1, "inputs": {"batch": {"tokens": ["a", "b"]}},
                "model": model}
    names = {"__name__": "exported"}
    exec(compile(tool("export", "pytorch", "--module", "-", text=json.dumps(document)), "exported", "exec"), names)
    (argument,) = [name for name in names["VOCABULARY"]]
    ids, _ = names["encode"](argument, [["a", "b"], ["b", "a"]])
    results = names["Model"]()(**{argument: ids})
    assert results["f.output"].shape == (2, 2, 4), results.keys()
