#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""The fuzzers' corpus and what hostile hands wrote, held to the laws that need two builds (oracles.py): the float build
computes what the double build does, and so does the exported code."""
import json
import os

import pytest
from oracles import ROOT, Engine, broken_export, broken_float

FOLDERS = ("tests/fuzz/corpus", "tests/experiment/broken")


def documents():
    float_build = Engine(os.path.join(ROOT, "build", "bin", "attend"))
    for folder in FOLDERS:
        for file in sorted(os.listdir(os.path.join(ROOT, folder))):
            with open(os.path.join(ROOT, folder, file), encoding="utf-8", errors="replace") as stream:
                try:
                    document = json.load(stream)
                except ValueError:
                    continue
            answer = float_build.run(document)
            if "outputs" in answer:
                yield pytest.param(document, answer["outputs"], id=f"{os.path.basename(folder)}/{file}")
    float_build.close()


COMPUTED = list(documents())


@pytest.fixture(scope="module")
def engine():
    one = Engine()
    yield one
    one.close()


@pytest.mark.parametrize(("document", "outputs"), COMPUTED)
def test_float_agrees_with_double(engine, document, outputs):
    assert not broken_float(engine, document, outputs)


@pytest.mark.parametrize(("document", "outputs"), COMPUTED)
def test_exported_code_agrees_with_the_engine(engine, document, outputs):
    assert not broken_export(engine, document)


def test_a_wrong_number_is_told():
    engine = Engine()
    document, outputs = COMPUTED[0].values
    name, tensor = next(iter(outputs.items()))
    wrong = dict(outputs, **{name: dict(tensor, data=[x + 0.25 for x in tensor["data"]])})
    assert name in broken_float(engine, document, wrong)
    engine.close()
