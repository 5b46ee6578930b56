# SPDX-License-Identifier: Apache-2.0
"""What the judges of structures and images share: a list of cases, and how an answer is held against them."""
import numpy as np
import pytest
from judge_parts import Case, run_all

TOLERANCE = 1e-9


class Judge:
    def __init__(self):
        self.cases = []

    def __call__(self, type_, **variants):
        """Registers fill(case, **knobs): once a variant, whose name tells what is other than usual."""

        def register(fill):
            for name, knobs in (variants or {"plain": {}}).items():
                case = Case(type_, name)
                case.knobs(**knobs)
                fill(case, knobs)
                self.cases.append(case)
            return fill

        return register

    def answers(self):
        for case in self.cases:
            case.document["schema"] = "attention-playground/1"
        return {case.name: answer for case, answer in zip(self.cases, run_all([c.document for c in self.cases]))}


def gap(got, wanted):
    got = np.array(got["data"]).reshape(got["shape"])
    wanted = np.asarray(wanted, float)
    assert got.shape == wanted.shape, (got.shape, wanted.shape)
    return float(np.abs(got - wanted).max(initial=0) / max(1, np.abs(wanted).max(initial=0)))


def check(case, answer):
    """Every result that the case names is there and right. Returns the largest difference."""
    assert "error" not in answer, answer["error"]
    missing = [name for name in case.wanted if name not in answer["outputs"]]
    assert not missing, (missing, list(answer["outputs"]))
    gaps = {}
    for name, wanted in case.wanted.items():
        try:
            gaps[name] = gap(answer["outputs"][name], wanted)
        except AssertionError as difference:
            pytest.fail(f"{name}: shapes {difference}")
    assert max(gaps.values()) < TOLERANCE, gaps
    return max(gaps.values())
