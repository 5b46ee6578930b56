// SPDX-License-Identifier: Apache-2.0
// The matrix product over the last two axes. Attributes: whether a, whether b is stored transposed.
#include "kernels/matmul.h"

#include <algorithm>
#include <optional>

#include "kernels/rounded_rows.h"
#include "ops/batch_rules.h"
#include "ops/broadcast_loop.h"
#include "ops/compose.h"
#include "ops/cost_rules.h"
#include "ops/error.h"
#include "ops/primitives.h"
#include "ops/primitives/records.h"
#include "ops/stored_numbers.h"
#include "ops/text.h"
#include "ops/weight_store.h"
#include "ops/work_parts.h"

namespace attend::matmul_primitive {
namespace {

Extents batch_of(Extents whole) { return whole.first(whole.size() - 2); }
Shape as_shape(Extents extents) { return {extents.begin(), extents.end()}; }

struct Product {
  std::size_t m, n, k;
};

Product product_of(const Shape& a, const Shape& b, const Attributes& attributes) {
  const std::size_t ra = a.size(), rb = b.size();
  const bool ta = attributes[0] != 0, tb = attributes[1] != 0;
  const std::size_t inner_b = tb ? b[rb - 1] : b[rb - 2];
  const Product e{ta ? a[ra - 1] : a[ra - 2], tb ? b[rb - 2] : b[rb - 1],
                  ta ? a[ra - 2] : a[ra - 1]};
  if (e.k != inner_b) {
    refuse("a product needs equal inner widths, but those of " + to_text(a) + " and " + to_text(b) +
           " are " + std::to_string(e.k) + " and " + std::to_string(inner_b));
  }
  return e;
}

Shape shape(const std::vector<Shape>& in, const Attributes& attributes) {
  if (in[0].size() < 2 || in[1].size() < 2) refuse("a product needs two matrices");
  const Product e = product_of(in[0], in[1], attributes);
  Shape out = broadcast_shapes(as_shape(batch_of(in[0])), as_shape(batch_of(in[1])));
  out.push_back(e.m);
  out.push_back(e.n);
  return out;
}

// Matrices of a store, as they lie: each is one product, for its bytes are read once however many rows there are.
void multiply_stored(const Forward& f, const Product& e, bool one) {
  const Shape &a = *f.in_shapes[0], &b = *f.in_shapes[1];
  const std::size_t first = *first_stored_matrix(b, f.stored), size_a = a[a.size() - 2] * a.back();
  kernels::RoundedRows rounded;
  const auto multiply = [&](std::size_t at, std::size_t of_a, std::size_t of_b) {
    const kernels::Operand left{f.in[0] + of_a * size_a, a.back(), f.node.attributes[0] != 0};
    kernels::matmul_stored(left, *f.stored.tensor->matrix(first + of_b), f.node.attributes[1] != 0,
                           f.out + at * e.m * e.n, e.n, e.m, rounded);
  };
  if (one) return multiply(0, 0, 0);
  for_each_run<2>(batch_of(f.node.shape), {batch_of(a), batch_of(b)},
                  [&](std::size_t at, const auto& offset, std::size_t run, const auto& step) {
                    for (std::size_t t = 0; t < run; ++t)
                      multiply(at + t, offset[0] + t * step[0], offset[1] + t * step[1]);
                  });
}

bool reads_stored(const Shape& second, const StoredNumbers& stored) {
  return first_stored_matrix(second, stored).has_value();
}

struct Products {
  std::size_t count;
  Product each;
};

// One right operand for all: the batch is just more rows.
Products products_of(const Node& node, const Shape& a, const Shape& b) {
  Products all{element_count(batch_of(node.shape)), product_of(a, b, node.attributes)};
  if (element_count(batch_of(b)) == 1 && node.attributes[0] == 0 &&
      element_count(batch_of(a)) == all.count) {
    all.each.m *= all.count;
    all.count = all.count == 0 ? 0 : 1;
  }
  return all;
}

// Rows in whole blocks of the kernel, which then packs no more than for all of them at once.
WorkParts parts_of(const Products& all) {
  constexpr std::size_t block = 144;
  return {all.count, all.each.m, all.each.n * all.each.k, block};
}

std::size_t parts(const Sizes& s) {
  return parts_of(products_of(s.node, *s.in[0], *s.in[1])).count();
}

void forward(const Forward& f) {
  const Shape &a = *f.in_shapes[0], &b = *f.in_shapes[1];
  const Attributes& attributes = f.node.attributes;
  const Products all = products_of(f.node, a, b);
  const Product& e = all.each;
  if (f.in[1] == nullptr) {
    if (f.part == 0) multiply_stored(f, e, all.count == 1);
    return;
  }
  const WorkPart part = parts_of(all)[f.part];
  const std::size_t rows = part.last_row - part.first_row;
  const kernels::Operand left{f.in[0] + part.first_row * (attributes[0] != 0 ? 1 : a.back()),
                              a.back(), attributes[0] != 0};
  const kernels::Operand right{f.in[1], b.back(), attributes[1] != 0};
  real* const out = f.out + part.first_row * e.n;
  if (all.count == 1) return kernels::matmul(left, right, out, e.n, rows, e.n, e.k, f.terms);
  const std::size_t size_a = a[a.size() - 2] * a.back(), size_b = b[b.size() - 2] * b.back();
  for_each_run<2>(batch_of(f.node.shape), {batch_of(a), batch_of(b)},
                  [&](std::size_t at, const auto& offset, std::size_t run, const auto& step) {
                    const std::size_t first = std::clamp(part.first_item, at, at + run) - at;
                    const std::size_t last = std::clamp(part.last_item, at, at + run) - at;
                    if (first == last) return;
                    kernels::Operand x = left, y = right;
                    x.data += (offset[0] + first * step[0]) * size_a;
                    y.data += (offset[1] + first * step[1]) * size_b;
                    kernels::matmul_batch(x, step[0] * size_a, y, step[1] * size_b,
                                          out + (at + first) * e.m * e.n, e.n, e.m * e.n,
                                          last - first, rows, e.n, e.k, f.terms);
                  });
}

// How many leading axes of the result the right operand is shared over, the left one having all of
// them: there its gradient is one product over the rows of all of them, not a sum of products.
std::size_t shared_axes(const Shape& a, const Shape& b, const Shape& out) {
  std::size_t count = 0;
  while (count + 2 < out.size()) {
    const auto lacks = [&](const Shape& x) {  // the axis, or has extent 1 there
      const std::size_t missing = out.size() - x.size();
      return count < missing || x[count - missing] == 1;
    };
    if (out[count] == 1 || !lacks(b) || lacks(a)) break;
    ++count;
  }
  return count;
}

// [shared.. rest.. m n] as [rest.. (shared m) n].
Var stacked(Var x, std::size_t shared) {
  Shape shape = x.shape();
  const std::size_t rank = shape.size();
  const auto rest = shape.begin() + static_cast<long>(shared);
  const bool alone = std::all_of(rest, shape.end() - 2, [](std::size_t n) { return n == 1; });
  if (!alone) {
    std::vector<long> axes;
    for (std::size_t k = shared; k + 2 < rank; ++k) axes.push_back(static_cast<long>(k));
    for (std::size_t k = 0; k < shared; ++k) axes.push_back(static_cast<long>(k));
    axes.push_back(static_cast<long>(rank - 2));
    axes.push_back(static_cast<long>(rank - 1));
    x = permute(x, std::move(axes));
  }
  const std::size_t rows = element_count(Shape(shape.begin(), rest)) * shape[rank - 2];
  Shape joined(rest, shape.end() - 2);
  joined.push_back(rows);
  joined.push_back(shape[rank - 1]);
  return reshape(x, joined);
}

// Heads read the same rows: a [batch.. 1 m k] or [m k], and b has one matrix for each head and is the same for all of
// the batch. Then both gradients are products over the columns of all heads side by side, g [batch.. m (heads n)], not
// a sum of one product for each head. Nothing where the operands have other shapes.
std::vector<Var> vjp_of_heads(const Backward& v) {
  const Var a = v.in[0], b = v.in[1], g = v.gradient;
  const Shape& out = v.out.shape();
  const bool tb = v.attributes[1] != 0;
  if (v.attributes[0] != 0 || out.size() < 3 || b.rank() < 3) return {};
  const std::size_t heads = b.extent(-3), batch = out.size() - 3;
  Shape rows(out.begin(), out.begin() + static_cast<long>(batch));  // of a
  const std::size_t all = element_count(rows), m = out.end()[-2], k = a.extent(-1), n = out.back();
  const bool shared = heads > 1 && (a.rank() == 2 || a.extent(-3) == 1) &&
                      element_count(b.shape()) == heads * k * n &&
                      element_count(a.shape()) == all * m * k;
  if (!shared) return {};
  std::vector<long> axes;
  for (std::size_t axis = 0; axis < batch; ++axis) axes.push_back(static_cast<long>(axis));
  const auto head = static_cast<long>(batch);
  axes.insert(axes.end(), {head + 1, head, head + 2});
  const Var beside = reshape(permute(g, axes), {all * m, heads * n});
  const Var matrices = reshape(b, tb ? Shape{heads, n, k} : Shape{heads, k, n});
  const Var joined = tb ? reshape(matrices, {heads * n, k})
                        : reshape(permute(matrices, {1, 0, 2}), {k, heads * n});
  const Var x = reshape(a, {all * m, k});
  Var to_b = tb ? matmul(beside, x, true, false) : matmul(x, beside, true, false);
  if (!tb) to_b = permute(reshape(to_b, {k, heads, n}), {1, 0, 2});
  return {reshape(matmul(beside, joined, false, !tb), a.shape()), reshape(to_b, b.shape())};
}

std::vector<Var> vjp(const Backward& v) {
  if (auto both = vjp_of_heads(v); !both.empty()) return both;
  Var a = v.in[0], g = v.gradient;
  const Var b = v.in[1];
  const bool ta = v.attributes[0] != 0, tb = v.attributes[1] != 0;
  const Var to_a = ta ? matmul(b, g, tb, true) : matmul(g, b, false, !tb);
  const std::size_t shared = ta ? 0 : shared_axes(a.shape(), b.shape(), v.out.shape());
  if (shared > 0) {
    a = stacked(a, shared);
    g = stacked(g, shared);
  }
  Var to_b = tb ? matmul(g, a, true, ta) : matmul(a, g, !ta, false);
  if (to_b.rank() < b.rank()) {
    Shape padded = to_b.shape();
    padded.insert(padded.begin(), b.rank() - to_b.rank(), 1);
    to_b = reshape(to_b, padded);
  }
  return {sum_to(to_a, v.in[0].shape()), sum_to(to_b, b.shape())};
}

Text latex(const Expression& e) {
  const auto factor = [&](std::size_t k) {
    return e.integer(k) != 0 ? raised(e.in[k], "\\top") : e.in[k].at(Text::product);
  };
  return {factor(0) + "\\, " + factor(1), Text::product};
}

Text python(const Expression& e) {
  const auto factor = [&](std::size_t k) -> std::string {
    if (e.integer(k) == 0) return e.in[k].at(k == 0 ? Text::product : Text::prefix);
    std::string text = e.in[k].at(Text::atom);
    // A vector that was made a row is made a column at once.
    if (e.in_shapes[k]->size() == 2 && text.ends_with("[None, :]"))
      return text.replace(text.size() - 9, 9, "[:, None]");
    return text + ".swapaxes(-1, -2)";
  };
  return {factor(0) + " @ " + factor(1), Text::product};
}

Text cell(const CellQuery& q) {
  const Shape &a = *q.in_shapes[0], &b = *q.in_shapes[1], &out = q.node.shape;
  const Product e = product_of(a, b, q.node.attributes);
  const std::size_t i = q.flat / e.n % e.m, j = q.flat % e.n;
  const std::size_t batch = q.flat / (e.m * e.n);
  const Extents batch_out = batch_of(out);
  const std::size_t start_a = broadcast_position(batch, batch_of(a), batch_out) * e.m * e.k;
  const std::size_t start_b = broadcast_position(batch, batch_of(b), batch_out) * e.k * e.n;
  std::vector<Text> terms;
  for (std::size_t k = 0; k < e.k; ++k) {
    const std::size_t at_a = start_a + (q.node.attributes[0] != 0 ? k * e.m + i : i * e.k + k);
    const std::size_t at_b = start_b + (q.node.attributes[1] != 0 ? j * e.k + k : k * e.n + j);
    const Text x = q.operand(0, at_a), y = q.operand(1, at_b);
    terms.push_back({x.at(Text::product) + " \\cdot " + as_factor(y), Text::product});
  }
  return joined(terms, " + ", Text::sum);  // a first factor below zero becomes the sign of its term
}

Cost cost_rule(const Sizes& s) {
  Cost cost = cost::moved(s);
  cost.multiply_adds =
      cost::cells(s.node.shape) * product_of(*s.in[0], *s.in[1], s.node.attributes).k;
  return cost;
}

}  // namespace

const Primitive record{.name = "matmul",
                       .shape = shape,
                       .forward = forward,
                       .vjp = vjp,
                       .latex = latex,
                       .python = python,
                       .cell = cell,
                       .samples = {{{{3, 4}, {4, 5}}, {{0, 0}}},
                                   {{{2, 4, 3}, {4, 5}}, {{1, 0}}},
                                   {{{2, 3, 4}, {2, 5, 4}}, {{0, 1}}},
                                   {{{4, 3}, {2, 5, 4}}, {{1, 1}}},
                                   {{{2, 3, 3, 4}, {3, 4, 2}}, {{0, 0}}},
                                   // Heads that read the same rows.
                                   {{{2, 1, 3, 4}, {5, 4, 2}}, {{0, 0}}},
                                   {{{2, 1, 3, 4}, {5, 2, 4}}, {{0, 1}}},
                                   {{{3, 4}, {2, 4, 5}}, {{0, 0}}},
                                   {{{1, 2, 3, 4}, {2, 1, 4, 5}}, {{0, 0}}},
                                   {{{1, 2, 3, 4}, {2, 4, 5}}, {{0, 0}}}},
                       .noun = "product",
                       .batch = batch::by_broadcasting,
                       .cost = cost_rule,
                       .reads_stored = reads_stored,
                       .parts = parts};

}  // namespace attend::matmul_primitive

namespace attend {

Var matmul(Var a, Var b, bool a_transposed, bool b_transposed) {
  return a.graph().record(primitives::matmul, {a, b},
                          {{a_transposed ? 1L : 0L, b_transposed ? 1L : 0L}});
}

}  // namespace attend
