// SPDX-License-Identifier: Apache-2.0
// The general attention module: query model -> position encodings -> heads -> score -> masks
// -> alignment -> context
// Brauwers & Frasincar 2022, section 2 and figure 2, arXiv:2203.14263
#include <cmath>

#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend {
namespace {

void build(const ModuleIn& in) { in.assembler.attend(in); }

// The whole default module: scaled dot products, their softmax, the weighted mean.
Arrays reference(const ReferenceIn& in) {
  const Array& k = in["key"];
  Arrays out = each_score(in, [&](const Row& q, const Row& key) {
    return inner(q, key) / std::sqrt(static_cast<double>(k.cols()));
  });
  Array weights(out["scores"].shape);
  for (std::size_t i = 0; i < weights.rows(); ++i) {
    const Row row = soft(out["scores"].row(i), [](std::size_t) { return true; });
    for (std::size_t j = 0; j < row.size(); ++j) weights(i, j) = row[j];
  }
  out["context"] = weighted(weights, in["value"]);
  out["weights"] = weights;
  return out;
}

}  // namespace

namespace catalogue {
extern const Entry attention_entry;
const Entry attention_entry{
    .words =
        {.title = "General attention module",
         .formula = R"(C = \operatorname{align}(\operatorname{score}(Q, K))\,V)",
         .sentence =
             "Scores every query against every key, turns the scores into weights, and takes the "
             "weighted sum of the values.",
         .source = {"Brauwers, Frasincar", 2022, "section 2", "https://arxiv.org/abs/2203.14263"}},
    .record = {.id = "attention",
               .aliases = {"general-attention"},
               .slots = {{"score", "Score", "General", Kind::score, "scaled-dot"},
                         {"alignment", "Alignment", "General", Kind::alignment, "softmax"},
                         {"dimensionality", "Dimensionality", "General", Kind::dimensionality,
                          "single-dim"},
                         {"aggregate", "Aggregate", "General", Kind::aggregate, ""},
                         {"core", "Core", "General", Kind::core, ""},
                         {"output", "Output", "General", Kind::output, ""},
                         {"penalties", "Penalties", "General", Kind::penalty, "", true},
                         {"key", "Keys and values", "Features", Kind::key, ""},
                         {"query", "Type", "Queries", Kind::query, "query-basic"},
                         {"heads", "Multiplicity", "Queries", Kind::heads, ""},
                         {"mask", "Masks", "Masks and positions", Kind::mask, "", true},
                         {"position", "Positions", "Masks and positions", Kind::position, "",
                          true}},
               .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
