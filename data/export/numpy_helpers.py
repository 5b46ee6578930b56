# SPDX-License-Identifier: Apache-2.0
# The same functions for NumPy, and those that only NumPy lacks.


def running_product(x, back=False):
    """For each row, the product of the rows before it, or with `back` of the rows after it."""
    if back:
        return running_product(x[..., ::-1, :])[..., ::-1, :]
    return np.cumprod(np.concatenate([np.ones_like(x[..., :1, :]), x[..., :-1, :]], axis=-2), axis=-2)


def halves(rows):
    """The powers of two below this number of rows: 1, 2, 4, ..."""
    return [1 << k for k in range((rows - 1).bit_length())]


def part(x, half, which):
    """The first or the second half of every 2 * half rows."""
    return x.reshape((*x.shape[:-2], -1, 2, half, x.shape[-1]))[..., which, :, :]


def padded(x, value):
    """x with rows of this value added at its end, up to a power of 2."""
    more = (1 << (x.shape[-2] - 1).bit_length()) - x.shape[-2]
    return np.pad(x, [(0, 0)] * (x.ndim - 2) + [(0, more), (0, 0)], constant_values=value)


def turn(x, axes):
    """x reversed along these axes."""
    return np.flip(x, axes)


def decayed_pairs(x, y, decay):
    """Products of each row of x with earlier rows of y, times the decays in between, in blocks of doubling size."""
    rows = x.shape[-2]
    x, y, decay = (padded(z, value) for z, value in ((x, 0), (y, 0), (decay, 1)))
    blocks = np.zeros_like(x[..., :1, None])
    for half in halves(rows):
        late = part(x, half, 1) * running_product(part(decay, half, 1))
        early = part(y, half, 0) * running_product(part(decay, half, 0), back=True)
        first, second = blocks[..., 0::2, :, :], blocks[..., 1::2, :, :]
        top = np.concatenate([first, np.zeros_like(first)], axis=-1)
        low = np.concatenate([late @ early.swapaxes(-1, -2), second], axis=-1)
        blocks = np.concatenate([top, low], axis=-2)
    return blocks[..., 0, :rows, :rows]


def decayed_sums(w, y, decay, back=False):
    """Sums of earlier rows of y (of later rows with `back`), weighted by w and by the decays in between."""
    if back:
        turned = turn(w.swapaxes(-1, -2), (-2, -1))
        return turn(decayed_sums(turned, turn(y, (-2,)), turn(decay, (-2,))), (-2,))
    rows = y.shape[-2]
    y, decay = padded(y, 0), padded(decay, 1)
    w = padded(padded(w, 0).swapaxes(-1, -2), 0).swapaxes(-1, -2)
    total = np.zeros_like(y)
    for half in halves(rows):
        blocks = w.reshape((*w.shape[:-2], -1, 2 * half, w.shape[-1] // (2 * half), 2 * half))
        below = np.moveaxis(np.diagonal(blocks, axis1=-4, axis2=-2), -1, -3)[..., half:, :half]
        early = part(y, half, 0) * running_product(part(decay, half, 0), back=True)
        late = below @ early * running_product(part(decay, half, 1))
        total = total + np.concatenate([np.zeros_like(late), late], axis=-2).reshape(total.shape)
    return total[..., :rows, :]


def solve_triangle(a, b, transposed=False):
    """The solution of (1 + A) x = b, where A is the part of a below its diagonal; `transposed`: with A^T for A."""
    below = np.tril(a, -1)
    return np.linalg.solve(np.eye(a.shape[-1]) + (below.swapaxes(-1, -2) if transposed else below), b)


def real(x):
    """Truth values and indices as numbers."""
    return np.asarray(x, dtype=x_type)


def softmax(scores, mask=None):
    """Softmax over the last axis; a row without any allowed entry is all 0."""
    allowed = True if mask is None else mask != 0
    scores = np.where(allowed, scores, np.finfo(x_type).min)
    terms = np.exp(scores - scores.max(axis=-1, keepdims=True)) * allowed
    total = terms.sum(axis=-1, keepdims=True)
    return terms / np.where(total > 0, total, 1)


def entmax(scores, r, mask=None):
    """Alpha-entmax over the last axis, alpha = 1 + r; p is the largest weight of a row."""
    kept = np.ones(scores.shape) > 0 if mask is None else mask + 0 * scores != 0
    best = np.where(kept, scores, np.finfo(x_type).min).max(axis=-1, keepdims=True)
    gap = np.where(kept, scores - best, 0)
    r = np.maximum(r, 1e-12)

    def weights(p):
        x = r * gap * p ** -r
        inside = kept & (x > -1)
        return np.where(inside, p * np.exp(np.log1p(np.where(inside, x, 0)) / r), 0)

    low, high = np.full(best.shape, 1 / scores.shape[-1]), np.ones(best.shape)
    for _ in range(100):
        p = (low + high) / 2
        small = weights(p).sum(axis=-1, keepdims=True) < 1
        low, high = np.where(small, p, low), np.where(small, high, p)
    return weights(p)


def take(x, index):
    """Entries of the last axis by their index."""
    return np.take_along_axis(x, index.astype(int), axis=-1)


def put(x, index, size):
    """Adds up the entries of the last axis that have the same index."""
    place = index[..., None] == np.arange(size)
    return (x[..., None] * place).sum(axis=-2)


def listed_products(a, b, index):
    """Products of each row of a with the rows of b that its list names."""
    rows = np.take_along_axis(b[..., None, :, :], index.astype(int)[..., None], axis=-2)
    return (a[..., None, :] * rows).sum(-1)


def listed_sums(w, x, index):
    """Sums of the rows of x that each list names, weighted by w."""
    rows = np.take_along_axis(x[..., None, :, :], index.astype(int)[..., None], axis=-2)
    return (w[..., None] * rows).sum(-2)


def listed_spread(w, x, index, size):
    """Adds each row of x, weighted by w, to the rows that its list names."""
    return put(w, index, size).swapaxes(-1, -2) @ x


def unfold(x, kh, kw, stride, up, left, rows, columns):
    """The windows of images (height, width, channels), each as one row; zeros outside."""
    down = max(0, (rows - 1) * stride + kh - up - x.shape[-3])
    right = max(0, (columns - 1) * stride + kw - left - x.shape[-2])
    x = np.pad(x, [(0, 0)] * (x.ndim - 3) + [(up, down), (left, right), (0, 0)])
    tall, wide = (rows - 1) * stride + 1, (columns - 1) * stride + 1
    return np.concatenate([x[..., r:r + tall:stride, s:s + wide:stride, :]
                           for r in range(kh) for s in range(kw)], axis=-1)


def fold(x, kh, kw, stride, up, left, height, width):
    """Adds up windows at their positions in images (height, width, channels)."""
    rows, columns, c = x.shape[-3], x.shape[-2], x.shape[-1] // (kh * kw)
    tall, wide = (rows - 1) * stride + 1, (columns - 1) * stride + 1
    out = np.zeros((*x.shape[:-3], max(up + height, tall + kh), max(left + width, wide + kw), c),
                   dtype=x.dtype)
    for r in range(kh):
        for s in range(kw):
            at = (r * kw + s) * c
            out[..., r:r + tall:stride, s:s + wide:stride, :] += x[..., at:at + c]
    return out[..., up:up + height, left:left + width, :]


def argsort_descending(x):
    """Indices from the largest to the smallest of the last axis; ties keep their order."""
    return real(np.argsort(-x, axis=-1, kind="stable"))


def sinusoid(positions, width, base, stretch=None):
    """Sines (even channels) and cosines (odd) of positions, in double precision; each pair can be stretched."""
    channel = np.arange(width, dtype=np.float64)
    angle = positions.astype(np.float64)[..., None] * base ** (-(channel - channel % 2) / width)
    if stretch is not None:
        angle = angle / np.repeat(stretch.astype(np.float64), 2, axis=-1)[..., :width]
    return real(np.where(channel % 2 == 0, np.sin(angle), np.cos(angle)))


def expect_shape(x, *shape):
    """This script is for inputs of one size: its loops, slices and reshapes depend on that size."""
    if x.shape != shape:
        raise ValueError(f"expected an input of the shape {shape}, found {x.shape}: "
                         "export the document again, with inputs of this size")


def sigmoid(x):
    """The logistic function; the exponential never overflows."""
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1 / (1 + small), small / (1 + small))


def solve_symmetric(a, b):
    """The rows x with x A = b, where A is symmetric and given by the diagonal of a and what is below it."""
    whole = np.tril(a) + np.tril(a, -1).swapaxes(-1, -2)
    return np.linalg.solve(whole, b.swapaxes(-1, -2)).swapaxes(-1, -2)


def erf(x):
    """The error function, cell by cell."""
    return real(np.vectorize(math.erf)(x))
