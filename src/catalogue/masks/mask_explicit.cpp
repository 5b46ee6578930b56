// SPDX-License-Identifier: Apache-2.0
// A mask given as data: allowed [m n], or one row [1 n] for all queries
// Galassi, Lippi, Torroni 2021, section IV-C, arXiv:1902.02181
#include "catalogue/entry.h"
#include "ops/text.h"

namespace attend::mask_explicit_entry {
namespace {

Var build(const MaskIn& in) {
  const Tensor& allowed = in.matrix("allowed");  // [m n] or [1 n]
  const std::string path = in.choice.path + "/allowed";
  const bool fits = allowed.shape.size() == 2 && allowed.shape[1] == in.n &&
                    (allowed.shape[0] == in.m || allowed.shape[0] == 1);
  if (!fits) {
    const std::string one_row = in.m == 1 ? "" : " or " + to_text({1, in.n});
    refuse(path, "expected shape " + to_text({in.m, in.n}) + one_row + ", found " +
                     to_text(allowed.shape));
  }
  for (std::size_t i = 0; i < allowed.data.size(); ++i) {
    if (allowed.data[i] == 0 || allowed.data[i] == 1) continue;
    refuse(path + "/" + std::to_string(i / in.n) + "/" + std::to_string(i % in.n),
           "a mask holds only 0 and 1, found " + number_exact(allowed.data[i]));
  }
  return in.constant("allowed", allowed);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Tensor& allowed = std::get<Tensor>(in.knobs.find("allowed")->second);
  Array mask({in["query"].rows(), in["key"].rows()});
  for (std::size_t i = 0; i < mask.data.size(); ++i)
    mask.data[i] = allowed.data[i % allowed.data.size()];
  return {{"mask", mask}};
}

extern const Mechanism record{.id = "mask-explicit",
                              .knobs = {matrix_knob("allowed")},
                              .laws = {.permutation = false},
                              .example = R"("allowed": [[1, 0, 1, 1, 0]])",
                              .behaviour = Mask{build}};
}  // namespace attend::mask_explicit_entry
