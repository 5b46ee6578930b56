# SPDX-License-Identifier: Apache-2.0
"""The choices of the general module that the judges try: every record with every choice and switch of it."""


def of(type_, **knobs):
    return {"type": type_, **knobs}


SCORES = [
    "dot", "scaled-dot", of("scaled-dot", scale=0.3), "dot-over-keynorm", of("dot-over-keynorm", eps=0.5), "general",
    "biased-general", "activated-general", "similarity-cosine", of("similarity-cosine", beta=3, eps=0.2),
    "similarity-l2", of("similarity-l2", squared=True, scale=0.4), of("similarity-rbf", s=0.6),
    *(of("similarity-generic", measure=one) for one in ("l1", "pearson", "angular")), "additive", "concat", "deep",
    of("deep", layers=2), of("deep", layers=4), "location-based", "key-linear", "self-additive", "self-dot",
    "convolution-based", of("convolution-based", edge="zero", l=2), "stacked-san-score", of("gat-score", slope=0.1),
    "biaffine", "co-affinity", "trilinear", of("trilinear", bias=True), "decomposable",
    of("decomposable", shared=True), "hermitian", of("hermitian", shared=True), of("hermitian", middle=True),
    of("hermitian", middle=True, shared=True), "projected-query", of("projected-query", base="trilinear"),
    of("location-aware", c=2, width=3), "lstmn-score", of("coverage-linguistic", N=0.7),
    of("coverage-subsymbolic", dim=2), "external-energy", of("concat-query-score", base="additive"),
    of("importance-as-query", base="additive"), of("importance-as-query", base="concat"),
]
ACTED = ["additive", "concat", "deep", "activated-general", "self-additive", "convolution-based", "co-affinity",
         "decomposable"]
ALIGNMENTS = [
    "softmax", of("softmax-temperature", temperature=0.4), "adaptive-temperature",
    of("adaptive-temperature", **{"lambda": 4}), "hard-argmax", of("hard-argmax", estimator="straight-through"),
    *(of("hard-sample", samples=2, estimator=one) for one in ("none", "reinforce", "reinforce-baseline")),
    of("hard-sample", estimator="straight-through"), "local-monotonic", of("local-monotonic", D=0),
    *(of("local-predictive", gaussian=g, renormalise=r) for g in (True, False) for r in (True, False)),
    "reinforced-alignment", of("reinforced-alignment", policy="scores", estimator="reinforce"), "sigmoid",
    "sparsemax", "alpha-entmax", of("alpha-entmax", alpha=1), of("alpha-entmax", alpha=3),
    of("alpha-entmax", learned=True), "structured-chain", of("structured-chain", normalise=True), "structured-tree",
    "constrained-softmax", of("constrained-softmax", fertility=0.7), of("constrained-softmax", fertility=0.1),
    "constrained-sparsemax", of("constrained-sparsemax", fertility=0.7), of("constrained-sparsemax", fertility=0.1),
    "sinkhorn-normalise", of("sinkhorn-normalise", gumbel=True), of("sinkhorn-normalise", iterations=0, temperature=2),
    *(of("gaussian-localness", mode=one) for one in ("fixed", "layer", "query")), "syntax-distance-gaussian",
    of("syntax-distance-gaussian", s=0.8), "syntax-distance-decay", of("syntax-distance-decay", ws=0),
    "ntm-addressing", "sharpen-topk-smooth", of("sharpen-topk-smooth", mode="top-k", k=3),
    of("sharpen-topk-smooth", mode="top-k", k=9), of("sharpen-topk-smooth", mode="smooth"), "uniform", "softmax-one",
    of("softmax-one", extra=0), "learned-sink", "stick-breaking", "scalable-softmax", "sigmoid-biased",
    "relu-attention", of("relu-attention", power=2, alpha=0), "cog-signed", "masked-align",
    of("masked-align", base="sparsemax"), of("soft-cap", cap=0.7, base="alpha-entmax"),
    of("soft-cap", cap=0.7, base="local-predictive"), of("soft-cap", cap=2, base="structured-chain"),
]
MASKS = [
    of("mask-bigbird", random=1, window=1, block=2), of("mask-bigbird", random=0, window=0, **{"global": 1}),
    of("mask-block", block=2), of("mask-block-local", l_q=2, l_m=1), "mask-block-local", "mask-causal",
    "mask-diagonal", "mask-directional-fw", "mask-directional-bw", "mask-disco", "mask-window",
    of("mask-window", window=0), of("mask-padding", length=0), of("mask-padding", length=3),
    *(of("mask-selection", direction=one) for one in ("none", "fw", "bw")),
    *(of(kind, l=l, part=part) for kind in ("mask-sparse-fixed", "mask-sparse-strided") for l in (1, 2, 9)
      for part in ("union", "first", "second")), of("mask-sparse-fixed", l=3, c=0), "mask-lsh",
    of("mask-lsh", buckets=2, rounds=1), "mask-routing", of("mask-routing", clusters=1),
    of("mask-routing", clusters=4), of("mask-sliding", window=2), of("mask-sink-window", sinks=1, window=0),
    of("mask-prefix", length=2), "mask-dilated", of("mask-sliding-chunk", block=2), of("mask-sortcut", t=0),
    of("mask-sortcut", iterations=0), of("mask-mlm", rate=0.8, masked=0.4, random=0.4),
    *(of("mask-multiply-zero", variant=v, renormalise=r, base=base) for v in "ab" for r in (True, False)
      for base in ("mask-causal", of("mask-block", block=2))),
    of("rule-augmented", rho=0.5), of("positional-mask-energy", values=[1, None, -2, 0.5, None, 3]),
]
FLAT = [  # any score, one head or many
    "pos-sinusoidal", of("pos-sinusoidal", base=50), "pos-learned", "pos-ut-coordinate",
    of("pos-ut-coordinate", step=0), "pos-tree", of("pos-tree", branching=3, depth=2), "pos-location-weight",
    of("pos-location-weight", start=1, length=2, keep=True), "pos-none", "pos-alibi", of("pos-alibi", slopes=0.3),
    "pos-t5-bias", of("pos-t5-bias", bidirectional=False, buckets=4, max=5), "pos-kerple",
    of("pos-kerple", kernel="power"), of("pos-sandwich", d=5), "pos-forgetting", "pos-attention",
    of("pos-attention", add=True), of("pos-attention-factorized", rank=2), of("pos-attention-factorized", add=True),
]
PRODUCTS = [  # the products of queries and keys
    "pos-rope", of("pos-rope", pairs="neighbour", fraction=0.5, start=4), "pos-cope", of("pos-cope", N=2),
    "pos-relative-shaw", of("pos-relative-shaw", k=0), of("pos-relative-shaw", k=1, value=False), "pos-relative-music",
    "pos-relative-xl", *(of("pos-disentangled", k=2, c2p=c, p2c=p, gather=g) for c in (True, False)
                         for p in (True, False) for g in ("released", "paper")),
]
HEADS = [
    *(of(kind, count=count, bias=bias) for kind in ("multi-head", "fixed-head-size", "gated-heads", "head-masking",
                                                    "multi-query", "talking-heads")
      for count, bias in ((1, False), (2, False), (3, True))),
    of("grouped-query", count=4, groups=2), of("grouped-query", count=2, groups=2, bias=True), "singular-query",
    *(of("multi-head-mixed-align", count=3, bias=bias,
         alignments=["softmax", of("local-predictive"), of("alpha-entmax", learned=True)]) for bias in (True, False)),
]
QUERIES = [
    "query-basic", of("query-learned", rows=3), *(of("query-pooled-self", pool=one) for one in ("avg", "max", "last")),
    *(of("query-specialized", pool=one) for one in ("mean", "max", "last", "none")), "query-constant", "two-queries",
    "self-attention",
]
KEYS = ["key-value-split", "neighbour-keys", of("neighbour-keys", radius=0), of("neighbour-keys", radius=9)]
ENDS = [
    *({"aggregate": one} for one in ("aggregate-gate", "gated-output", of("gated-output", per="head"))),
    *({"output": one} for one in ("selfatt-replace", "selfatt-residual", of("selfatt-residual", norm="pre"),
                                  "input-feeding", "weights-as-output")),
    *({"penalties": [of(one, **{"lambda": 0.3})]} for one in ("frobenius-penalty", "doubly-stochastic-reg")),
    *({"qk": of("qk-norm", kind=one)} for one in ("rms", "layer", "l2")), {"dimensionality": "single-dim"},
]
DISAGREEMENTS = ["disagreement-position", "disagreement-subspace", "disagreement-output"]
