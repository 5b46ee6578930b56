// SPDX-License-Identifier: Apache-2.0
// Pairwise self-attention over the channels of an image, R(i) the footprint around place i:
//   y_i = sum_{j in R(i)} softmax_j(gamma(delta(phi(x_i), psi(x_j)))) * beta(x_j)
// Zhao, Jia, Koltun 2020, arXiv:2004.13621
#include "catalogue/entry.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend::attention_over_dims_pairwise_entry {
namespace {

// The image as rows of places [N C], and its sizes.
Dimensions sizes(Var image) {
  const bool grey = image.rank() == 2;
  Dimensions d;
  d.set("H", image.extent(0));
  d.set("W", image.extent(1));
  d.set("C", grey ? 1 : image.extent(2));
  return d;
}

// How wide delta is, for phi and psi of width a.
std::size_t relation_width(const std::string& delta, std::size_t a) {
  if (delta == "dot") return 1;
  return delta == "concat" ? 2 * a : a;
}

Scope enter(const Scope& in, Var image) {
  Dimensions d = sizes(image);
  const Scope first = in.assembler.enter(in.choice, d);
  const std::string& delta = first.text("delta");
  std::size_t a = *first.dimensions.get("a");
  const bool free =
      !first.given("W_phi") && !first.given("W_psi") && !in.choice.knobs.contains("hidden");
  if (free && first.given("W_gamma") && delta != "dot")  // then its rows say how wide phi is
    a = *first.dimensions.get("g") / relation_width(delta, 1);
  d.set("a", a);
  d.set("g", relation_width(delta, a));
  return in.assembler.enter(in.choice, d);
}

Var relation(const std::string& delta, Var phi, Var psi) {  // [N N g]
  const Var x = pair_rows(phi), y = pair_columns(psi);
  if (delta == "sum") return x + y;
  if (delta == "diff") return x - y;
  if (delta == "had") return x * y;
  if (delta == "dot") return expand(matmul(phi, psi, false, true), -1);
  const Shape whole = broadcast_shapes(x.shape(), y.shape());
  return concat({broadcast_to(x, whole), broadcast_to(y, whole)}, -1);
}

// 1 where place j lies in the footprint around place i.
Var footprint_mask(const Scope& in, std::size_t H, std::size_t W, std::size_t footprint) {
  Graph& graph = in.graph();
  if (footprint % 2 == 0) {
    refuse(in.choice.path + "/footprint",
           "footprint must be odd, so that it has a centre; found " + std::to_string(footprint));
  }
  const double reach = static_cast<double>(footprint) / 2;
  const auto near = [&](Var index) {
    const Var all = reshape(broadcast_to(index, {H, W}), {H * W, 1});
    return greater(scalar(all, reach), absolute(all - transpose(all)));
  };
  return near(iota(graph, H, 2)) * near(iota(graph, W));  // [N N]
}

Tensors build(const Scope& structure, const Tensors& inputs) {
  const Var image = inputs["image"];
  const Scope in = enter(structure, image);
  const auto [W_phi, W_psi, W_beta, W_gamma] = in.params<4>();
  const std::size_t H = image.extent(0), W = image.extent(1), N = H * W;
  const Var x = let("X", reshape(image, {N, element_count(image.shape()) / N}));  // [N C]
  const Var phi = let("\\varphi(X)", matmul(x, W_phi));
  const Var psi = let("\\psi(X)", matmul(x, W_psi));
  const Var beta = let("\\beta(X)", matmul(x, W_beta));                          // [N dv]
  const Var e = let("E", times(relation(in.text("delta"), phi, psi), W_gamma));  // [N N dv]
  const Var mask = let("M", footprint_mask(in, H, W, in.integer("footprint")));
  const Var a = let("A", softmax_by_feature(e, mask));
  const Var y = let("Y", sum(a * pair_columns(beta), -2));
  return {{out::scores, e, "m n dv"},
          {out::weights, a, "m n dv"},
          {out::mask, mask, "m n"},
          {out::result, reshape(y, {H, W, y.extent(-1)}), "H W dv"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& image = in["image"];
  const std::size_t H = image.shape[0], W = image.shape[1];
  const std::string& delta = in.text("delta");
  Array pixels = image;
  pixels.shape = {H * W, image.data.size() / (H * W)};
  const Array& W_gamma = in.parameter("W_gamma");
  const long reach = (static_cast<long>(in.number("footprint")) - 1) / 2;
  const auto at = [&](const char* name, std::size_t place) {
    return mapped(pixels.row(place), in.parameter(name));
  };
  const auto score = [&](std::size_t i, std::size_t j) {
    const Row x = at("W_phi", i), y = at("W_psi", j);
    Row z;
    for (std::size_t c = 0; c < x.size(); ++c)
      z.push_back(delta == "diff" ? x[c] - y[c] : delta == "had" ? x[c] * y[c] : x[c] + y[c]);
    if (delta == "dot") z = {inner(x, y)};
    if (delta == "concat") z = joined(x, y);
    return mapped(z, W_gamma);
  };
  Array e({H * W, H * W, W_gamma.cols()}), a(e.shape), out({H, W, W_gamma.cols()});
  for (std::size_t i = 0; i < H * W; ++i) {
    for (std::size_t j = 0; j < H * W; ++j) e.set(score(i, j), i, j);
    const auto inside = [&](std::size_t j) {
      const auto gap = [](std::size_t p, std::size_t q) {
        return std::abs(static_cast<long>(p) - static_cast<long>(q));
      };
      return gap(i / W, j / W) <= reach && gap(i % W, j % W) <= reach;
    };
    for (std::size_t f = 0; f < W_gamma.cols(); ++f) {
      const Row column = row_by(H * W, [&](std::size_t j) { return e(i, j, f); });
      const Row weights = soft(column, inside);
      for (std::size_t j = 0; j < H * W; ++j) {
        a(i, j, f) = weights[j];
        out(i / W, i % W, f) += weights[j] * at("W_beta", j)[f];
      }
    }
  }
  return {{"scores", e}, {"weights", a}, {"context", out}, {"output", out}};
}

extern const Mechanism record{
    .id = "attention-over-dims-pairwise",
    .aliases = {"pairwise-self-attention", "vector-attention"},
    .parameters = {{"W_phi", "C a"}, {"W_psi", "C a"}, {"W_beta", "C dv"}, {"W_gamma", "g dv"}},
    .symbols = {{"dv", "C"}},
    .knobs = {integer_knob("footprint", 7., 1, 9).at_least(1),
              choice_knob("delta", "sum", {"sum", "diff", "had", "dot", "concat"}),
              size_knob("hidden", "a", "C", 1, 64)},
    .roles = {{"image", "H W C | H W"}},
    .coordinates = {{"dimensionality", "multi-dimensional"}, {"type", "self-attentive"}},
    .extents = {{"H", 4}, {"W", 3}, {"C", 2}},
    .behaviour = Structure{build}};
}  // namespace attend::attention_over_dims_pairwise_entry
