# SPDX-License-Identifier: Apache-2.0
"""Mechanisms over images, each against its formula in NumPy loops (judge_parts.py), with every
number given: attend64 to 1e-9."""
import numpy as np
import pytest
from judge_cases import Judge, check
from judge_parts import align, attend, sigmoid, softmax

judge = Judge()
relu = lambda x: np.maximum(x, 0)  # noqa: E731


def convolved(x, kernel):
    """Cross-correlation, centred, zero padded: x [H W c_in], kernel [kh kw c_in c_out]."""
    H, W, _ = x.shape
    kh, kw = kernel.shape[:2]
    y = np.zeros((H, W, kernel.shape[3]))
    for i in range(H):
        for j in range(W):
            for a in range(kh):
                for b in range(kw):
                    r, s = i + a - kh // 2, j + b - kw // 2
                    if 0 <= r < H and 0 <= s < W:
                        y[i, j] += x[r, s] @ kernel[a, b]
    return y


def spread(z, kernel):
    """The way back: each place adds its kernel around itself, z [H W c_in]."""
    turned = kernel[::-1, ::-1]
    return convolved(z, turned)


def channel(c, x, prefix="structure."):
    """CBAM's weights of channels: one network for the means and for the maxima."""
    W1, W2 = c.drawn(prefix + "W1", x.shape[2], 3), c.drawn(prefix + "W2", 3, x.shape[2])
    return sigmoid(sum(relu(z @ W1) @ W2 for z in (x.mean((0, 1)), x.max((0, 1)))))


def spatial(c, x, k, prefix="structure."):
    kernel = c.drawn(prefix + "kernel", k, k, 2)
    return sigmoid(convolved(np.stack([x.mean(2), x.max(2)], axis=2), kernel[..., None])[..., 0])


@judge("se", plain={})
def se(c, _):
    x = c.given("image", 3, 4, 6)
    W1, W2 = c.drawn("structure.W1", 6, 2), c.drawn("structure.W2", 2, 6)
    s = sigmoid(relu(x.mean((0, 1)) @ W1) @ W2)
    c.want(weights=s[None], output=x * s, context=x * s)


@judge("cbam-channel", plain={})
def cbam_channel(c, _):
    x = c.given("image", 3, 4, 6)
    s = channel(c, x)
    c.want(weights=s[None], output=x * s)


@judge("cbam-spatial", plain={}, three={"k": 3}, one={"k": 1})
def cbam_spatial(c, knobs):
    x = c.given("image", 5, 4, 3)
    a = spatial(c, x, knobs.get("k", 7))
    c.want(weights=a, output=x * a[..., None])


@judge("cbam", plain={}, other={"order": "spatial-channel", "k": 3})
def cbam(c, knobs):
    x, k = c.given("image", 5, 4, 6), knobs.get("k", 7)
    if "order" in knobs:
        x = x * spatial(c, x, k, "structure.spatial.")[..., None]
        y = x * channel(c, x, "structure.channel.")
    else:
        x = x * channel(c, x, "structure.channel.")
        y = x * spatial(c, x, k, "structure.spatial.")[..., None]
    c.want(output=y)


@judge("mhca", plain={}, two={"kernels": "3-5"}, one={"kernels": "1"})
def mhca(c, knobs):
    x, total = c.given("image", 5, 6, 4), 0
    for k in knobs.get("kernels", "1-3-5").split("-"):
        inner = relu(convolved(x, c.drawn(f"structure.conv{k}", int(k), int(k), 4, 2)))
        total = total + spread(inner, c.drawn(f"structure.deconv{k}", int(k), int(k), 2, 4))
    c.want(weights=sigmoid(total), output=x * sigmoid(total))


def waves(distance, width):
    """A sinusoidal code of a distance that may be negative: pairs (sin, cos)."""
    return [(np.sin, np.cos)[i % 2](distance / 10000 ** ((i - i % 2) / width)) for i in range(width)]


@judge(
    "spatial-generalized",
    plain={},
    first={"terms": [True, False, False, False]},
    middle={"terms": [False, True, True, False]},
    last={"terms": [False, False, False, True]},
)
def four_terms(c, knobs):
    image, p = c.given("image", 3, 4, 8), lambda x, *s: c.drawn(f"structure.{x}", *s)
    x, on = image.reshape(12, 8), knobs.get("terms", [True] * 4)
    U, V, V_R, u, v = p("U", 8, 5), p("V", 8, 5), p("V_R", 8, 5), p("u", 5), p("v", 5)
    places = [(i, j) for i in range(3) for j in range(4)]
    R = np.array([[waves(k[0] - q[0], 4) + waves(k[1] - q[1], 4) for k in places] for q in places]) @ V_R  # [n n p]
    terms = [(x @ U) @ (x @ V).T, np.einsum("qp,qkp->qk", x @ U, R), np.tile(x @ V @ u, (12, 1)), R @ v]
    e = sum(term for term, is_on in zip(terms, on) if is_on)
    c.want(scores=e, weights=softmax(e), context=softmax(e) @ x)


@judge("sagan", plain={})
def sagan(c, _):
    image, p = c.given("image", 3, 4, 6), lambda x, *s: c.drawn(f"structure.{x}", *s)
    x = image.reshape(12, 6)
    e = (x @ p("W_g", 6, 2)) @ (x @ p("W_f", 6, 2)).T
    o = softmax(e) @ (x @ p("W_h", 6, 3)) @ p("W_v", 3, 6)
    c.want(scores=e, weights=softmax(e), output=image + p("gamma") * o.reshape(3, 4, 6))


@judge("attention-gate-unet", plain={})
def gate(c, _):
    x, g, p = c.given("image", 3, 4, 6), c.given("gating", 3, 4, 5), lambda x, *s: c.drawn(f"structure.{x}", *s)
    a = sigmoid(relu(x @ p("W_x", 6, 4) + g @ p("W_g", 5, 4) + p("b", 4)) @ p("psi", 4) + p("b_psi"))
    c.want(weights=a, output=x * a[..., None])


@judge("vit-patch", two={"P": 2}, plain={}, whole={"P": 8}, registers={"P": 2, "registers": 3},
       bare={"P": 2, "first": False}, both={"P": 2, "first": False, "registers": 3})
def vit(c, knobs):
    P = knobs.get("P", 4)
    image = c.given("image", 8, 12 if P < 8 else 8, 3)
    patches = np.array(
        [image[i : i + P, j : j + P].reshape(-1) for i in range(0, 8, P) for j in range(0, image.shape[1], P)]
    )
    head = 1 if knobs.get("first", True) else 0
    rows = patches @ c.drawn("structure.W_e", P * P * 3, 5)
    rows = np.vstack([c.drawn("structure.cls", 5), rows]) if head else rows
    rows = rows + c.drawn("structure.pos", len(rows), 5)
    if knobs.get("registers"):
        rows = np.vstack([rows[:head], c.drawn("structure.registers", 3, 5), rows[head:]])
    c.want(output=rows)


def glimpse(c, x, location, k, g):
    H, W = x.shape
    # halves are rounded away from zero
    centre = [int(np.floor((l + 1) / 2 * (size - 1) + 0.5)) for l, size in zip(location, (H, W))]
    scales = []
    for s in range(k):
        side, out = g * 2**s, np.zeros((g, g))
        top, left = centre[0] - side // 2, centre[1] - side // 2
        for i in range(side):
            for j in range(side):
                if 0 <= top + i < H and 0 <= left + j < W:
                    out[i // 2**s, j // 2**s] += x[top + i, left + j] / 4**s
        scales.append(out)
    return np.array(scales)


@judge("ram-glimpse", plain={}, small={"k": 2, "g": 3}, one={"k": 1, "g": 9})
def ram(c, knobs):
    x, location = c.given("image", 9, 12), [0.31, -0.77]
    c.document["parameters"]["structure.location"] = location
    c.want(output=glimpse(c, x, location, knobs.get("k", 3), knobs.get("g", 8)))


@judge("ram-glimpse", corner={"k": 3, "g": 2})
def corner(c, knobs):
    x, location = c.given("image", 7, 5), [-1, 1]
    c.document["parameters"]["structure.location"] = location
    c.want(output=glimpse(c, x, location, 3, 2))


@judge("draw-attention", plain={}, three={"N": 3})
@judge("selective-gaussian-grid", plain={}, one={"N": 2})
def draw(c, knobs):
    x, h, N = c.given("image", 6, 8), c.given("h", 1, 4), knobs.get("N", 5)
    gx, gy, s2, delta, gamma = (h @ c.drawn("structure.W", 4, 5))[0]
    H, W = x.shape
    gx, gy = (W + 1) * (gx + 1) / 2, (H + 1) * (gy + 1) / 2
    delta = (max(H, W) - 1) / (N - 1) * np.exp(delta)
    filters = []
    for centre, size in ((gx, W), (gy, H)):
        mu = centre + (np.arange(1, N + 1) - N / 2 - 0.5) * delta
        F = np.exp(-((np.arange(1, size + 1)[None] - mu[:, None]) ** 2) / (2 * np.exp(s2)))
        filters.append(F / F.sum(1, keepdims=True))
    c.want(filter_x=filters[0], filter_y=filters[1], patch=np.exp(gamma) * filters[1] @ x @ filters[0].T)


OTHERS = {"plain": {}, "other": {"score": "general", "alignment": "sparsemax"}, "aligned": {"alignment": "sigmoid"}}


@judge("captioning-soft", **OTHERS)
@judge("darqn", **OTHERS)
@judge("bottom-up-top-down", **OTHERS)
def regions(c, knobs):
    q, k, p = c.given("query", 2, 3), c.given("key", 6, 4), lambda x, *s: c.drawn(f"structure.{x}", *s)
    if "score" in knobs:
        return c.want(**attend(c, "structure.", knobs, q, k, k))
    names = {"captioning-soft": ("W1", "W2"), "darqn": ("W_h", "W"), "bottom-up-top-down": ("W_h", "W_v")}
    ask, told = names[c.document["mechanism"]["type"]]
    b = p("b", 5) if ask == "W1" else 0
    e = np.tanh((q @ p(ask, 3, 5))[:, None] + (k @ p(told, 4, 5))[None] + b) @ p("w", 5)
    a = align(knobs.get("alignment", "softmax"), e)
    return c.want(scores=e, weights=a, context=a @ k)


@judge("captioning-hard", plain={}, more={"alignment": {"type": "hard-sample", "samples": 3}})
def hard(c, knobs):
    q, k, p = c.given("query", 2, 3), c.given("key", 6, 4), lambda x, *s: c.drawn(f"structure.{x}", *s)
    e = np.tanh((q @ p("W1", 3, 5))[:, None] + (k @ p("W2", 4, 5))[None] + p("b", 5)) @ p("w", 5)
    u = np.abs(c.drawn("structure.alignment.u", knobs.get("alignment", {}).get("samples", 1), 2)) % 1
    c.document["parameters"]["structure.alignment.u"]["data"] = u.reshape(-1).tolist()
    a = np.zeros((2, 6))
    for draws in u:
        for i, point in enumerate(draws):
            a[i, np.argmax(np.cumsum(softmax(e[i])) > point)] += 1 / len(u)
    c.want(scores=e, weights=a, context=a @ k)


@judge("detr-queries", **OTHERS)
def detr(c, knobs):
    k, v, q = c.given("key", 6, 4), c.given("value", 6, 3), c.drawn("structure.q", 5, 4)
    c.want(**attend(c, "structure.", knobs, q, k, v, "scaled-dot"))


@judge("attngan-word-region", **OTHERS)
def attngan(c, knobs):
    words, places = c.given("key", 5, 6), c.given("query", 7, 4)
    rows = words @ c.drawn("structure.U", 6, 4)
    c.want(**attend(c, "structure.", knobs, places, rows, rows, "dot"))


@pytest.fixture(scope="module")
def answers():
    return judge.answers()


@pytest.mark.parametrize("case", judge.cases, ids=lambda c: c.name)
def test_an_image_mechanism_is_its_formula(case, answers):
    check(case, answers[case.name])
