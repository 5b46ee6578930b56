#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""`attend64 measure` on the command line: the measurements whose values scikit-learn, scipy, nltk and scikit-image
found, and adversarial weights checked with NumPy. Run by pytest."""
import json
import math
import os
import subprocess

import numpy
import pytest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TOOL = os.path.join(ROOT, "build", "bin", "attend64")


def measure(*measurements):
    lines = "\n".join(json.dumps(one) for one in measurements)
    done = subprocess.run([TOOL, "measure", "--lines", "-"], input=lines, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def goldens():
    with open(os.path.join(ROOT, "tests", "evaluation", "measure_goldens.json"), encoding="utf-8") as file:
        return json.load(file)


def test_every_golden_by_the_command():
    cases = goldens()
    answers = measure(*(case["measurement"] for case in cases))
    assert len(answers) == len(cases)
    for case, answer in zip(cases, answers, strict=True):
        assert math.isclose(answer["value"], case["value"], rel_tol=1e-9), case["measurement"]["measure"]
        assert answer["tells"].startswith("Shows")


def test_the_goldens_are_what_the_libraries_say_here():
    """Where they are installed: then the file can be made anew."""
    for library in ("sklearn", "scipy", "nltk", "skimage"):
        pytest.importorskip(library)
    import measure_goldens
    made = [one for make in (measure_goldens.texts, measure_goldens.classes, measure_goldens.images,
                             measure_goldens.maps) for one in make()]
    for case, (measurement, value) in zip(goldens(), made, strict=True):
        assert case["measurement"] == json.loads(json.dumps(measurement))
        assert math.isclose(case["value"], value, rel_tol=1e-12)


def test_an_error_does_not_end_the_lines():
    wrong, right = measure({"measure": "blue"}, {"measure": "tvd", "output": [[1, 0]], "other": [[0, 1]]})
    assert wrong["error"]["path"] == "/measure"
    assert right["value"] == 1


def test_one_wrong_measurement_is_an_error_on_stderr():
    done = subprocess.run([TOOL, "measure", "-"], input="{}", capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert json.loads(done.stderr)["error"]["path"] == "/measure"


def softmax(x):
    e = numpy.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def test_adversarial_weights_by_numpy():
    """The constraint and the divergence, from the weights that come back; and no random weights within the constraint
    lie farther off."""
    random = numpy.random.default_rng(5)
    q, k, v = random.standard_normal((1, 3)), random.standard_normal((5, 3)), softmax(random.standard_normal((5, 3)))
    document = {"schema": "attention-playground/1", "mechanism": {"type": "attention", "score": "dot"},
                "inputs": {"query": {"matrix": q.tolist()}, "key": {"matrix": k.tolist()},
                           "value": {"matrix": v.tolist()}}}
    epsilon = .05
    [answer] = measure({"measure": {"type": "adversarial-attention", "epsilon": epsilon}, "document": document})
    a = softmax(q @ k.T)
    other = numpy.array(answer["details"]["weights"]["data"])[None]
    assert math.isclose(other.sum(), 1, rel_tol=1e-9)
    assert abs(other @ v - a @ v).sum() / 2 <= epsilon + 1e-9

    def kl(p, m):
        return numpy.where(p > 0, p * numpy.log(numpy.where(p > 0, p, 1) / m), 0).sum(-1)

    def divergence(p, r):
        m = (p + r) / 2
        return (kl(p, m) + kl(r, m)) / 2

    assert math.isclose(answer["value"], divergence(a, other)[0], rel_tol=1e-6)
    trials = random.dirichlet(numpy.full(5, .4), 200_000)
    within = abs(trials @ v - a @ v).sum(-1) / 2 <= epsilon
    assert within.any()
    assert answer["value"] > divergence(a, trials[within]).max() - .02
