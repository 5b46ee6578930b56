// SPDX-License-Identifier: Apache-2.0
// A recurrent decoder that attends: with asks "before"  c_t = att(s_{t-1}), s_t = cell([E y_{t-1} ; c_t], s_{t-1});
// with asks "after"  s_t = cell(E y_{t-1}, s_{t-1}), c_t = att(s_t);  logits = [s_t ; c_t] W_c + b_c
// Bahdanau, Cho, Bengio 2015, section 3.1, arXiv:1409.0473 (before); Luong, Pham, Manning 2015, section 3,
// arXiv:1508.04025 (after)
#include "catalogue/entry.h"
#include "catalogue/module_results.h"
#include "catalogue/parts/cells/decoder.h"
#include "catalogue/parts/cells/decoder_reference.h"
#include "catalogue/parts/structures/structure_reference.h"

namespace attend::om_decoder_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var memory = inputs["memory"];  // [n d]
  return decode(in, inputs, [&](const Scope& scope, Var) -> Look {
    return [&, memory](Var state) {
      const Tensors seen = scope.call(
          "attention",
          {.name = "attention", .family = {}, .m = "1", .n = "n", .step = {}, .quiet = true},
          {{"query", state}, {"key", memory}, {"value", memory}});
      // A missing result, and one inside the step that has to be the same for all steps, is left out.
      const auto may = [&](const char* name, bool outside) {
        const Var found = seen.find(name);
        const bool fits =
            found && (!outside || (&found.graph() == &memory.graph() && found.rank() == 2));
        return fits ? found : Var{};
      };
      return Seen{.weights = result_of(scope, "attention", seen, "weights"),
                  .context = result_of(scope, "attention", seen, "context"),
                  .query = may("query", false),
                  .scores = may("scores", false),
                  .key = may("key", true),
                  .value = may("value", true)};
    };
  });
}

}  // namespace

// With the gated recurrent unit and the additive score.
Arrays reference(const ReferenceIn& in) {
  return decoder_by_loops(in, [&](const Row& state) {
    const Array& memory = in["memory"];
    const AttentionTables seen = seen_by(additive(in, "attention", one_row(state), memory), memory);
    return SeenRow{seen.weights.data, seen.context.data};
  });
}

extern const Mechanism record{
    .id = "om-decoder",
    .parameters = decoder_parameters,
    .symbols = {{"r", "dh"}},
    .knobs = decoder_knobs,
    .roles = decoder_roles,
    .slots = {{"cell", Kind::cell, "gru"},
              {"attention", Kind::structure, "attention", false, {}, {{"score", "additive"}}}},
    .coordinates = {{"multiplicity", "singular"}},
    .example = R"("vocabulary": ["<start>", "<end>", "<unknown>", "a", "b"])",
    .around =
        R"({"inputs": {"target": {"shape": null, "data": null, "tokens": ["a", "b", "a", "<end>"]}}})",
    .extents = {{"1", 1}},
    .behaviour = Structure{build}};
}  // namespace attend::om_decoder_entry
