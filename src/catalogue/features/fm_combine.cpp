// SPDX-License-Identifier: Apache-2.0
// Features of the same rows as one, number by number:  F = X_1 + X_2 + ..  or  X_1 * X_2 * ..  or the largest; then,
// if wanted, a learned row for each position, F + P, sinusoids of the position, F + PE, and the layer norm of every
// row.
// The sum with learned rows and norm is BERT's input: Devlin et al. 2019, section 3.2, arXiv:1810.04805;
// sinusoids added once, before the first layer: Vaswani et al. 2017, section 3.5, arXiv:1706.03762
#include <array>
#include <string>

#include "catalogue/entry.h"
#include "ops/primitives/records.h"

namespace attend::fm_combine_entry {
namespace {

constexpr std::array<std::string_view, 4> ports{"x1", "x2", "x3", "x4"};

// The rows of the table P [N d] for the positions that there are.
Var first_rows(Var P, std::size_t count) {
  if (count > P.extent(-2)) {
    refuse("the table P has " + std::to_string(P.extent(-2)) +
           " rows, one for each position; found " + std::to_string(count) + " rows to add it to");
  }
  return slice(P, -2, 0, count);
}

// Sinusoids of n positions [n d]: the sine and the cosine of a wave are neighbours, or all sines come first.
Var waves(const Scope& in, std::size_t n, std::size_t d) {
  const auto width = static_cast<long>(d);
  Var waves =
      apply(primitives::sinusoid, {iota(in.graph(), n), in.scalar("base")}, {{width}});  // [n d]
  if (in.text("waves") == "neighbours") return waves;
  // The last wave of an odd width has no cosine: a zero keeps its place, and is cut off at the end.
  if (d % 2 == 1) waves = concat({waves, zeros(in.graph(), {n, 1})}, -1);
  const std::size_t pairs = (d + 1) / 2;
  const Var halves = permute(reshape(waves, {n, pairs, 2}), {0, 2, 1});  // [n 2 pairs]
  return slice(reshape(halves, {n, 2 * pairs}), -1, 0, d);
}

Tensors build(const Scope& in, const Tensors& inputs) {
  const std::string& by = in.text("by");
  const auto both = [&](Var a, Var b) {
    return by == "sum" ? a + b : by == "product" ? a * b : maximum(a, b);
  };
  Var f;  // [n d]
  for (const std::string_view port : ports) {
    const Var x = inputs.find(port);
    if (x && f) f = both(f, x);
    if (x && !f) f = x;
  }
  if (const Var P = in.param_if("P", "position")) f = f + first_rows(P, f.extent(-2));  // [n d]
  if (in.text("waves") != "none")
    f = f + let("PE", waves(in, f.extent(-2), f.extent(-1)));                   // [n d]
  if (in.flag("norm")) f = layer_norm(f, in.param("gamma"), in.param("beta"));  // [n d]
  in.label("n", inputs["x1"]);
  return {{out::output, let("F", f), "n d"}};
}

// Number c of the sinusoids of a position.
double wave(const ReferenceIn& in, std::size_t position, std::size_t c, std::size_t d) {
  const bool halves = in.text("waves") == "halves";
  const std::size_t pairs = (d + 1) / 2, pair = halves ? c % pairs : c / 2;
  const double angle =
      static_cast<double>(position) /
      std::pow(in.number("base"), 2 * static_cast<double>(pair) / static_cast<double>(d));
  return (halves ? c < pairs : c % 2 == 0) ? std::sin(angle) : std::cos(angle);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  Array f = in["x1"];
  for (std::size_t p = 1; p < ports.size(); ++p) {
    for (std::size_t i = 0; in.has(ports[p]) && i < f.data.size(); ++i) {
      const double x = in[ports[p]].data[i], y = f.data[i];
      f.data[i] = in.text("by") == "sum"       ? x + y
                  : in.text("by") == "product" ? x * y
                                               : std::max(x, y);
    }
  }
  if (in.flag("position")) f = plus(f, rows_from_to(in.parameter("P"), 0, f.rows()));
  if (in.text("waves") != "none")
    f = plus(f, table_by(f.rows(), f.cols(),
                         [&](std::size_t i, std::size_t c) { return wave(in, i, c, f.cols()); }));
  return {{"output", in.flag("norm") ? normed(f, in.parameter("gamma"), in.parameter("beta")) : f}};
}

extern const Mechanism record{
    .id = "fm-combine",
    .parameters = {{"P", "N d", Distribution::unit},
                   {"gamma", "d", Distribution::one},
                   {"beta", "d", Distribution::zero}},
    .knobs = {choice_knob("by", "sum", {"sum", "product", "max"}), flag_knob("position", false),
              size_knob("N", "N", 64., 8, 512),
              choice_knob("waves", "none", {"none", "neighbours", "halves"}),
              number_knob("base", 10000., 2, 100000).above(0).log_scale(),
              flag_knob("norm", false)},
    .roles = {{"x1", "n d"}, {"x2", "n d", false}, {"x3", "n d", false}, {"x4", "n d", false}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::fm_combine_entry
