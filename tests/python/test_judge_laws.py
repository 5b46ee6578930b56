# SPDX-License-Identifier: Apache-2.0
"""Laws of the efficient forms: what is exact is softmax attention, the limit of a rank, of buckets or of clusters is
full attention, random features come nearer at the rate of theory, a causal form does not see the future, and one that
has no such form says why. Run by pytest."""
import numpy as np
import pytest
from judge import TOLERANCE, Draw, allow, array, differences, document, places, run, softmax
from judge_cores import dot, gaussian

N, P = 6, 4
DRAW = Draw(11)
Q, K, V = DRAW(N, P), DRAW(N, P), DRAW(N, 3)
FULL = softmax(dot(Q, K))


def asked(mechanism, parameters=None, q=Q, k=K, v=V):
    inputs = {"query": q, "value": v} if k is None else {"query": q, "key": k, "value": v}
    return document(mechanism, inputs, {"structure." + name: x for name, x in (parameters or {}).items()})


def limits():
    for block in range(1, N + 1):
        yield asked({"type": "flash", "block": block}), FULL
    yield asked({"type": "linformer"}, {"E": np.eye(N), "G": np.eye(N)}), None
    yield asked({"type": "bigbird", "global": N, "window": 0, "random": 0}), FULL
    yield asked({"type": "bigbird", "global": 0, "window": 0, "random": 2 * N}), FULL  # more than there are: all
    yield asked({"type": "clustered"}, {"assignment": np.arange(N)[::-1]}), FULL
    yield asked({"type": "clustered", "improved": True, "k": N}, {"assignment": np.zeros(N)}), FULL
    yield asked({"type": "fmmformer", "band": N}, {"w1": 1, "wl": [0]}), FULL
    yield asked({"type": "adaptive-span", "causal": False}, {"z": N}), FULL
    alone = np.eye(N) == 1
    shared = softmax(allow(dot(Q, Q / np.linalg.norm(Q, axis=1, keepdims=True)), ~alone))
    yield asked({"type": "reformer", "buckets": 1}, k=None), shared
    yield asked({"type": "reformer", "chunk": N}, {"R": np.zeros((P, 1))}, k=None), shared
    every = gaussian(Q, K, P**0.5)
    yield asked({"type": "skyformer", "eps": 0, "iterations": 0}, {"landmarks": np.arange(2 * N)}), every
    yield asked({"type": "soft", "iterations": 0}, {"landmarks": np.arange(N)}, k=None), gaussian(Q, Q, P**0.5)
    i, j = places(N, N)
    below = softmax(allow(dot(Q, K), j <= i))
    yield asked({"type": "sparse-strided", "l": N, "part": "first"}), below
    yield asked({"type": "sparse-fixed", "l": 3, "c": 3}), below


def test_at_its_limit_a_form_is_full_attention():
    cases = list(limits())
    for (one, a), answer in zip(cases, run([case[0] for case in cases]), strict=True):
        wanted = {"context": FULL @ V} if a is None else {"context": a @ V, "weights": a}
        off = differences(answer, wanted)
        tolerance = 1e-8 if "landmarks" in str(one) else TOLERANCE  # an inverse on the way
        assert max(off.values()) <= tolerance, (one, off, answer)


def test_equal_rows_have_the_weight_one_in_yoso():
    [answer] = run([asked({"type": "yoso"}, k=Q)])
    assert np.abs(np.diag(array(answer["outputs"]["weights"])) - 1).max() <= TOLERANCE


@pytest.mark.parametrize(("form", "exact"), [("performer", FULL), ("rfa", None)], ids=["performer", "rfa"])
def test_random_features_come_nearer_by_the_root_of_their_number(form, exact):
    """The mean error of 32 draws at 32 and at 512 features: theory says a quarter."""
    if exact is None:  # unit rows, whose Gaussian kernel is that of their products
        q, k = (x / np.linalg.norm(x, axis=1, keepdims=True) for x in (Q, K))
        exact = softmax(q @ k.T)
    errors = []
    for count in (32, 512):
        draws = [
            asked({"type": form}, {"omega": np.random.default_rng(seed).standard_normal((count, P))})
            for seed in range(32)
        ]
        errors.append(np.mean([np.abs(array(answer["outputs"]["weights"]) - exact).mean() for answer in run(draws)]))
    assert 0.15 < errors[1] / errors[0] < 0.4, errors


CAUSAL = (
    "flash",
    "linear",
    "performer",
    "rfa",
    "bigbird",
    "adaptive-span",
    "dynamic-span",
    "fmmformer",
    "yoso",
    "gaussian-attention-softmax",
    "fast-weight",
    "sparse-strided",
    "sparse-fixed",
)


def test_a_causal_form_does_not_see_the_future():
    """Not one bit of the rows before token t changes when it and all after it do."""
    t, later = 4, Draw(12)
    changed = [np.concatenate([x[:t], later(N - t, x.shape[1])]) for x in (Q, K, V)]
    pairs = [
        (asked({"type": form, "causal": True}, given), asked({"type": form, "causal": True}, given, *changed))
        for form, given in ((form, {"random": np.ones((N, N))} if form == "bigbird" else {}) for form in CAUSAL)
    ]
    answers = [array(answer["outputs"]["context"]) for answer in run([one for pair in pairs for one in pair])]
    for form, before, after in zip(CAUSAL, answers[::2], answers[1::2], strict=True):
        assert (before[:t] == after[:t]).all(), form
        assert (before[t:] != after[t:]).any(), form


NOT_CAUSAL = (
    "efficient-attention",
    "linformer",
    "sinkhorn-sparse",
    "sinkhorn-sortcut",
    "skyformer",
    "soft",
    "clustered",
    "set-mab",
    "set-isab",
    "set-pma",
    "transformer-ls",
    "perceiver",
    "xcit",
    "opa",
    "sam",
    "mblosa",
    "bi-blosa",
    "tensorized",
    "attention-augmented-conv",
    "standalone-local",
    "deformable",
    "ganformer-bipartite",
    "cross-transformer",
    "cross-covariance-free-hvt",
    "glance-gaze",
    "power-bert",
    "rnn-plus-attn",
    "transformer-xh",
)
ALWAYS_CAUSAL = ("fast-weight", "sparse-strided", "sparse-fixed", "transformer-xl", "gtrxl", "image-transformer")


def causal_answers(forms, causal):
    """What each form says of the switch; None where it has nothing against it."""
    answers = run([document({"type": form, "causal": causal}, {}) for form in forms])
    errors = [answer["error"] for answer in answers]
    return [error["message"] if error["path"].endswith("/causal") else None for error in errors]


def test_a_form_without_a_causal_one_says_why():
    for form, message in zip(NOT_CAUSAL, causal_answers(NOT_CAUSAL, True), strict=True):
        why = (message or "").split("has no causal form. ")
        assert len(why) == 2 and len(why[1]) > 15 and why[1].endswith("."), form
    assert not any(causal_answers(NOT_CAUSAL, False))


def test_a_form_that_is_always_causal_may_be_told_so():
    assert all("always causal" in message for message in causal_answers(ALWAYS_CAUSAL, False))
    assert not any(causal_answers(ALWAYS_CAUSAL, True))


def test_clusters_are_as_many_as_the_assignment_names():
    answers = run(
        [
            asked({"type": "clustered", **knobs}, {"assignment": [0, 5, 1, 2, 3, 4]})
            for knobs in ({}, {"clusters": 6}, {"clusters": 9}, {"clusters": 3})
        ]
    )
    assert all("outputs" in answer for answer in answers[:3])
    assert answers[3]["error"] == {
        "path": "/parameters/structure.assignment",
        "message": "expected whole numbers from 0 to 2, found 5 at 1",
    }
