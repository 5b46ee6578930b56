// SPDX-License-Identifier: Apache-2.0
// Spatial attention in four terms, each with a switch: what asks and what is there, what asks and
// how far away, what is there, how far away,
//   e_qk = q (k)^T + q (R_{k-q} V_R)^T + u k^T + v (R_{k-q} V_R)^T,  q = z_q U, k = x_k V,  C = A X
// Zhu et al. 2019, arXiv:1904.05873
#include <array>

#include "catalogue/entry.h"
#include "catalogue/parts/images/grid.h"
#include "catalogue/parts/images/image_gates.h"
#include "catalogue/parts/layers/blocks.h"

namespace attend::spatial_generalized_entry {
namespace {

// Which of the four terms count.
std::array<bool, 4> switches(const Scope& in) {
  if (!in.has("terms")) return {true, true, true, true};
  const Tensor& given = in.matrix("terms");
  const std::string path = in.choice.path + "/terms";
  if (given.data.size() != 4)
    refuse(path,
           "expected four switches, one per term; found " + std::to_string(given.data.size()));
  std::array<bool, 4> on{};
  bool any = false;
  for (std::size_t i = 0; i < 4; ++i) {
    if (given.data[i] != 0 && given.data[i] != 1)
      refuse(path + "/" + std::to_string(i), "a switch is true or false, or 1 or 0");
    on.at(i) = given.data[i] == 1;
    any = any || on.at(i);
  }
  if (!any) refuse(path, "at least one switch must be true");
  return on;
}

// asks [.. p] . (wave of each gap along one axis, mapped) -> [.. N], gap [N N]
Var by_gap(Var asks, Var gap, std::size_t size, Var maps) {
  Graph& graph = gap.graph();
  const double most = static_cast<double>(size - 1);
  const Var waves = sinusoid(iota(graph, 2 * size - 1) - most, maps.extent(-2));  // [2s-1 half]
  const Var scores = matmul(asks, matmul(waves, maps), false, true);              // [.. 2s-1]
  return take(scores, gap + most);                                                // [N N]
}

Tensors build(const Scope& module, const Tensors& inputs) {
  const Grid grid = grid_of(module, inputs, "image");
  const Scope in = sized_by_image(module, grid);
  const auto on = switches(in);
  const Var x = places_of(inputs["image"], grid);  // [N C]
  // All are there whichever terms count, so that a switch takes no parameter away.
  const auto [U, V, V_R, u, v] = in.params<5>();
  const std::size_t half = (grid.channels + 1) / 2;
  const auto gaps = [](Var place) { return transpose(place) - place; };
  const Var dy = gaps(place_rows(in.graph(), grid)), dx = gaps(place_columns(in.graph(), grid));
  // The first half of the wave tells the rows, the second the columns.
  const auto far = [&](Var asks) {
    const Var rows = by_gap(asks, dy, grid.height, slice(V_R, -2, 0, half));
    return half == grid.channels
               ? rows
               : rows + by_gap(asks, dx, grid.width, slice(V_R, -2, half, grid.channels));
  };
  const Var q = let("Q", matmul(x, U)), k = let("K", matmul(x, V));
  Var e;
  Tensors terms;
  const auto add = [&](const char* name, Var term) {
    const Var named = let(name, term);
    terms.add({"term" + std::string(1, name[2]),
               broadcast_to(named, {grid.places(), grid.places()}), "m n"});
    e = e ? e + named : named;
  };
  if (on[0]) add("E_1", matmul(q, k, false, true));
  if (on[1]) add("E_2", far(q));
  if (on[2]) add("E_3", matmul(u, k, false, true));
  if (on[3]) add("E_4", far(v));
  e = let("E", broadcast_to(e, {grid.places(), grid.places()}));  // [N N]
  const Var a = let("A", softmax(e));
  const Var context = let("C", matmul(a, x));  // [N C]
  return terms + Tensors{{out::scores, e, "m n"},
                         {out::weights, a, "m n"},
                         {out::context, context, "m d"},
                         {out::output, image_from(context, grid), "H W C"}};
}

// The wave of one gap, width channels: sine and cosine in turn.
Row wave(double gap, std::size_t width) {
  Row r(width);
  for (std::size_t c = 0; c < width; ++c) {
    const double turn = gap / std::pow(10000.0, double(c - c % 2) / double(width));
    r[c] = c % 2 == 0 ? std::sin(turn) : std::cos(turn);
  }
  return r;
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array image = coloured(in["image"]);
  const std::size_t W = image.shape[1], C = image.shape[2], N = image.shape[0] * W;
  Array x({N, C}), e({N, N}), a({N, N});
  x.data = image.data;
  const auto on = [&](std::size_t term) {
    const auto found = in.knobs.find("terms");
    return found == in.knobs.end() || std::get<Tensor>(found->second).data.at(term) != 0;
  };
  for (std::size_t i = 0; i < N; ++i) {
    const Row q = mapped(x.row(i), in.parameter("U"));
    for (std::size_t j = 0; j < N; ++j) {
      const Row k = mapped(x.row(j), in.parameter("V"));
      const Row far = mapped(joined(wave(double(j / W) - double(i / W), (C + 1) / 2),
                                    wave(double(j % W) - double(i % W), C / 2)),
                             in.parameter("V_R"));
      if (on(0)) e(i, j) += inner(q, k);
      if (on(1)) e(i, j) += inner(q, far);
      if (on(2)) e(i, j) += inner(in.parameter("u").data, k);
      if (on(3)) e(i, j) += inner(in.parameter("v").data, far);
    }
    a.set(softened(e.row(i)), i);
  }
  const Array context = product(a, x);
  Array out = image;
  out.data = context.data;
  return {{"scores", e}, {"weights", a}, {"context", context}, {"output", out}};
}

extern const Mechanism record{
    .id = "spatial-generalized",
    .aliases = {"four-term-attention"},
    .parameters = {{"U", "C p"}, {"V", "C p"}, {"V_R", "C p"}, {"u", "p"}, {"v", "p"}},
    .symbols = {{"p", "C"}},
    .knobs = {matrix_knob("terms").optionally()},
    .roles = {{"image", "H W C | H W"}},
    .laws = {.permutation = false},
    .coordinates = {{"scoring", "multiplicative"},
                    {"alignment", "global"},
                    {"type", "self-attentive"}},
    .extents = {{"H", 3}, {"W", 4}, {"C", 3}},
    .behaviour = Structure{build}};
}  // namespace attend::spatial_generalized_entry
