# SPDX-License-Identifier: Apache-2.0
"""Every core since 2022 against its formula in NumPy (judge_cores_today.py): alone, in heads and in heads that share
keys, with gates given and from the token. Run by pytest."""
import numpy as np
import pytest
from judge import TOLERANCE, Draw, differences, document, run
from judge_cores_today import FORMS, nsa_compressed
from judge_scores import ACTS

N = 7


def gates(r, knobs, names, n, dx):
    """Given gates, or what projects the tokens: `names` says how many columns each gate has, 0 is one number a row."""
    p = {}
    for name, columns in names.items():
        if knobs.get("gates", "given") == "given":
            p[name] = r.uniform(0.2, 1, (n, columns) if columns else n)
        else:
            p[("W_" if columns else "w_") + name] = r.normal(size=(dx, columns) if columns else dx) * 0.5
            p["b_" + name] = r.normal(size=columns) if columns else float(r.normal())
    return p


def given(form, knobs, n, p, dv, dx, draw):
    """The parameters of one head, of the shapes of the contract."""
    r = draw.random
    token = knobs.get("gates") == "token"
    a_log = {"A_log": float(r.normal() * 0.5)}
    make = {
        "gla": lambda: gates(r, knobs, {"alpha": p}, n, dx),
        "simple-gla": lambda: gates(r, knobs, {"alpha": 0}, n, dx),
        "hgrn2": lambda: gates(r, knobs, {"f": p}, n, dx),
        "deltanet": lambda: gates(r, knobs, {"beta": 0}, n, dx),
        "gated-deltanet": lambda: {**gates(r, knobs, {"alpha": 0, "beta": 0}, n, dx), **(a_log if token else {})},
        "kda": lambda: {**gates(r, knobs, {"alpha": p, "beta": 0}, n, dx), **(a_log if token else {})},
        "gdn-2": lambda: {
            "alpha": r.uniform(0.2, 1, (n, p)),
            "b": r.uniform(0, 1, (n, p)),
            "w": r.uniform(0, 1, (n, dv)),
        },
        "mamba-2": lambda: {**gates(r, knobs, {"dt": 0}, n, dx), **a_log, "D": float(r.normal())},
        "mamba": lambda: {
            **gates(r, knobs, {"dt": dv}, n, dx),
            "A_log": r.normal(size=(dv, p)) * 0.5,
            "D": r.normal(size=dv),
        },
        "rwkv-7": lambda: {
            **gates(r, knobs, {"w": p, "a": p}, n, dx),
            "k_k": r.normal(size=p),
            "k_a": r.normal(size=p),
        },
        "rwkv-6": lambda: {**gates(r, knobs, {"w": p}, n, dx), "u": r.normal(size=p)},
        "log-linear": lambda: gates(r, knobs, {"alpha": 0, "lambda": 4}, n, dx),
        "hedgehog": lambda: {"W": r.normal(size=(p, 3))},
        "gated-slot": lambda: gates(r, knobs, {"alpha": knobs.get("slots", 8)}, n, dx),
        "mesa": lambda: {"alpha": r.uniform(0.5, 1, n), "beta": r.uniform(0, 1, n), "lambda": r.uniform(0.5, 2, p)},
        "mlstm": lambda: gates(r, knobs, {"ig": 0, "fg": 0}, n, dx),
        "nsa": lambda: gates(r, knobs, {"g": 3}, n, dx),
        "dsa": lambda: {
            "W_Q": r.normal(size=(knobs.get("index_heads", 2), dx, knobs.get("index_width", 4))),
            "W_K": r.normal(size=(dx, knobs.get("index_width", 4))),
            "W_w": r.normal(size=(dx, knobs.get("index_heads", 2))),
        },
    }
    return make.get(form, dict)()


TOKEN = {"gates": "token"}


def cases():
    for form in FORMS:
        if form not in ("gated-deltaproduct", "dsa"):
            yield form, {}
    yield from (("retention", {"gamma": 0.7}), ("retention", {"gamma": 1}), ("retention", {"gamma": 0, "scale": 0.6}))
    for form in ("retention", "lightning", "simple-gla", "mamba-2"):
        yield form, {"chunk": 3}
    yield "lightning", {"layers": 12, "layer": 5}
    yield "lightning", {"layers": 12, "layer": 11, "scale": 0.5}
    for form in ("gla", "simple-gla", "hgrn2", "deltanet", "gated-deltanet", "kda", "mamba-2", "mamba", "rwkv-7"):
        yield form, TOKEN
    for form in ("rwkv-6", "log-linear", "gated-slot", "mlstm", "nsa"):
        yield form, TOKEN
    for form in ("gla", "simple-gla"):
        yield form, {**TOKEN, "tau": 2, "scale": 0.7}
    for form in ("deltanet", "gated-deltanet", "kda"):
        yield form, {**TOKEN, "negative": True}
        yield form, {"normalise": "none", "scale": 0.4}
        yield form, {"act": "silu"}
        yield form, {"normalise": "none", "act": "silu"}
    for act in ACTS:
        for form in ("deltanet", "gated-deltanet", "kda", "gdn-2", "hgrn2"):
            yield form, {"act": act}
    for form in ("deltanet", "gated-deltanet", "kda", "gdn-2"):
        yield form, {"normalise": "sum", "act": "sigmoid"}
    yield "gdn-2", {"normalise": "none"}
    yield "hgrn2", {**TOKEN, "lower": 0.4, "act": "silu"}
    yield "based", {"kernel": "square"}
    yield "based", {"scale": 0.3, "eps": 1e-3}
    yield from (("cosformer", {"causal": True}), ("cosformer", {"M": 11.5}), ("hedgehog", {"causal": False}))
    yield from (("gated-slot", {"slots": 1}), ("gated-slot", {"slots": 3, "scale": 1.1}))
    for block in (1, 2, 3, 7, 9):
        for top in (1, 2, 50):
            yield "moba", {"block": block, "top": top}
            yield "quest", {"page": block, "top": top}
            yield "nsa", {"block": block, "top": top, "window": 3}
    yield "nsa", {"block": 2, "top": 3, "window": 0}
    for top in (1, 2, 4, 7, 30):
        yield "dsa", {"top": top}
    yield "dsa", {"index_heads": 3, "index_width": 2, "scale": 0.5}


def named(parameters):
    return {"structure." + name: x for name, x in parameters.items()}


def extra(form, knobs, head, heads):
    """What a head must know of itself."""
    if form == "retention":
        return {"head": head}
    return {"head": head, "heads": heads} if form == "lightning" else {}


def alone(form, knobs, seed):
    """The short form and the long one say the same. Without heads the whole rows are the keys themselves."""
    draw, p, dv = Draw(seed), 4, 3
    q, k, v = draw(N, p), draw(N, p), draw(N, dv)
    q = k if form in ("dsa", "nsa") else q  # their gates and indices read the queries' rows too
    parameters = given(form, knobs, N, p, dv, p, draw)
    expected = FORMS[form](q, k, v, k, knobs, parameters)
    for mechanism in ({"type": form, **knobs}, {"type": "attention", "core": {"type": form, **knobs}}):
        yield f"{form} {knobs}", document(mechanism, {"query": q, "key": k, "value": v}, named(parameters)), expected


def in_heads(form, knobs, seed, h=2, groups=2, heads=None):
    """Parameters lead with the head's axis; of fewer key heads than heads, neighbours share one."""
    draw, p, dx, dv = Draw(seed), 3, 5, 2
    x, values = draw(N, dx), draw(N, 4)
    maps = {"W_Q": draw(h, dx, p), "W_K": draw(groups, dx, p), "W_V": draw(groups, 4, dv), "W_O": draw(dv * h, 4)}
    one = given(form, knobs, N, p, dv, dx, draw)
    each = [one if form == "dsa" else given(form, knobs, N, p, dv, dx, draw) for _ in range(h)]
    rows = []
    for t in range(h):
        of = t * groups // h
        q, k, more = x @ maps["W_Q"][t], x @ maps["W_K"][of], extra(form, knobs, t, h)
        if form == "nsa" and groups < h:
            group = [s for s in range(h) if s * groups // h == of]
            more["group"] = np.mean([nsa_compressed(x @ maps["W_Q"][s], k, knobs) for s in group], 0)
        rows.append(FORMS[form](q, k, values @ maps["W_V"][of], x, knobs, each[t], **more))
    shared = ("index", "chosen") if form == "dsa" else ()
    expected = {name: np.array([row[name] for row in rows]) for name in rows[0] if name not in ("context", *shared)}
    expected.update({name: rows[0][name] for name in shared})
    expected["heads"] = np.array([row["context"] for row in rows])
    expected["context"] = np.concatenate(expected["heads"], -1) @ maps["W_O"]
    parameters = {"heads." + name: x for name, x in maps.items()}
    if form == "dsa":
        parameters.update(named(one))
    else:
        parameters.update(named({name: np.array([own[name] for own in each]) for name in each[0]}))
    heads = heads or {"type": "multi-head", "count": h}
    mechanism = {"type": "attention", "core": {"type": form, **knobs}, "heads": heads}
    inputs = {"query": x, "key": x, "value": values}
    yield f"{form} {knobs} in {h} heads of {groups}", document(mechanism, inputs, parameters), expected


def in_groups(form, knobs, seed):
    yield from in_heads(form, knobs, seed, 4, 2, {"type": "grouped-query", "count": 4, "groups": 2})


MAKERS = (alone, in_heads, in_groups)
CASES = [one for seed, case in enumerate(cases()) for make in MAKERS for one in make(*case, seed)]


@pytest.fixture(scope="module")
def answers():
    return run([case[1] for case in CASES])


def test_every_core_is_its_formula(answers):
    wrong = []
    for (name, _, expected), answer in zip(CASES, answers, strict=True):
        off = {key: gap for key, gap in differences(answer, expected).items() if not gap <= TOLERANCE}
        if off:
            wrong.append((name, off, answer.get("error")))
    assert not wrong, "\n".join(map(str, wrong))


def test_a_list_of_decays_has_one_for_each_head():
    knobs = {"gamma": [0.3, 0.9]}
    ((name, doc, expected),) = in_heads("retention", knobs, 5)
    (answer,) = run([doc])
    assert max(differences(answer, expected).values()) <= TOLERANCE, (name, answer.get("error"))


def products(steps, seed, h=0, **knobs):
    """Gated DeltaProduct: `steps` rows of keys and values for each query."""
    draw, p, dv = Draw(seed), 4, 3
    q, k, v = draw(N, p), draw(steps * N, p), draw(steps * N, dv)
    random = draw.random
    each = [{"alpha": random.uniform(0.2, 1, N), "beta": random.uniform(0, 1, steps * N)} for _ in range(h or 1)]
    if knobs.get("gates") == "token":
        each = [{"w_alpha": draw(p), "b_alpha": float(draw()), "A_log": float(draw()), "w_beta": draw(p),
                 "b_beta": float(draw())} for _ in each]
    form, knobs = FORMS["gated-deltaproduct"], {"steps": steps, **knobs}
    mechanism = {"type": "attention", "core": {"type": "gated-deltaproduct", **knobs}}
    inputs = {"query": q, "key": k, "value": v}
    if h == 0:
        return document(mechanism, inputs, named(each[0])), form(q, k, v, (q, k), knobs, each[0])
    maps = {"W_Q": draw(h, p, 2), "W_K": draw(h, p, 2), "W_V": draw(h, dv, 2), "W_O": draw(2 * h, 3)}
    rows = [
        form(q @ maps["W_Q"][t], k @ maps["W_K"][t], v @ maps["W_V"][t], (q, k), knobs, each[t]) for t in range(h)
    ]
    expected = {name: np.array([row[name] for row in rows]) for name in rows[0] if name != "context"}
    expected["context"] = np.concatenate([row["context"] for row in rows], -1) @ maps["W_O"]
    mechanism["heads"] = {"type": "multi-head", "count": h}
    parameters = {"heads." + name: x for name, x in maps.items()}
    parameters.update(named({name: np.array([own[name] for own in each]) for name in each[0]}))
    return document(mechanism, inputs, parameters), expected


def test_several_steps_of_the_delta_rule_for_each_token():
    made = [products(steps, 9 + steps, h, **knobs) for steps in (1, 2, 3) for h in (0, 2) for knobs in (
        {}, TOKEN, {**TOKEN, "negative": True}, {"normalise": "none"}, {"normalise": "sum", "act": "sigmoid"},
        *({"act": act} for act in ACTS))]
    for (doc, expected), answer in zip(made, run([doc for doc, _ in made]), strict=True):
        gaps = differences(answer, expected)
        assert max(gaps.values()) <= TOLERANCE, (doc["mechanism"], gaps, answer.get("error"))


def bad(form, knobs, parameters, q=None, **more):
    draw = Draw(3)
    q = draw(N, 4) if q is None else q
    inputs = {"query": q, "key": draw(N, 4), "value": draw(N, 3)}
    return document({"type": form, **knobs}, inputs, named(parameters), **more)


REFUSED = [
    (bad("retention", {"gamma": 1.5}, {}), "/mechanism/gamma"),
    (bad("retention", {"gamma": -0.1}, {}), "/mechanism/gamma"),
    (bad("retention", {"gamma": [0.5, 0.6]}, {}), "/mechanism/gamma"),
    (bad("lightning", {"layers": 4, "layer": 4}, {}), "/mechanism/layer"),
    (bad("lightning", {"layers": 4, "layer": 5}, {}), "/mechanism/layer"),
    (bad("log-linear", {}, {"lambda": np.ones((N, 2))}), "/mechanism"),
    (bad("gla", {}, {"alpha": np.ones(N)}), "/parameters/structure.alpha"),
    (bad("moba", {"block": 0}, {}), "/mechanism/block"),
    (bad("moba", {"top": 0}, {}), "/mechanism/top"),
    (bad("nsa", {"window": -1}, {}), "/mechanism/window"),
    (bad("quest", {"page": 0}, {}), "/mechanism/page"),
    (bad("dsa", {"top": 0}, {}), "/mechanism/top"),
    (bad("deltanet", {}, {}, q=np.ones((3, 4))), ""),
]


def test_bad_input_is_an_error_at_its_field():
    answers = run([doc for doc, _ in REFUSED])
    for (doc, path), answer in zip(REFUSED, answers, strict=True):
        assert "error" in answer, doc["mechanism"]
        assert answer["error"]["path"].startswith(path), (doc["mechanism"], answer["error"])


def test_decays_of_0_and_1_and_gates_outside_have_the_right_answer():
    """The formula holds for any gate: nothing divides by a product of decays."""
    made = []
    for form, name, columns in (("gla", "alpha", 4), ("simple-gla", "alpha", 0), ("gated-deltanet", "alpha", 0)):
        for value in (0.0, 1.0, 1.5, -0.5):
            draw = Draw(4)
            q, k, v = draw(N, 4), draw(N, 4), draw(N, 3)
            p = {name: np.full((N, columns) if columns else N, value)}
            if form == "gated-deltanet":
                p["beta"] = np.full(N, 0.5)
            doc = document({"type": form}, {"query": q, "key": k, "value": v}, named(p))
            made.append((doc, FORMS[form](q, k, v, k, {}, p)))
    for (doc, expected), answer in zip(made, run([doc for doc, _ in made]), strict=True):
        assert max(differences(answer, expected).values()) <= TOLERANCE, (doc["mechanism"], answer.get("error"))
