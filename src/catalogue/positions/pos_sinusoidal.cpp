// SPDX-License-Identifier: Apache-2.0
// Sinusoidal encoding, added to queries and keys:
//   PE(p, 2i) = sin(p / base^(2i/d)),  PE(p, 2i+1) = cos(same)
// Vaswani et al. 2017, section 3.5, arXiv:1706.03762
#include <cmath>

#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend {
namespace {

Var encode(const PositionIn& in, Var rows) {                                  // rows [n d]
  const Var positions = iota(in.graph(), rows.extent(-2));                    // [n]
  return let("PE", sinusoid(positions, rows.extent(-1), in.number("base")));  // [n d]
}

Arrays reference(const ReferenceIn& in) {
  Array table(in["key"].shape);
  for (std::size_t p = 0; p < table.rows(); ++p) {
    double period = 1;  // grows by base^(2/d) a pair of channels
    for (std::size_t c = 0; c < table.cols(); ++c) {
      const double angle = static_cast<double>(p) / period;
      table(p, c) = c % 2 == 0 ? std::sin(angle) : std::cos(angle);
      if (c % 2 == 1)
        period *= std::pow(in.number("base"), 2.0 / static_cast<double>(table.cols()));
    }
  }
  return {{"position", table}};
}

}  // namespace

namespace catalogue {
extern const Entry pos_sinusoidal_entry;
const Entry pos_sinusoidal_entry{
    .words =
        {.title = "Sinusoidal",
         .formula =
             R"(PE_{p,2i} = \sin\!\left(\tfrac{p}{b^{2i/d}}\right),\quad PE_{p,2i+1} = \cos\!\left(\tfrac{p}{b^{2i/d}}\right))",
         .sentence = "Adds waves of many lengths to the rows, so that order can be read off.",
         .source = {"Vaswani et al.", 2017, "section 3.5", "https://arxiv.org/abs/1706.03762"}},
    .record = {.id = "pos-sinusoidal",
               .knobs = {number_knob("base", "Base b", 10000., 2, 100000).above(0).log_scale()},
               .laws = {.permutation = false},
               .behaviour = Position{.encode = encode}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
