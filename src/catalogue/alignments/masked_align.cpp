// SPDX-License-Identifier: Apache-2.0
// Alignment under a mask:  a_i = align(e_i + B_i),  B_ij = 0 where i may attend to j, else
// -infinity Vaswani et al. 2017, section 3.2.3, arXiv:1706.03762
#include "catalogue/entry.h"

namespace attend::masked_align_entry {
namespace {

// Every alignment keeps to the mask itself: it sees the allowed keys only, which is what -infinity
// says, and a row without any is zero.
Var build(const AlignmentIn& in) { return in.base(); }  // [m n]

}  // namespace

// The base softmax, of what B leaves over.
Arrays reference(const ReferenceIn& in) {
  return each_row(in, [&](std::size_t i, const Row& e) {
    Row left;
    for (std::size_t j = 0; j < e.size(); ++j) {
      if (in.allowed(i, j)) left.push_back(e[j]);
    }
    const Row a = softened(left);
    Row weights(e.size(), 0);
    for (std::size_t j = 0, next = 0; j < e.size(); ++j) {
      if (in.allowed(i, j)) weights[j] = a[next++];
    }
    return weights;
  });
}

extern const Mechanism record{
    .id = "masked-align",
    .slots = {{.name = "base", .kind = Kind::alignment, .fallback = "softmax"}},
    .around = R"({"mechanism": {"mask": ["mask-causal"]}})",
    .behaviour = Alignment{build}};
}  // namespace attend::masked_align_entry
