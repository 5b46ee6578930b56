# SPDX-License-Identifier: Apache-2.0
"""The table of seeds says what a map looks at: by hand, the matrix that the page promises."""
import json

import pytest
import seeds

MAP = {"je": [.94, .02, .04], "t'": [.11, .01, .88], "aime": [.03, .95, .02]}


def rows(numbers):
    return {word: dict(zip(seeds.SOURCE, row)) for word, row in numbers.items()}


def test_a_row_is_judged_by_what_its_word_means_and_agrees_with():
    found = seeds.judged(rows(MAP))
    assert [own["most"] for own in found.values()] == ["I", "you", "love"]
    assert all(own["right"] for own in found.values())
    assert [own["means"] for own in found.values()] == [.94, .88, .95]
    assert [own["linked"] for own in found.values()] == pytest.approx([1, .89, .98])
    found = seeds.judged(rows({**MAP, "t'": [.05, .6, .35]}))
    assert (found["t'"]["right"], found["t'"]["most"]) == (False, "love")
    assert found["t'"]["linked"] == pytest.approx(.95)


def test_the_cells_of_a_seed_are_measures_and_then_rows():
    measures = {"accuracy": .99965, "alignment": .9549, "agrees": .9966}
    cells = list(seeds.cells({"seed": 1, "measures": measures, "rows": rows(MAP), "judged": seeds.judged(rows(MAP))}))
    assert cells[:4] == ["1", "1.000", "0.955", "0.997"]
    assert cells[5] == ".11 .01 .88; you, 0.88, 0.89"


def test_a_setting_is_put_where_its_pointer_says():
    document = json.loads('{"model": [{"dim": 1}], "training": {"optimiser": {"rate": 1}}}')
    seeds.with_setting(document, "/training/optimiser/rate=0.5")
    seeds.with_setting(document, '/training/schedule/type="linear"')
    seeds.with_setting(document, "/model/0/dim=2")
    assert document == {"model": [{"dim": 2}],
                        "training": {"optimiser": {"rate": .5}, "schedule": {"type": "linear"}}}
