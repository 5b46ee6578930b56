// SPDX-License-Identifier: Apache-2.0
// A learned function of the distance as a share of how far back the query can look:
//   e_ij + f(psi(|i - j|) / (psi(max(i, L)) + 1e-6)),  psi(x) = ln(|c x| + 1),  f(u) = relu(u W1 + b1) W2 + b2
// Li et al. 2023 (FIRE), arXiv:2310.04418
#include "catalogue/entry.h"
#include "catalogue/parts/heads/head_tables.h"

namespace attend::pos_fire_entry {
namespace {

constexpr double eps = 1e-6;

Var score(const PositionIn& in, Var scores) {  // scores [.. m n]
  const auto [c, L, W1, b1] =
      std::array{in.param("c"), in.param("L"), in.param("W1"), in.param("b1")};
  const bool heads = in.inputs.k.rank() > 2;
  const Var W2 = heads && !in.given("W2") ? in.param("W2", "a h")
                 : heads                  ? in.param("W2")
                                          : in.param("W2", "a 1");
  const Var b2 = heads && !in.given("b2") ? in.param("b2", "h")
                 : heads                  ? in.param("b2")
                                          : in.param("b2", "1");
  const Var i = in.row_index(), distance = absolute(i - in.key_index());  // [m 1] [m n]
  const auto psi = [&](Var x) { return log(absolute(c * x) + 1); };
  const Var u = let("u", psi(distance) / (psi(maximum(i, L)) + eps));  // [m n]
  // The same without the units of all pairs.
  const auto list = [](Var x) { return reshape(x, {element_count(x.shape())}); };
  Var shorter;
  if (in.rows == nullptr && b2.extent(-1) == W2.extent(-1))
    shorter = hinges(u, W1, list(b1), W2, list(b2));
  const Var hidden = relu(expand(u, -1) * W1 + b1);  // [m n a]
  Var f = times(hidden, W2) + b2;                    // [m n h] or [m n 1]
  if (shorter) f = stated(f, shorter_intent(), {shorter, u, W1, b1, W2, b2});
  if (f.extent(-1) == 1) return scores + let("f(u)", squeeze(f, -1));
  return scores + in.for_heads(let("f(u)", permute(f, {2, 0, 1})));  // [h m n]
}

}  // namespace

// Unit by unit of the small network.
Arrays reference(const ReferenceIn& in) {
  const Array &W1 = in.parameter("W1"), &W2 = in.parameter("W2");
  const double c = in.parameter("c")(), L = in.parameter("L")();
  return scores_plus(in, [&](std::size_t i, std::size_t j) {
    const double back = std::abs(static_cast<double>(i) - static_cast<double>(j));
    const double u = std::log1p(std::abs(c * back)) /
                     (std::log1p(std::abs(c * std::max<double>(L, static_cast<double>(i)))) + eps);
    return in.parameter("b2").data[0] + sum_over(W1.cols(), [&](std::size_t a) {
             return std::max(0., u * W1(a) + in.parameter("b1")(a)) * W2.data[a];
           });
  });
}

extern const Mechanism record{
    .id = "pos-fire",
    .parameters = {{.name = "c", .shape = "", .distribution = Distribution::stated, .start = "0.1"},
                   {.name = "L",
                    .shape = "",
                    .distribution = Distribution::stated,
                    .start = "512",
                    .values = {.low = 0, .open = true}},
                   {"W1", "1 a"},
                   {"b1", "a", Distribution::zero},
                   {"W2", "a 1 | a h"},
                   {"b2", "1 | h", Distribution::zero}},
    .symbols = {{"a", "32"}},
    .laws = {.permutation = false},
    .behaviour = Position{.score = score}};
}  // namespace attend::pos_fire_entry
