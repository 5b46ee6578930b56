// SPDX-License-Identifier: Apache-2.0
// The general attention module: query model -> position encodings -> heads -> score -> masks
// -> alignment -> context
// Brauwers & Frasincar 2022, section 2 and figure 2, arXiv:2203.14263
#include <cmath>

#include "catalogue/entry.h"
#include "catalogue/pipeline.h"
#include "catalogue/preparation.h"

namespace attend {
namespace {

void build(const StructureIn& in) {
  Preparation prepare(in.builder, in.choice);
  const Choice& choice = *in.choice.in("query");
  const Choice* heads = in.choice.in("heads");
  const QueryIn query{
      in.builder.enter(choice, in.builder.sizes_of_inputs(*choice.mechanism)), prepare,
      heads != nullptr && std::get<Heads>(heads->mechanism->behaviour).split != nullptr};
  const Triple triple =
      within(choice, [&] { return std::get<Query>(choice.mechanism->behaviour).build(query); });
  const ModuleResult result = attend_prepared(in.builder, in.choice, triple);
  const Choice* model = in.choice.in("output");
  if (model == nullptr) return;
  within(*model, [&] {
    Dimensions d;
    if (prepare.features()) d.set("df", prepare.features().extent(-1));
    d.set("m", result.output.extent(-2));
    d.set("dv", result.output.extent(-1));
    std::get<OutputModel>(model->mechanism->behaviour)
        .build({in.builder.enter(*model, d), prepare.features(), result.weights, result.output});
  });
}

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
             "Score every query against every key, turn the scores into weights, take the weighted "
             "values.",
         .source = {"Brauwers, Frasincar", 2022, "section 2", "https://arxiv.org/abs/2203.14263"}},
    .record = {.id = "attention",
               .aliases = {"general-attention"},
               .slots = {{"score", "Score", "General", Kind::score, "scaled-dot"},
                         {"alignment", "Alignment", "General", Kind::alignment, "softmax"},
                         {"dimensionality", "Dimensionality", "General", Kind::dimensionality,
                          "single-dim"},
                         {"aggregate", "Aggregate", "General", Kind::aggregate, ""},
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
