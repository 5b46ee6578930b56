# SPDX-License-Identifier: Apache-2.0
"""The small language model that ships: its size, a plain forward pass beside the engine's, its heads counted again."""
import json
import os
import subprocess

import numpy as np
import pytest
from forward import causal, rms_norm, rotated, silu, softmax
from judge import ROOT

FILE = os.path.join(ROOT, "examples", "trained", "language", "austen.safetensors")
TOOL = os.path.join(ROOT, "build", "bin", "attend")
RECORD = json.load(open(os.path.join(ROOT, "data", "language.json"), encoding="utf-8"))


def opened():
    """Its metadata, and its weights in float64."""
    content = open(FILE, "rb").read()
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8:8 + length])
    metadata = header.pop("__metadata__")
    raw = {}
    for name, entry in header.items():
        first, last = entry["data_offsets"]
        part = content[8 + length + first:8 + length + last]
        kind = {"F32": "<f4", "I8": "i1"}[entry["dtype"]]
        raw[name] = np.frombuffer(part, kind).reshape(entry["shape"]).astype(float)
    stored = [name for name in raw if not name.endswith(".scale")]
    weights = {name: raw[name] * raw.get(name + ".scale", 1.0) for name in stored}
    return metadata, weights, len(content)


def forward(w, ids, layers):
    """The maps of each layer [heads n n], and the logits."""
    x = w["tokens.E"][ids]
    maps = []
    for k in range(1, layers + 1):
        p = f"layer-{k}."
        n = rms_norm(x, w[p + "norm1.gamma"], EPS)
        q, key, v = (np.einsum("nd,hdp->hnp", n, w[p + f"attention.heads.W_{one}"]) for one in "QKV")
        q, key = rotated(q), rotated(key)
        scores = np.where(causal(len(ids)), q @ key.transpose(0, 2, 1) / np.sqrt(q.shape[-1]), -np.inf)
        maps.append(softmax(scores))
        x = x + (maps[-1] @ v).transpose(1, 0, 2).reshape(len(ids), -1) @ w[p + "attention.heads.W_O"]
        n = rms_norm(x, w[p + "norm2.gamma"], EPS)
        gate, up = (n @ w[p + f"ffn.W_{one}"] + w[p + f"ffn.b_{one}"] for one in ("gate", "up"))
        x = x + (silu(gate) * up) @ w[p + "ffn.W_down"] + w[p + "ffn.b_down"]
    return maps, rms_norm(x, w["norm.gamma"], EPS) @ w["tokens.E"].T + w["predict.b_c"]


EPS = 1e-6


def numbers(output):
    return np.array(output["data"]).reshape(output["shape"]) if isinstance(output, dict) else np.array(output)


@pytest.fixture(scope="module")
def model():
    return opened()


def test_size(model):
    metadata, weights, size = model
    assert size == RECORD["bytes"] <= 1_000_000
    assert sum(array.size for array in weights.values()) == RECORD["numbers"]
    assert len(json.loads(metadata["tokenizer"])["model"]["vocab"]) == RECORD["pieces"]


def test_forward(model, tmp_path):
    metadata, weights, _ = model
    document = json.loads(metadata["document"])
    os.makedirs(tmp_path / "language")
    (tmp_path / "language" / "austen.safetensors").write_bytes(open(FILE, "rb").read())
    (tmp_path / "austen.json").write_text(json.dumps(document))
    command = [TOOL, "run", tmp_path / "austen.json"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    outputs = json.loads(done.stdout)["outputs"]
    ids = document["inputs"]["text"]["data"]
    layers = sum(module["type"] == "transformer-block" for module in document["model"])
    maps, logits = forward(weights, ids, layers)
    for k, own in enumerate(maps, 1):
        np.testing.assert_allclose(numbers(outputs[f"layer-{k}.attention.weights"]), own, atol=2e-5)
    np.testing.assert_allclose(numbers(outputs["predict.logits"]), logits, atol=2e-3)


def columns(look, ids, row):
    """What a head may attend to: another spelling of what tools/language/measure.mjs counts."""
    earlier = np.array(ids[:row])
    return {
        "itself": [row],
        "before": [row - 1],
        "first": [0],
        "same": list(np.flatnonzero(earlier == ids[row])),
        "after": [k + 1 for k in np.flatnonzero(earlier[:-1] == ids[row])],
    }[look]


def test_heads(model):
    """The head that the page names has the largest mean weight of all heads, and that weight is right."""
    _, weights, _ = model
    few = json.load(open(os.path.join(ROOT, "tests", "python", "language_passages.json"), encoding="utf-8"))
    found = {}
    for ids in few["passages"]:
        for layer, maps in enumerate(forward(weights, ids, 4)[0], 1):
            for head, weight in enumerate(maps):
                for one in few["heads"]:
                    for row in range(8, len(ids)):
                        at = columns(one["look"], ids, row)
                        if at:
                            found.setdefault((one["look"], layer, head), []).append(weight[row, at].sum())
    for one in few["heads"]:
        means = {key: np.mean(values) for key, values in found.items() if key[0] == one["look"]}
        own = (one["look"], int(one["map"].split(".")[0].removeprefix("layer-")), one["head"])
        assert max(means, key=means.get) == own, (one, means)
        assert abs(means[own] - one["weight"]) < 1e-3, (one, means[own])
        assert len(found[own]) == one["rows"]


def test_told_heads_are_those_of_the_few():
    few = json.load(open(os.path.join(ROOT, "tests", "python", "language_passages.json"), encoding="utf-8"))
    sure = [(one["look"], one["map"], one["head"]) for one in RECORD["heads"] if one["weight"] > 0.5]
    assert sure and set(sure) <= {(one["look"], one["map"], one["head"]) for one in few["heads"]}
