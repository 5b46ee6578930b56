# SPDX-License-Identifier: Apache-2.0
"""Measures against their definitions in plain Python and NumPy, written here anew, one document after another through
one `attend64 measure`. Run by pytest."""
import json
import math
import subprocess
from collections import Counter

import numpy as np
import pytest
from judge import TOOL, Draw, sigmoid, softmax


def bleu(pairs, most=4, plus_one=False):
    matched, said, c, r = np.zeros(most), np.zeros(most), 0, 0
    for words, references in pairs:
        c += len(words)
        r += min((abs(len(one) - len(words)), len(one)) for one in references)[1]
        for n in range(1, most + 1):
            runs = [Counter(tuple(x[i : i + n]) for i in range(len(x) - n + 1)) for x in (words, *references)]
            said[n - 1] += sum(runs[0].values())
            matched[n - 1] += sum(min(count, max(ref[run] for ref in runs[1:])) for run, count in runs[0].items())
    if plus_one:
        matched[1:] += 1
        said[1:] += 1
    if not matched.all():
        return 0.0
    return min(1, math.exp(1 - r / c)) * math.exp(np.log(matched / said).mean())


def edits(a, b):
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        row, before = [i], row
        for j, y in enumerate(b, 1):
            row.append(min(before[j] + 1, row[-1] + 1, before[j - 1] + (x != y)))
    return row[-1]


def ranks(x):
    x = np.asarray(x).ravel()
    return np.array([(x < one).sum() + ((x == one).sum() - 1) / 2 for one in x])


def spearman(a, b):
    return np.corrcoef(ranks(a), ranks(b))[0, 1]


def kendall(a, b):
    a, b = np.ravel(a), np.ravel(b)
    s = [(np.sign(a[i] - a[j]), np.sign(b[i] - b[j])) for i in range(len(a)) for j in range(i)]
    return sum(x * y for x, y in s) / math.sqrt(sum(x != 0 for x, _ in s) * sum(y != 0 for _, y in s))


def f_scores(predictions, labels):
    """(precision, recall, f1) of each class that appears."""
    rows = []
    for one in sorted({*predictions, *labels}):
        hit = sum(p == one == y for p, y in zip(predictions, labels, strict=True))
        said, true = predictions.count(one), labels.count(one)
        p, r = hit / said if said else 0.0, hit / true if true else 0.0
        rows.append((p, r, 2 * p * r / (p + r) if p + r else 0.0))
    return np.array(rows)


def ssim(x, y, size=11, sigma=1.5, peak=1.0):
    at = np.arange(size) - (size - 1) / 2
    w = np.outer(*[np.exp(-(at**2) / (2 * sigma**2))] * 2)
    w, c1, c2, every = w / w.sum(), (0.01 * peak) ** 2, (0.03 * peak) ** 2, []
    for i in range(x.shape[0] - size + 1):
        for j in range(x.shape[1] - size + 1):
            a, b = x[i : i + size, j : j + size], y[i : i + size, j : j + size]
            ma, mb = (w * a).sum(), (w * b).sum()
            va, vb, ab = (w * a * a).sum() - ma**2, (w * b * b).sum() - mb**2, (w * a * b).sum() - ma * mb
            every.append((2 * ma * mb + c1) * (2 * ab + c2) / ((ma**2 + mb**2 + c1) * (va + vb + c2)))
    return np.mean(every)


def jsd(p, q):
    m = (p + q) / 2
    return sum((x * np.log(np.where(x > 0, x, 1) / m)).sum() for x in (p, q)) / 2


def aer(hard, sure, possible):
    return 1 - (len(hard & sure) + len(hard & possible)) / (len(hard) + len(sure))


def cases():
    draw = Draw(3)
    cat, mat = "the cat sat on the mat today".split(), "the cat is on the mat".split()
    other = "there is a cat on the mat".split()
    for knobs in ({}, {"N": 2}, {"smoothing": "plus-one"}, {"N": 1}):
        yield {"type": "bleu", **knobs}, {"tokens": cat, "references": [mat, other]}, bleu(
            [(cat, [mat, other])], knobs.get("N", 4), "smoothing" in knobs
        )
    two = [(cat, [mat]), (mat, [mat])]
    yield {"type": "bleu"}, {"examples": [{"tokens": a, "references": b} for a, b in two]}, bleu(two)
    yield {"type": "bleu", "N": 1}, {"tokens": ["the"] * 7, "references": [mat, other]}, 2 / 7
    yield {"type": "bleu"}, {"tokens": mat, "references": [mat]}, 1
    yield {"type": "bleu"}, {"tokens": ["a", "b"], "references": [mat]}, 0
    yield {"type": "bleu", "N": 2}, {"tokens": mat[:3], "references": [mat]}, math.exp(1 - 6 / 3)
    p, r = 5 / 7, 5 / 6  # the cat | on the mat: five words, two chunks
    yield {"type": "meteor"}, {"tokens": cat, "references": [mat]}, 10 * p * r / (r + 9 * p) * (
        1 - 0.5 * (2 / 5) ** 3
    )
    yield {"type": "meteor"}, {"tokens": mat, "references": [mat]}, 1 - 0.5 * (1 / 6) ** 3
    yield {"type": "meteor"}, {"tokens": ["x"], "references": [mat]}, 0
    yield {"type": "perplexity"}, {"probabilities": [0.5, 0.25, 0.125]}, math.exp(-np.log([0.5, 0.25, 0.125]).mean())
    yield {"type": "perplexity"}, {"probabilities": [[0.2, 0.8], [0.5, 0.5]], "labels": [1, 0]}, 1 / math.sqrt(
        0.8 * 0.5
    )
    for unit in ("wer", "per"):
        yield {"type": unit}, {"tokens": cat, "reference": mat}, edits(cat, mat) / len(mat)
        yield {"type": unit}, {"tokens": cat, "reference": ["x", "y"]}, 7 / 2
    predictions, labels = list("aabbcca"), list("abbbcdd")
    each, micro = f_scores(predictions, labels), 4 / 7
    for i, name in enumerate(("precision", "recall", "f1")):
        yield {"type": name}, {"predictions": predictions, "labels": labels}, each[:, i].mean()
        yield {"type": name, "average": "micro"}, {"predictions": predictions, "labels": labels}, micro
    yield {"type": "accuracy"}, {"predictions": predictions, "labels": labels}, micro
    yield {"type": "error-rate"}, {"predictions": predictions, "labels": labels}, 1 - micro
    x, y = draw.random.uniform(0, 1, (13, 15)), draw.random.uniform(0, 1, (13, 15))
    images = {"image": x.tolist(), "reference": y.tolist()}
    yield {"type": "psnr"}, images, 10 * math.log10(1 / ((x - y) ** 2).mean())
    yield {"type": "psnr", "L": 255}, images, 10 * math.log10(255**2 / ((x - y) ** 2).mean())
    yield {"type": "ssim"}, images, ssim(x, y)
    yield {"type": "ssim", "size": 7, "sigma": 2, "L": 2}, images, ssim(x, y, 7, 2, 2)
    for threshold in (0.5, 0.7):
        a, b = x >= threshold, y >= threshold
        yield {"type": "iou", "threshold": threshold}, images, (a & b).sum() / (a | b).sum()
    a, b = softmax(draw(4, 5)), softmax(draw(4, 5))
    sure, possible = {(0, 1), (1, 2)}, {(0, 1), (1, 2), (2, 2), (3, 0)}
    gold = {"gold": {"sure": sorted(sure), "possible": sorted(possible)}}
    largest = {(i, int(row.argmax())) for i, row in enumerate(a)}
    yield {"type": "aer"}, {"map": a.tolist(), **gold}, aer(largest, sure, possible)
    yield {"type": "aer", "links": "threshold", "threshold": 0.25}, {"map": a.tolist(), **gold}, aer(
        {(int(i), int(j)) for i, j in zip(*np.nonzero(a >= 0.25), strict=True)}, sure, possible
    )
    yield {"type": "attention-correctness"}, {"map": a[:1].tolist(), "region": [1, 0, 1, 0, 0]}, a[0, [0, 2]].sum()
    entropy = -(a * np.log(a)).sum(-1)
    yield {"type": "entropy"}, {"map": a.tolist()}, (entropy / math.log(5)).mean()
    yield {"type": "entropy", "normalised": False}, {"map": a.tolist()}, entropy.mean()
    both = {"map": a.tolist(), "reference": np.round(b, 1).tolist()}
    yield {"type": "rank-correlation"}, both, spearman(a, np.round(b, 1))
    yield {"type": "rank-correlation", "kind": "kendall"}, both, kendall(a, np.round(b, 1))
    yield {"type": "human-gaze-overlay"}, {"map": a.tolist(), "gaze": b.tolist()}, spearman(a, b)
    divergence = np.mean([jsd(*rows) for rows in zip(a, b, strict=True)])
    yield {"type": "jsd"}, {"map": a.tolist(), "other": b.tolist()}, divergence
    yield {"type": "jsd"}, {"map": [[1, 0]], "other": [[0, 1]]}, math.log(2)
    yield {"type": "tvd"}, {"output": a.tolist(), "other": b.tolist()}, (abs(a - b).sum(-1) / 2).mean()
    supervised = {"mse": ((a - b) ** 2).sum(), "xent": -(b * np.log(a)).sum(), "mult": -np.log((a * b).sum(-1)).sum()}
    for form, value in supervised.items():
        yield {"type": f"supervised-{form}"}, {"map": a.tolist(), "gold": b.tolist()}, 0.1 * value
        yield {"type": f"supervised-{form}", "lambda": 2}, {"map": a.tolist(), "gold": b.tolist()}, 2 * value
        yield {"type": "transfer-loss", "form": form, "lambda": 1}, {"map": a.tolist(), "teacher": b.tolist()}, value
    yield from asked_of_a_model(draw)


def asked_of_a_model(draw):
    """One query, values that are probabilities: what the answer is when weights are even, and how far it is."""
    q, k, v = draw(1, 3), draw(5, 3), softmax(draw(5, 3))
    document = {
        "schema": "attention-playground/1",
        "mechanism": {"type": "attention", "score": "dot"},
        "inputs": {"query": {"matrix": q.tolist()}, "key": {"matrix": k.tolist()}, "value": {"matrix": v.tolist()}},
    }
    y, even = softmax(q @ k.T) @ v, v.mean(0)
    said = int(y.argmax())
    yield {"type": "uniform-ablation", "metric": "probability"}, {"document": document}, y[0, said] - even[said]
    gates = sigmoid(q @ k.T) @ v
    yield {"type": "component-ablation", "metric": "probability"}, {
        "document": document,
        "other": {"mechanism": {"alignment": "sigmoid"}},
    }, y[0, said] - gates[0, said]
    flat = {**document, "inputs": {**document["inputs"], "key": {"matrix": np.ones((5, 3)).tolist()}}}
    yield {"type": "permutation-test"}, {"document": flat}, 0
    yield {"type": "uniform-ablation", "metric": "probability"}, {"document": flat}, 0


CASES = list(cases())


def measured(measurements):
    lines = "\n".join(json.dumps(one) for one in measurements)
    done = subprocess.run([TOOL, "measure", "--lines", "-"], input=lines, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_every_measure_is_its_definition():
    answers = measured([{"measure": measure, **inputs} for measure, inputs, _ in CASES])
    wrong = [
        (measure, answer.get("value", answer), float(expected))
        for (measure, _, expected), answer in zip(CASES, answers, strict=True)
        if not (
            isinstance(answer.get("value"), int | float)
            and math.isclose(answer["value"], expected, rel_tol=1e-9, abs_tol=1e-12)
        )
    ]
    assert not wrong, "\n".join(map(str, wrong))


@pytest.mark.parametrize(
    ("name", "inputs"),
    [("psnr", {"image": [[0.5, 1]], "reference": [[0.5, 1]]}), ("perplexity", {"probabilities": [1, 0]})],
)
def test_a_value_without_end_is_said_to_be_infinite(name, inputs):
    [answer] = measured([{"measure": name, **inputs}])
    assert answer["value"] is None and answer["infinite"]
