// SPDX-License-Identifier: Apache-2.0
// What exported code needs and neither library has as the engine means it.
#include "export/helpers.h"

#include <cctype>
#include <string_view>
#include <vector>

#include "export/decay_helpers.h"
#include "export/helper.h"

namespace attend {
namespace {

constexpr Helper all_helpers[] = {{"real",
                                   R"(def real(x):
    """Truth values and indices as numbers."""
    return torch.as_tensor(x).to(x_type)
)",
                                   R"(def real(x):
    """Truth values and indices as numbers."""
    return np.asarray(x, dtype=x_type)
)"},
                                  {"softmax",
                                   R"(def softmax(scores, mask=None, some=False):
    """Softmax over the last axis; a row without any allowed entry is all 0. `some`: each row has an allowed entry."""
    if mask is None:
        return torch.softmax(scores, dim=-1)
    allowed = mask > 0
    weights = torch.softmax(scores.masked_fill(~allowed, torch.finfo(scores.dtype).min), dim=-1)
    return weights if some else weights * allowed.any(dim=-1, keepdim=True)
)",
                                   R"(def softmax(scores, mask=None):
    """Softmax over the last axis; a row without any allowed entry is all 0."""
    allowed = True if mask is None else mask > 0
    scores = np.where(allowed, scores, np.finfo(x_type).min)
    terms = np.exp(scores - scores.max(axis=-1, keepdims=True)) * allowed
    total = terms.sum(axis=-1, keepdims=True)
    return terms / np.where(total > 0, total, 1)
)"},
                                  {"entmax",
                                   R"(def entmax(scores, r, mask=None):
    """Alpha-entmax over the last axis, alpha = 1 + r; p is the largest weight of a row."""
    kept = torch.ones_like(scores) > 0 if mask is None else mask + 0 * scores > 0
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
)",
                                   R"(def entmax(scores, r, mask=None):
    """Alpha-entmax over the last axis, alpha = 1 + r; p is the largest weight of a row."""
    kept = np.ones(scores.shape) > 0 if mask is None else mask + 0 * scores > 0
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
)"},
                                  {"take",
                                   R"(def take(x, index):
    """Entries of the last axis by their index."""
    return torch.gather(x, -1, index.long())
)",
                                   R"(def take(x, index):
    """Entries of the last axis by their index."""
    return np.take_along_axis(x, index.astype(int), axis=-1)
)"},
                                  {"put",
                                   R"(def put(x, index, size):
    """Adds up the entries of the last axis that have the same index."""
    empty = torch.zeros((*x.shape[:-1], size), dtype=x.dtype, device=x.device)
    return empty.scatter_add(-1, index.long(), x)
)",
                                   R"(def put(x, index, size):
    """Adds up the entries of the last axis that have the same index."""
    place = index[..., None] == np.arange(size)
    return (x[..., None] * place).sum(axis=-2)
)"},
                                  {"listed_products",
                                   R"(def listed_products(a, b, index):
    """Products of each row of a with the rows of b that its list names."""
    rows = torch.take_along_dim(b[..., None, :, :], index.long()[..., None], dim=-2)
    return (a[..., None, :] * rows).sum(-1)
)",
                                   R"(def listed_products(a, b, index):
    """Products of each row of a with the rows of b that its list names."""
    rows = np.take_along_axis(b[..., None, :, :], index.astype(int)[..., None], axis=-2)
    return (a[..., None, :] * rows).sum(-1)
)"},
                                  {"listed_sums",
                                   R"(def listed_sums(w, x, index):
    """Sums of the rows of x that each list names, weighted by w."""
    rows = torch.take_along_dim(x[..., None, :, :], index.long()[..., None], dim=-2)
    return (w[..., None] * rows).sum(-2)
)",
                                   R"(def listed_sums(w, x, index):
    """Sums of the rows of x that each list names, weighted by w."""
    rows = np.take_along_axis(x[..., None, :, :], index.astype(int)[..., None], axis=-2)
    return (w[..., None] * rows).sum(-2)
)"},
                                  {"listed_spread",
                                   R"(def listed_spread(w, x, index, size):
    """Adds each row of x, weighted by w, to the rows that its list names."""
    return put(w, index, size).swapaxes(-1, -2) @ x
)",
                                   R"(def listed_spread(w, x, index, size):
    """Adds each row of x, weighted by w, to the rows that its list names."""
    return put(w, index, size).swapaxes(-1, -2) @ x
)"},
                                  {"unfold",
                                   R"(def unfold(x, kh, kw, stride, up, left, rows, columns):
    """The windows of images (height, width, channels), each as one row; zeros outside."""
    down = max(0, (rows - 1) * stride + kh - up - x.shape[-3])
    right = max(0, (columns - 1) * stride + kw - left - x.shape[-2])
    x = torch.nn.functional.pad(x, (0, 0, left, right, up, down))
    tall, wide = (rows - 1) * stride + 1, (columns - 1) * stride + 1
    return torch.cat([x[..., r:r + tall:stride, s:s + wide:stride, :]
                      for r in range(kh) for s in range(kw)], dim=-1)
)",
                                   R"(def unfold(x, kh, kw, stride, up, left, rows, columns):
    """The windows of images (height, width, channels), each as one row; zeros outside."""
    down = max(0, (rows - 1) * stride + kh - up - x.shape[-3])
    right = max(0, (columns - 1) * stride + kw - left - x.shape[-2])
    x = np.pad(x, [(0, 0)] * (x.ndim - 3) + [(up, down), (left, right), (0, 0)])
    tall, wide = (rows - 1) * stride + 1, (columns - 1) * stride + 1
    return np.concatenate([x[..., r:r + tall:stride, s:s + wide:stride, :]
                           for r in range(kh) for s in range(kw)], axis=-1)
)"},
                                  {"fold",
                                   R"(def fold(x, kh, kw, stride, up, left, height, width):
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
)",
                                   R"(def fold(x, kh, kw, stride, up, left, height, width):
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
)"},
                                  {"argsort_descending",
                                   R"(def argsort_descending(x):
    """Indices from the largest to the smallest of the last axis; ties keep their order."""
    return torch.sort(x, dim=-1, descending=True, stable=True).indices.to(x.dtype)
)",
                                   R"(def argsort_descending(x):
    """Indices from the largest to the smallest of the last axis; ties keep their order."""
    return real(np.argsort(-x, axis=-1, kind="stable"))
)"},
                                  {"sinusoid",
                                   R"(def sinusoid(positions, width, base, stretch=None):
    """Sines (even channels) and cosines (odd) of positions, in double precision; each pair can be stretched."""
    channel = torch.arange(width, dtype=torch.float64, device=positions.device)
    angle = positions.double()[..., None] * base ** (-(channel - channel % 2) / width)
    if stretch is not None:
        angle = angle / stretch.double().repeat_interleave(2, dim=-1)[..., :width]
    return torch.where(channel % 2 == 0, torch.sin(angle), torch.cos(angle)).to(positions.dtype)
)",
                                   R"(def sinusoid(positions, width, base, stretch=None):
    """Sines (even channels) and cosines (odd) of positions, in double precision; each pair can be stretched."""
    channel = np.arange(width, dtype=np.float64)
    angle = positions.astype(np.float64)[..., None] * base ** (-(channel - channel % 2) / width)
    if stretch is not None:
        angle = angle / np.repeat(stretch.astype(np.float64), 2, axis=-1)[..., :width]
    return real(np.where(channel % 2 == 0, np.sin(angle), np.cos(angle)))
)"},
                                  {"square_root",
                                   R"(def square_root(x):
    """The square root, with a slope of 0 at 0, where torch.sqrt would make gradients NaN."""
    zero = x == 0
    return torch.where(zero, torch.zeros_like(x), torch.sqrt(torch.where(zero, torch.ones_like(x), x)))
)",
                                   ""},
                                  {"expect_shape",
                                   R"(def expect_shape(x, *shape):
    """This script is for inputs of one size: its loops, slices and reshapes depend on that size."""
    if tuple(x.shape) != shape:
        raise ValueError(f"expected an input of the shape {shape}, found {tuple(x.shape)}: "
                         "export the document again, with inputs of this size")
)",
                                   R"(def expect_shape(x, *shape):
    """This script is for inputs of one size: its loops, slices and reshapes depend on that size."""
    if x.shape != shape:
        raise ValueError(f"expected an input of the shape {shape}, found {x.shape}: "
                         "export the document again, with inputs of this size")
)"},
                                  {"larger",
                                   R"(def larger(a, b):
    """The larger number; if both are equal, only the first gets the gradient (torch.maximum would halve it)."""
    return torch.where(b > a, b, a)
)",
                                   ""},
                                  {"sigmoid", "",
                                   R"(def sigmoid(x):
    """The logistic function; the exponential never overflows."""
    small = np.exp(-np.abs(x))
    return np.where(x >= 0, 1 / (1 + small), small / (1 + small))
)"},
                                  {"solve_symmetric",
                                   R"(def solve_symmetric(a, b):
    """The rows x with x A = b, where A is symmetric and given by the diagonal of a and what is below it."""
    whole = torch.tril(a) + torch.tril(a, -1).mT
    return torch.linalg.solve(whole, b, left=False)
)",
                                   R"(def solve_symmetric(a, b):
    """The rows x with x A = b, where A is symmetric and given by the diagonal of a and what is below it."""
    whole = np.tril(a) + np.tril(a, -1).swapaxes(-1, -2)
    return np.linalg.solve(whole, b.swapaxes(-1, -2)).swapaxes(-1, -2)
)"},
                                  {"erf", "",
                                   R"(def erf(x):
    """The error function, cell by cell."""
    return real(np.vectorize(math.erf)(x))
)"}};

// Whether `body` calls a function of just this name, not `module.name`.
bool calls(const std::string& body, const std::string& name) {
  const std::string call = name + "(";
  for (std::size_t at = body.find(call); at != std::string::npos; at = body.find(call, at + 1)) {
    const char before = at == 0 ? ' ' : body[at - 1];
    if (std::isalnum(static_cast<unsigned char>(before)) == 0 && before != '_' && before != '.') {
      return true;
    }
  }
  return false;
}

// A helper may call those before it.
std::vector<const Helper*> in_order() {
  std::vector<const Helper*> all;
  for (const Helper& helper : decay_helpers) all.push_back(&helper);
  for (const Helper& helper : all_helpers) all.push_back(&helper);
  return all;
}

}  // namespace

std::vector<const char*> helper_names() {
  std::vector<const char*> names;
  for (const Helper* helper : in_order()) names.push_back(helper->name);
  return names;
}

std::string helpers_for(const std::string& body, bool torch) {
  std::string text, all = body;
  const std::vector<const Helper*> helpers = in_order();
  for (std::size_t k = helpers.size(); k-- > 0;) {
    const std::string code = torch ? helpers[k]->torch : helpers[k]->numpy;
    if (code.empty() || !calls(all, helpers[k]->name)) continue;
    text.insert(0, code + "\n\n");
    all += code.substr(code.find('\n'));  // without its own name in the first line
  }
  return text;
}

}  // namespace attend
