// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "export/helper.h"

// The primitives of ops/decays.h. Decays between all pairs of rows at once would take their square in memory, and a
// loop over rows would be what chunks are to replace.
namespace attend {

inline constexpr Helper decay_helpers[] = {{"running_product",
                                            R"(def running_product(x, back=False):
    """For each row, the product of the rows before it, or with `back` of the rows after it."""
    if back:
        return running_product(x.flip(-2)).flip(-2)
    return torch.cat([torch.ones_like(x[..., :1, :]), x[..., :-1, :]], dim=-2).cumprod(-2)
)",
                                            R"(def running_product(x, back=False):
    """For each row, the product of the rows before it, or with `back` of the rows after it."""
    if back:
        return running_product(x[..., ::-1, :])[..., ::-1, :]
    return np.cumprod(np.concatenate([np.ones_like(x[..., :1, :]), x[..., :-1, :]], axis=-2), axis=-2)
)"},
                                           {"halves",
                                            R"(def halves(rows):
    """The powers of two below this number of rows: 1, 2, 4, ..."""
    return [1 << k for k in range((rows - 1).bit_length())]
)",
                                            R"(def halves(rows):
    """The powers of two below this number of rows: 1, 2, 4, ..."""
    return [1 << k for k in range((rows - 1).bit_length())]
)"},
                                           {"part",
                                            R"(def part(x, half, which):
    """The first or the second half of every 2 * half rows."""
    return x.reshape((*x.shape[:-2], -1, 2, half, x.shape[-1]))[..., which, :, :]
)",
                                            R"(def part(x, half, which):
    """The first or the second half of every 2 * half rows."""
    return x.reshape((*x.shape[:-2], -1, 2, half, x.shape[-1]))[..., which, :, :]
)"},
                                           {"padded",
                                            R"(def padded(x, value):
    """x with rows of this value added at its end, up to a power of 2."""
    return torch.nn.functional.pad(x, (0, 0, 0, (1 << (x.shape[-2] - 1).bit_length()) - x.shape[-2]), value=value)
)",
                                            R"(def padded(x, value):
    """x with rows of this value added at its end, up to a power of 2."""
    more = (1 << (x.shape[-2] - 1).bit_length()) - x.shape[-2]
    return np.pad(x, [(0, 0)] * (x.ndim - 2) + [(0, more), (0, 0)], constant_values=value)
)"},
                                           {"turn",
                                            R"(def turn(x, axes):
    """x reversed along these axes."""
    return x.flip(axes)
)",
                                            R"(def turn(x, axes):
    """x reversed along these axes."""
    return np.flip(x, axes)
)"},
                                           {"decayed_pairs",
                                            R"(def decayed_pairs(x, y, decay):
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
)",
                                            R"(def decayed_pairs(x, y, decay):
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
)"},
                                           {"decayed_sums",
                                            R"(def decayed_sums(w, y, decay, back=False):
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
)",
                                            R"(def decayed_sums(w, y, decay, back=False):
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
)"},
                                           {"solve_triangle",
                                            R"(def solve_triangle(a, b, transposed=False):
    """The solution of (1 + A) x = b, where A is the part of a below its diagonal; `transposed`: with A^T for A."""
    below = torch.tril(a, -1)
    return torch.linalg.solve_triangular(below.mT if transposed else below, b, upper=transposed, unitriangular=True)
)",
                                            R"(def solve_triangle(a, b, transposed=False):
    """The solution of (1 + A) x = b, where A is the part of a below its diagonal; `transposed`: with A^T for A."""
    below = np.tril(a, -1)
    return np.linalg.solve(np.eye(a.shape[-1]) + (below.swapaxes(-1, -2) if transposed else below), b)
)"}};

}  // namespace attend
