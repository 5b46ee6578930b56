# SPDX-License-Identifier: Apache-2.0
"""Documents that nobody wrote (made_documents.py), with interventions. Exported scripts and modules compute what the
engine does; rows that arrive one after another give what the whole document gives, or the refusal names a place of the
document."""
import copy
import json
import subprocess

import numpy as np
import pytest
import test_export_module
import test_export_numpy_batches
from judge import array
from made_documents import document, intervened
from oracles import Engine
from test_exports import TOOL, check_values

SEEDS = range(90)


@pytest.fixture(scope="module")
def computed():
    """By seed, each document that computes, and the same with interventions where those compute."""
    engine, found = Engine(), {}
    for seed in SEEDS:
        made = document(seed)
        answer = engine.run(made)
        if "error" in answer:
            continue
        edited = intervened(made, answer, seed)
        found[seed] = made, edited if "outputs" in engine.run(edited) else made, answer
    engine.close()
    return found


def test_most_documents_compute(computed):
    assert len(computed) > len(SEEDS) // 3


def is_at_the_limit_of_doubles(document):
    """Whether the last digits of the interventions' values move a gradient further than an export may be from it."""
    moved = copy.deepcopy(document)
    for one in moved.get("interventions", []):
        if isinstance(one.get("value"), (int, float)):
            one["value"] *= 1 + 1e-14
    engine = Engine()
    outputs = engine.run(document).get("outputs", {})
    of = next((name for name in ("context", "output", "loss") if name in outputs), next(iter(outputs), None))
    both = [engine.run({**one, "gradient": {"of": of}}).get("gradients", {}) for one in (document, moved)]
    engine.close()
    gaps = [max(abs(a - b) for a, b in zip(one["data"], both[1][name]["data"], strict=True))
            / max(1, max(map(abs, one["data"])))
            for name, one in both[0].items() if one["data"] and name in both[1]]
    return max(gaps, default=0) > 1e-10


@pytest.mark.parametrize("first", range(3))
def test_exports_compute_what_the_engine_does(computed, first, tmp_path):
    for seed in list(computed)[first::3]:
        _, edited, _ = computed[seed]
        assert not check_values("numpy" if seed % 2 else "pytorch", str(seed), json.dumps(edited)), (seed, edited)
        try:
            (test_export_module if seed % 3 else test_export_numpy_batches).compare(edited, tmp_path)
        except RuntimeError as refused:  # of texts whose words decide the steps
            assert '"path":"/inputs/' in str(refused), (seed, refused)
        except AssertionError:  # of rows that are all alike, whose norm divides by a root of rounding errors
            if not is_at_the_limit_of_doubles(edited):
                raise


def there_is(made, path):
    """Whether the document has the place, or could have a setting there."""
    for part in path.split("/")[1:-1]:
        made = made[int(part)] if isinstance(made, list) else made.get(part) if isinstance(made, dict) else None
    return made is not None


def test_steps_give_the_rows_of_the_whole_or_name_a_place(computed):
    for seed, (made, _, answer) in computed.items():
        results = [name for name in ("context", "output") if name in answer["outputs"]]
        if not results:
            continue
        over = next(iter(made["inputs"]))
        done = subprocess.run([TOOL, "stepwise", "-", "--over", over], capture_output=True, text=True, timeout=60,
                              input=json.dumps({**made, "outputs": results}))
        steps = json.loads(done.stdout or done.stderr)
        if "error" in steps:
            path = steps["error"]["path"]
            assert path.startswith("/parameters/") or there_is(made, path), (seed, made, steps)
            continue
        for name, one in steps["outputs"].items():
            np.testing.assert_allclose(array(one), array(answer["outputs"][name]), atol=1e-9, err_msg=str((seed, made)))
