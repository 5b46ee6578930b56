// SPDX-License-Identifier: Apache-2.0
// Addressing of the neural Turing machine, from the scores of step t and the weights of step t-1:
//   w^c = softmax(e),  w^g = g w^c + (1 - g) w_{t-1},
//   w~_j = s_{-1} w^g_{j+1} + s_0 w^g_j + s_{+1} w^g_{j-1} (cyclic),  w_j ~ w~_j^gamma
// Graves, Wayne, Danihelka 2014, equations 5 to 9, arXiv:1410.5401
#include "catalogue/entry.h"
#include "catalogue/parts/cells/tape.h"

namespace attend::ntm_addressing_entry {
namespace {

Var previous(const AlignmentIn& in) {
  const Var initial =
      in.given("initial") ? in.param("initial") : equal(in.key_index(), zeros(in.graph(), {1, 1}));
  return in.past().weights(broadcast_to(initial, in.scores.shape()));
}

Var build(const AlignmentIn& in) {  // scores [.. 1 n], one row at a time
  const auto of_step = [&](const char* name) {
    return in.rows_of(transpose(in.param(name)));  // [.. 1 1]
  };
  const Var g = of_step("g"), gamma = of_step("gamma");
  const Var s = in.rows_of(in.param("shift"));                  // [.. 1 3]
  const Var content = let("w^c", softmax(in.scores, in.mask));  // [.. 1 n]
  return moved_head(content, previous(in), {g, s, gamma}, in.mask);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const std::size_t n = in["scores"].cols();
  Row before(n, 0);
  before[0] = 1;
  if (in.parameters.contains("initial")) before = in.parameter("initial").data;
  return each_row(in, [&](std::size_t t, const Row& e) {
    const double g = in.parameter("g")(t);
    const Row content = soft(e, [&](std::size_t j) { return in.allowed(t, j); });
    Row w(n, 0);
    for (std::size_t j = 0; j < n; ++j) {
      const double mass = g * content[j] + (1 - g) * before[j];
      for (std::size_t k = 0; k < 3; ++k)
        w[(j + n + k - 1) % n] += mass * in.parameter("shift")(t, k);
    }
    long double total = 0;
    std::vector<long double> sharp(n, 0);
    for (std::size_t j = 0; j < n; ++j) {
      if (w[j] > 0 && in.allowed(t, j))
        sharp[j] = std::pow(static_cast<long double>(w[j]), in.parameter("gamma")(t));
      total += sharp[j];
    }
    for (std::size_t j = 0; j < n; ++j)
      before[j] = total > 0 ? static_cast<double>(sharp[j] / total) : 0;
    return before;
  });
}

extern const Mechanism record{.id = "ntm-addressing",
                              .aliases = {"ntm-location-addressing"},
                              .parameters = {{"g", "m", Distribution::one},
                                             {"shift", "m 3", Distribution::one},
                                             {"gamma", "m", Distribution::one},
                                             {"initial", "n"}},
                              .recurrent = true,
                              .laws = {.permutation = false},
                              .behaviour = Alignment{build}};
}  // namespace attend::ntm_addressing_entry
