// SPDX-License-Identifier: Apache-2.0
// Window: row i sees keys with |i - j| <= w
// Luong et al. 2015, section 3.2, arXiv:1508.04025. The local attention of Parmar et al. 2018 goes by
// blocks and looks back only: mask-block-local.
#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend {
namespace {

Var build(const MaskIn& in) {
  const Var gap = absolute(in.rows() - in.columns());  // [m n]
  return greater(scalar(gap, in.number("window") + 0.5), gap);
}

Arrays reference(const ReferenceIn& in) {
  const auto w = static_cast<std::size_t>(in.number("window"));
  return each_pair(in, [&](std::size_t i, std::size_t j) { return i <= j + w && j <= i + w; });
}

}  // namespace

namespace catalogue {
extern const Entry mask_window_entry;
const Entry mask_window_entry{
    .words = {.title = "Window",
              .formula = R"(M_{ij} = 1\ \text{iff}\ |i - j| \le w)",
              .sentence = "A token sees its neighbours up to w places away on both sides.",
              .source = {"Luong, Pham, Manning", 2015, "section 3.2",
                         "https://arxiv.org/abs/1508.04025"}},
    .record = {.id = "mask-window",
               .aliases = {"band"},
               .knobs = {integer_knob("window", "Places to each side w", 2., 0, 32).at_least(0)},
               .laws = {.permutation = false},
               .behaviour = Mask{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
