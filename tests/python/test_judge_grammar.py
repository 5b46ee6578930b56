# SPDX-License-Identifier: Apache-2.0
"""Drawn documents: scores, alignments, masks, positions, heads, queries and ends drawn from the lists of
the judges with a fixed seed, and blocks around them, each against NumPy (judge_general.py). Run by pytest."""
import json

import numpy as np
from judge import TOLERANCE, differences, document, run
from judge_general import general, judged
from judge_given import Given
from judge_lists import ALIGNMENTS, FLAT, HEADS, KEYS, MASKS, PRODUCTS, SCORES, of
from judge_scores import ACTS, named, sigmoid

RANDOM = np.random.default_rng(2026)
QUERIES = ["query-learned", "query-pooled-self", "query-specialized", "two-queries"]
ENDS = ["selfatt-replace", "selfatt-residual", of("selfatt-residual", norm="pre"), "weights-as-output"]
# What a part that goes row by row reads of other heads, or of weights and contexts that change later, no paper says.
RECURRENT = ("location-aware", "lstmn", "coverage", "adaptive-temperature", "constrained", "ntm-addressing")
ALONE = ("talking-heads", "relative-shaw", "mask-multiply-zero", "structured-tree", "sinkhorn")


def pick(choices):
    return choices[RANDOM.integers(len(choices))]


def maybe(share):
    return RANDOM.random() < share


def rows(*shape):
    return RANDOM.normal(size=shape)


def drawn():
    n = int(RANDOM.integers(1, 7))
    m, spec = int(RANDOM.integers(1, 7)) if maybe(0.5) else n, {}
    for slot, choices, share in (("score", SCORES, 0.75), ("alignment", ALIGNMENTS, 0.75), ("heads", HEADS, 0.4),
                                 ("output", ENDS, 0.2), ("aggregate", ["gated-output"], 0.15),
                                 ("qk", [of("qk-norm", kind=kind) for kind in ("rms", "l2", "layer")], 0.15),
                                 ("key", KEYS, 0.15), ("dimensionality", ["multi-dim"], 0.05)):
        if maybe(share):
            spec[slot] = pick(choices)
    if maybe(0.6):
        spec["mask"] = [pick(MASKS) for _ in range(RANDOM.integers(1, 3))]
    if maybe(0.5):
        spec["position"] = [pick(FLAT + PRODUCTS), pick(FLAT)] if maybe(0.3) else pick(FLAT + PRODUCTS)
    if "structured-tree" in json.dumps(spec):
        n = m = min(n, 4)
    if maybe(0.3):
        spec["query"] = "self-attention"
        return spec, {"x": rows(n, 4)}, n, n
    inputs = {"query": rows(m, 4), "key": rows(n, 4), "value": rows(n, 4)}
    if maybe(0.3):
        del inputs["value"]
    if maybe(0.3):
        spec["query"] = pick(QUERIES)
        if spec["query"] == "two-queries":
            inputs["query2"] = rows(m, 2)
        else:
            del inputs["query"]
            inputs["other"] = rows(3, 4)
            m = 1
        if spec["query"] != "query-specialized":
            inputs.pop("other", None)
    return spec, inputs, m, n


def fits(spec, m, n):
    """Whether the lists' numbers suit these sizes, and the parts have a meaning together."""
    text = json.dumps(spec)
    if any(word in text for word in RECURRENT) and any(word in text for word in ALONE):
        return False
    if "positional-mask-energy" in text and n != 6 or '"pos-location-weight", "start"' in text and n < 3:
        return False
    if m > n and any(word in text for word in ("music", "forgetting")):
        return False
    return not ("multi-dim" in text and ("heads" in spec or "score" in spec))


def made(count):
    documents, wanted = [], []
    while len(documents) < count:
        spec, inputs, m, n = drawn()
        if not fits(spec, m, n):
            continue
        text = json.dumps(spec)
        for word, name, shape in (("external-energy", "energy", (m, n)), ("rule-augmented", "rule", (m, n)),
                                  ("concat-query", "extra", (1, 2)), ("importance", "importance", (m, 3))):
            if word in text:
                inputs[name] = rows(*shape)
        try:
            one, expected = judged(spec, inputs, len(documents))
        except (ValueError, KeyError, TypeError, AttributeError, IndexError):
            continue  # widths that do not fit, or parts that do not go together
        documents.append(one)
        wanted.append(expected)
    return documents, wanted


def held(documents, wanted, least):
    wrong, refused = [], []
    for one, expected, answer in zip(documents, wanted, run(documents), strict=True):
        if "error" in answer:
            refused.append(answer["error"])
            continue
        off = {name: gap for name, gap in differences(answer, expected).items() if not gap <= TOLERANCE}
        if off:
            wrong.append((one["mechanism"], {name: np.shape(x) for name, x in expected.items()}, off))
    assert not wrong, "\n".join(map(str, wrong[:6]))
    assert len(documents) - len(refused) >= least, len(refused)
    return refused


def test_documents_that_nobody_chose():
    with np.errstate(all="ignore"):
        documents, wanted = made(450)
    for error in held(documents, wanted, 330):
        # What is refused is named: which part, and why it does not fit or what was expected.
        assert error["path"].startswith(("/mechanism/", "/parameters/", "/inputs/")), error
        assert any(word in error["message"] for word in ("cannot be combined", "expected", "must be", "needs", "fit",
                                                         "reads")), error


def normed(block, x, p, number, eps):
    if block["norm"] == "none":
        return x
    gamma = p(f"norm{1 if block['shared'] else number}.gamma", x.shape[1]) + block["offset"]
    if block["norm"] == "rms":
        return x / np.sqrt((x * x).mean(-1, keepdims=True) + eps) * gamma
    centred = x - x.mean(-1, keepdims=True)
    beta = p(f"norm{1 if block['shared'] else number}.beta", x.shape[1])
    return centred / np.sqrt((centred**2).mean(-1, keepdims=True) + eps) * gamma + beta


def fed(spec, x, p):
    d = x.shape[1]
    if spec["type"] == "mlp":
        return ACTS[spec["act"]](x @ p("W1", d, 3) + p("b1", 3)) @ p("W2", 3, d) + p("b2", d)
    g, u = x @ p("W_gate", d, 3) + p("b_gate", 3), x @ p("W_up", d, 3) + p("b_up", 3)
    if spec.get("variant") == "oss":
        g, u = np.minimum(g, 7), np.clip(u, -7, 7) + 1
        return g * sigmoid(1.702 * g) * u @ p("W_down", 3, d) + p("b_down", d)
    return ACTS[spec["act"]](g) * u @ p("W_down", 3, d) + p("b_down", d)


def block_of(block, x, p):
    """Output and the results of the attention."""
    found, spec = {}, {"query": "self-attention", **block["attention"]}
    eps = block.get("eps", 1e-5 if block["norm"] == "layer" else 1e-6)
    norm = lambda number, y: normed(block, y, p, number, eps)  # noqa: E731
    f = lambda y: fed(block["ffn"], y, p.below("ffn."))  # noqa: E731

    def attended(y):
        below = Given(p.random, p.store, root="structure.attention.")
        found.update(general(spec, {"x": y}, below))
        return found.get("output", found["context"])

    if block["order"] == "pre":
        a = x + attended(norm(1, x))
        return a + f(norm(2, a)), found
    if block["order"] == "post":
        a = norm(1, x + attended(x))
        return norm(2, a + f(a)), found
    if block["order"] == "sandwich":
        a = x + norm(2, attended(norm(1, x)))
        return a + norm(4, f(norm(3, a))), found
    if block["order"] == "output":
        a = x + norm(1, attended(x))
        return a + norm(2, f(a)), found
    return x + attended(norm(1, x)) + f(norm(2, x)), found


def test_blocks_that_nobody_chose():
    """Heads, positions, masks, alignments and gates of today in blocks of every order and norm."""
    heads = [one for one in HEADS if named(one)["type"] not in ("singular-query", "fixed-head-size")]
    alignments = ["softmax-one", "learned-sink", of("soft-cap", cap=2, base="learned-sink"), "stick-breaking",
                  "scalable-softmax", "sigmoid-biased", "relu-attention", "cog-signed", "softmax"]
    feeds = [of("swiglu", variant="oss"), *(of(kind, act=act) for kind in ("swiglu", "mlp") for act in ACTS)]
    documents, wanted = [], []
    for seed in range(150):
        attention = {"heads": pick(heads), "mask": [pick(MASKS[:40])]}
        if maybe(0.6):
            attention["position"] = pick(FLAT + PRODUCTS[:2])
        if maybe(0.6) and "alignments" not in attention["heads"]:
            attention["alignment"] = pick(alignments)
        if maybe(0.3):
            attention["qk"] = of("qk-norm", kind=pick(["rms", "l2", "layer"]), offset=pick([0, 1]))
        block = {"order": pick(["pre", "post", "sandwich", "output", "parallel"]), "attention": attention,
                 "norm": pick(["rms", "layer", "none"]), "ffn": pick(feeds), "shared": maybe(0.3),
                 "offset": pick([0, 1]), **({"eps": 1e-3} if maybe(0.2) else {})}
        x, store = rows(int(RANDOM.integers(3, 7)), 4), {}
        y, found = block_of(block, x, Given(np.random.default_rng(seed), store, "structure."))
        documents.append(document(of("transformer-block", **block), {"x": x}, store))
        wanted.append({"output": y, **{f"attention.{name}": found[name] for name in ("scores", "weights", "context")}})
    held(documents, wanted, 140)
