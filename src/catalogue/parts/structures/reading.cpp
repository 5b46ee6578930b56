// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/structures/reading.h"

namespace attend {

Var Reading::energies() {
  if (table_) return table_;
  table_ = let("E", trilinear_energies(sides.key1, sides.key2, sized_.param("w")));
  return table_;
}

Tensors Reading::in_question() {
  return ask_side_by_rows(in_, sides, 2, [this] { return energies(); });
}

Tensors Reading::hand_on(const char* name, Var a, Var b) const {
  const Var c = sides.key1;
  return {{out::output, let(name, concat({c, a, c * a, c * b}, -1)), "n1 d4"}};
}

Array handed_on(const Array& c, const Array& a, const Array& b) {
  Array with_a = c, with_b = c;
  for (std::size_t i = 0; i < c.rows(); ++i) {
    for (std::size_t k = 0; k < c.cols(); ++k) {
      with_a(i, k) *= a(i, k);
      with_b(i, k) *= b(b.rows() == 1 ? 0 : i, k);
    }
  }
  return beside({c, a, with_a, with_b});
}

}  // namespace attend
