// SPDX-License-Identifier: Apache-2.0
// Heads switched or weighed by a gate each:  head_t <- xi_t head_t
// Michel, Levy, Neubig 2019, arXiv:1905.10650; Voita et al. 2019, arXiv:1905.09418
#include "catalogue/entry.h"
#include "catalogue/parts/heads/projected_heads.h"

namespace attend::head_masking_entry {
namespace {

Var masked(const HeadsIn& in, Var heads) {  // [h m pv]
  return let("\\xi \\odot \\text{heads}", heads * reshape(in.param("xi"), {heads.extent(0), 1, 1}));
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  Array heads = heads_by_loops(in, x, x, x);
  for (std::size_t t = 0; t < heads.shape[0]; ++t) {
    for (std::size_t i = 0; i < heads.shape[1] * heads.shape[2]; ++i)
      heads.data[t * heads.shape[1] * heads.shape[2] + i] *= in.parameter("xi").data[t];
  }
  return {{"heads", heads}, {"context", merged_by_loops(in, heads)}};
}

extern const Mechanism record{
    .id = "head-masking",
    .aliases = {"head-pruning"},
    .parameters = {{"W_Q", "h dq p"},
                   {"W_K", "h dk p"},
                   {"W_V", "h dv pv"},
                   {"W_O", "h*pv dc"},
                   {"b_Q", "h p", Distribution::zero},
                   {"b_K", "h p", Distribution::zero},
                   {"b_V", "h pv", Distribution::zero},
                   {"b_O", "dc", Distribution::zero},
                   {"xi", "h", Distribution::one}},
    .symbols = {{"p", "ceil(dq/h)"}, {"pv", "p"}, {"dc", "dv"}},
    .knobs = {size_knob("count", "h", 4., 1, 16), flag_knob("bias", false)},
    .needs_query = true,
    .coordinate = "multi-head",
    .behaviour = Heads{split_heads, merge_heads, masked}};
}  // namespace attend::head_masking_entry
