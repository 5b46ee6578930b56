// SPDX-License-Identifier: Apache-2.0
// Causal mask: row i sees keys j <= i
// Vaswani et al. 2017, section 3.2.3, arXiv:1706.03762
#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend {
namespace {

Var build(const MaskIn& in) { return greater(in.rows() + 1, in.columns()); }  // [m n]

Arrays reference(const ReferenceIn& in) {
  Array mask({in["query"].rows(), in["key"].rows()});
  for (std::size_t i = 0; i < mask.rows(); ++i) {
    for (std::size_t j = 0; j < mask.cols() && j <= i; ++j) mask(i, j) = 1;
  }
  return {{"mask", mask}};
}

}  // namespace

namespace catalogue {
extern const Entry mask_causal_entry;
const Entry mask_causal_entry{
    .words = {.title = "Causal",
              .formula = R"(M_{ij} = 1\ \text{iff}\ j \le i)",
              .sentence = "A token sees itself and what came before, never what comes after.",
              .source = {"Vaswani et al.", 2017, "section 3.2.3",
                         "https://arxiv.org/abs/1706.03762"}},
    .record = {.id = "mask-causal",
               .aliases = {"look-ahead"},
               .laws = {.permutation = false},
               .behaviour = Mask{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
