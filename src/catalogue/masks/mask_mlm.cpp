// SPDX-License-Identifier: Apache-2.0
// Masked language model: a token is picked with probability `rate`; a picked one becomes [MASK],
// another token of the sequence, or stays. Attention itself is not masked.
// Devlin et al. 2019 (BERT), section 3.1, arXiv:1810.04805
#include "catalogue/entry.h"

namespace attend::mask_mlm_entry {
namespace {

Var change(const MaskIn& in, Var rows) {  // [n d]
  const std::size_t n = rows.extent(-2), d = rows.extent(-1);
  const Var masked = in.scalar("masked"), random = in.scalar("random");
  const auto draws = [&](const char* name) {
    return transpose(slice(in.param(name), -1, 0, n));  // [n 1]
  };
  const auto below = [](Var u, Var bound) { return greater(bound, u); };
  const Var kind = draws("u_kind");
  const Var picked = let("s", below(draws("u_pick"), in.scalar("rate")));  // [n 1]
  const Var other = floor(draws("u_token") * static_cast<double>(n));      // [n 1]
  const Var moved = matmul(squeeze(one_hot(other, n), -2), rows);          // [n d]
  const Var token = slice(in.param("x_mask"), -1, 0, d);                   // [1 d]
  const Var replaced =
      where(below(kind, masked), token, where(below(kind, masked + random), moved, rows));
  return let("\\tilde X", where(picked, replaced, rows));
}

constexpr Knob share(std::string_view name, double fallback) {
  return number_knob(name, fallback, 0, 1).at_least(0).at_most(1);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const auto changed = [&](const Array& x) {
    Array out = x;
    for (std::size_t i = 0; i < x.rows(); ++i) {
      if (in.parameter("u_pick")(i) >= in.number("rate")) continue;
      const double kind = in.parameter("u_kind")(i);
      const auto other =
          static_cast<std::size_t>(in.parameter("u_token")(i) * static_cast<double>(x.rows()));
      for (std::size_t c = 0; c < x.cols(); ++c) {
        if (kind < in.number("masked")) {
          out(i, c) = in.parameter("x_mask")(c);
        } else if (kind < in.number("masked") + in.number("random")) {
          out(i, c) = x(other, c);
        }
      }
    }
    return out;
  };
  return {{"query", changed(in["inputs.query"])}, {"key", changed(in["inputs.key"])}};
}

extern const Mechanism record{
    .id = "mask-mlm",
    .aliases = {"masked-lm"},
    .parameters = {{"u_pick", "N", Distribution::uniform},
                   {"u_kind", "N", Distribution::uniform},
                   {"u_token", "N", Distribution::uniform},
                   {"x_mask", "D"}},
    .knobs = {share("rate", 0.15), share("masked", 0.8), share("random", 0.1)},
    .laws = {.permutation = false},
    .example = R"("rate": 0.6, "masked": 0.5, "random": 0.3)",
    .behaviour = Mask{.rows = change}};
}  // namespace attend::mask_mlm_entry
