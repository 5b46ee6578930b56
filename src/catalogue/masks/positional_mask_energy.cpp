// SPDX-License-Identifier: Apache-2.0
// A fixed value on known positions:  e_ij <- e_ij + M_ij, M finite or minus infinity (null)
// Galassi, Lippi, Torroni 2021, section IV-C, arXiv:1902.02181
#include "catalogue/entry.h"

namespace attend::positional_mask_energy_entry {
namespace {

// The values with minus infinity as 0, or the pairs where they are finite.
Var table(const MaskIn& in, bool finite) {  // [m n] or [1 n]
  Tensor values = in.matrix("values");
  if (values.shape.size() == 1) values.shape.insert(values.shape.begin(), 1);
  const bool fits = values.shape.size() == 2 && values.shape[1] == in.n &&
                    (values.shape[0] == in.m || values.shape[0] == 1);
  if (!fits) {
    refuse(in.choice.path + "/values", "expected shape " + to_text({in.m, in.n}) + " or " +
                                           to_text({in.n}) + ", found " +
                                           to_text(in.matrix("values").shape));
  }
  for (double& value : values.data) {
    const bool is_finite = std::isfinite(value);
    value = finite ? static_cast<double>(is_finite) : is_finite ? value : 0;
  }
  return in.constant((finite ? "finite" : "values"), values);
}

Var build(const MaskIn& in) { return table(in, true); }

Var energy(const MaskIn& in, Var e) { return e + in.rows_of(table(in, false), e); }

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array values(std::get<Tensor>(in.knobs.find("values")->second));
  const auto value = [&](std::size_t i, std::size_t j) {
    return values(values.rows() == 1 ? 0 : i, j);
  };
  Arrays out = each_row(in, [&](std::size_t i, Row e) {
    for (std::size_t j = 0; j < e.size(); ++j) e[j] += std::isfinite(value(i, j)) ? value(i, j) : 0;
    return soft(e, [&](std::size_t j) { return std::isfinite(value(i, j)); });
  });
  out.merge(
      each_pair(in, [&](std::size_t i, std::size_t j) { return std::isfinite(value(i, j)); }));
  return out;
}

extern const Mechanism record{.id = "positional-mask-energy",
                              .knobs = {matrix_knob("values").with_null()},
                              .beside = {{"score", "dot"}},
                              .laws = {.permutation = false},
                              .example = R"("values": [[0.5, -1, null, 0, 2]])",
                              .behaviour = Mask{.build = build, .energy = energy}};
}  // namespace attend::positional_mask_energy_entry
