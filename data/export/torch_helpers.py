# SPDX-License-Identifier: Apache-2.0
# Functions that exported scripts define where PyTorch has none, or none that means the same. A function may call
# those above it.


def running_product(x, back=False):
    """For each row, the product of the rows before it, or with `back` of the rows after it."""
    if back:
        return running_product(x.flip(-2)).flip(-2)
    return torch.cat([torch.ones_like(x[..., :1, :]), x[..., :-1, :]], dim=-2).cumprod(-2)


def halves(rows):
    """The powers of two below this number of rows: 1, 2, 4, ..."""
    return [1 << k for k in range((rows - 1).bit_length())]


def part(x, half, which):
    """The first or the second half of every 2 * half rows."""
    return x.reshape((*x.shape[:-2], -1, 2, half, x.shape[-1]))[..., which, :, :]


def padded(x, value):
    """x with rows of this value added at its end, up to a power of 2."""
    return torch.nn.functional.pad(x, (0, 0, 0, (1 << (x.shape[-2] - 1).bit_length()) - x.shape[-2]), value=value)


def turn(x, axes):
    """x reversed along these axes."""
    return x.flip(axes)


def decayed_pairs(x, y, decay):
    """Products of each row of x with earlier rows of y, times the decays in between, in blocks of doubling size."""
    rows = x.shape[-2]
    x, y, decay = (padded(z, value) for z, value in ((x, 0), (y, 0), (decay, 1)))
    blocks = torch.zeros_like(x[..., :1, None])
    for half in halves(rows):
        late = part(x, half, 1) * running_product(part(decay, half, 1))
        early = part(y, half, 0) * running_product(part(decay, half, 0), back=True)
        first, second = blocks[..., 0::2, :, :], blocks[..., 1::2, :, :]
        top = torch.cat([first, torch.zeros_like(first)], dim=-1)
        low = torch.cat([late @ early.swapaxes(-1, -2), second], dim=-1)
        blocks = torch.cat([top, low], dim=-2)
    return blocks[..., 0, :rows, :rows]


def decayed_sums(w, y, decay, back=False):
    """Sums of earlier rows of y (of later rows with `back`), weighted by w and by the decays in between."""
    if back:
        turned = turn(w.swapaxes(-1, -2), (-2, -1))
        return turn(decayed_sums(turned, turn(y, (-2,)), turn(decay, (-2,))), (-2,))
    rows = y.shape[-2]
    y, decay = padded(y, 0), padded(decay, 1)
    w = padded(padded(w, 0).swapaxes(-1, -2), 0).swapaxes(-1, -2)
    total = torch.zeros_like(y)
    for half in halves(rows):
        blocks = w.reshape((*w.shape[:-2], -1, 2 * half, w.shape[-1] // (2 * half), 2 * half))
        below = blocks.diagonal(dim1=-4, dim2=-2).movedim(-1, -3)[..., half:, :half]
        early = part(y, half, 0) * running_product(part(decay, half, 0), back=True)
        late = below @ early * running_product(part(decay, half, 1))
        total = total + torch.cat([torch.zeros_like(late), late], dim=-2).reshape(total.shape)
    return total[..., :rows, :]


def solve_triangle(a, b, transposed=False):
    """The solution of (1 + A) x = b, where A is the part of a below its diagonal; `transposed`: with A^T for A."""
    below = torch.tril(a, -1)
    return torch.linalg.solve_triangular(below.mT if transposed else below, b, upper=transposed, unitriangular=True)


def real(x):
    """Truth values and indices as numbers."""
    return torch.as_tensor(x).to(x_type)


def softmax(scores, mask=None, some=False):
    """Softmax over the last axis; a row without any allowed entry is all 0. `some`: each row has an allowed entry."""
    if mask is None:
        return torch.softmax(scores, dim=-1)
    allowed = mask != 0
    weights = torch.softmax(scores.masked_fill(~allowed, torch.finfo(scores.dtype).min), dim=-1)
    return weights if some else weights * allowed.any(dim=-1, keepdim=True)


def entmax(scores, r, mask=None):
    """Alpha-entmax over the last axis, alpha = 1 + r; p is the largest weight of a row."""
    kept = torch.ones_like(scores) > 0 if mask is None else mask + 0 * scores != 0
    lowest = torch.full_like(scores, torch.finfo(scores.dtype).min)
    best = torch.where(kept, scores, lowest).amax(dim=-1, keepdim=True).detach()
    gap = torch.where(kept, scores - best, torch.zeros_like(scores))
    r = r.clamp(min=1e-12)

    def weights(p):
        x = r * gap * p ** -r
        inside = kept & (x > -1)
        x = torch.where(inside, x, torch.zeros_like(x))
        return torch.where(inside, p * torch.exp(torch.log1p(x) / r), torch.zeros_like(x))

    with torch.no_grad():
        low, high = torch.full_like(best, 1 / scores.shape[-1]), torch.ones_like(best)
        for _ in range(100):
            p = (low + high) / 2
            small = weights(p).sum(dim=-1, keepdim=True) < 1
            low, high = torch.where(small, p, low), torch.where(small, high, p)
        a = weights(p)
        rise = torch.where(a > 0, a / p, torch.ones_like(a)) ** (1 - r) * (a > 0)
        slope = rise.sum(dim=-1, keepdim=True).clamp(min=1e-300)
    # One step of Newton's method more, which gives p its gradient.
    total = weights(p).sum(dim=-1, keepdim=True)
    return weights(torch.where(total > 0, p - (total - 1) / slope, p))


def take(x, index):
    """Entries of the last axis by their index."""
    return torch.gather(x, -1, index.long())


def put(x, index, size):
    """Adds up the entries of the last axis that have the same index."""
    empty = torch.zeros((*x.shape[:-1], size), dtype=x.dtype, device=x.device)
    return empty.scatter_add(-1, index.long(), x)


def listed_products(a, b, index):
    """Products of each row of a with the rows of b that its list names."""
    rows = torch.take_along_dim(b[..., None, :, :], index.long()[..., None], dim=-2)
    return (a[..., None, :] * rows).sum(-1)


def listed_sums(w, x, index):
    """Sums of the rows of x that each list names, weighted by w."""
    rows = torch.take_along_dim(x[..., None, :, :], index.long()[..., None], dim=-2)
    return (w[..., None] * rows).sum(-2)


def listed_spread(w, x, index, size):
    """Adds each row of x, weighted by w, to the rows that its list names."""
    return put(w, index, size).swapaxes(-1, -2) @ x


def unfold(x, kh, kw, stride, up, left, rows, columns):
    """The windows of images (height, width, channels), each as one row; zeros outside."""
    down = max(0, (rows - 1) * stride + kh - up - x.shape[-3])
    right = max(0, (columns - 1) * stride + kw - left - x.shape[-2])
    x = torch.nn.functional.pad(x, (0, 0, left, right, up, down))
    tall, wide = (rows - 1) * stride + 1, (columns - 1) * stride + 1
    return torch.cat([x[..., r:r + tall:stride, s:s + wide:stride, :]
                      for r in range(kh) for s in range(kw)], dim=-1)


def fold(x, kh, kw, stride, up, left, height, width):
    """Adds up windows at their positions in images (height, width, channels)."""
    rows, columns, c = x.shape[-3], x.shape[-2], x.shape[-1] // (kh * kw)
    tall, wide = (rows - 1) * stride + 1, (columns - 1) * stride + 1
    out = torch.zeros((*x.shape[:-3], max(up + height, tall + kh), max(left + width, wide + kw), c),
                      dtype=x.dtype, device=x.device)
    for r in range(kh):
        for s in range(kw):
            at = (r * kw + s) * c
            out[..., r:r + tall:stride, s:s + wide:stride, :] += x[..., at:at + c]
    return out[..., up:up + height, left:left + width, :]


def argsort_descending(x):
    """Indices from the largest to the smallest of the last axis; ties keep their order."""
    return torch.sort(x, dim=-1, descending=True, stable=True).indices.to(x.dtype)


def sinusoid(positions, width, base, stretch=None):
    """Sines (even channels) and cosines (odd) of positions, in double precision; each pair can be stretched."""
    channel = torch.arange(width, dtype=torch.float64, device=positions.device)
    angle = positions.double()[..., None] * base ** (-(channel - channel % 2) / width)
    if stretch is not None:
        angle = angle / stretch.double().repeat_interleave(2, dim=-1)[..., :width]
    return torch.where(channel % 2 == 0, torch.sin(angle), torch.cos(angle)).to(positions.dtype)


def square_root(x):
    """The square root, with a slope of 0 at 0, where torch.sqrt would make gradients NaN."""
    zero = x == 0
    return torch.where(zero, torch.zeros_like(x), torch.sqrt(torch.where(zero, torch.ones_like(x), x)))


def expect_shape(x, *shape):
    """This script is for inputs of one size: its loops, slices and reshapes depend on that size."""
    if tuple(x.shape) != shape:
        raise ValueError(f"expected an input of the shape {shape}, found {tuple(x.shape)}: "
                         "export the document again, with inputs of this size")


def larger(a, b):
    """The larger number; if both are equal, only the first gets the gradient (torch.maximum would halve it)."""
    return torch.where(b > a, b, a)


def solve_symmetric(a, b):
    """The rows x with x A = b, where A is symmetric and given by the diagonal of a and what is below it."""
    whole = torch.tril(a) + torch.tril(a, -1).mT
    return torch.linalg.solve(whole, b, left=False)
