// SPDX-License-Identifier: Apache-2.0
// Values mixed with those of an earlier layer:  v_j -> lambda_0 v_j + lambda_1 first_j
// Zhou et al. 2024 (ResFormer), arXiv:2410.17897
#include "catalogue/entry.h"
#include "ops/text.h"

namespace attend::value_residual_entry {
namespace {

Var build(const ValueIn& in, Var v) {    // v [.. n dv]
  const Var first = in.need("first");    // as v
  const auto [lambda] = in.params<1>();  // [1 2]
  if (first.shape() != v.shape())
    refuse(in.source_of("first"), "the values here have the shape " + to_text(v.shape()) +
                                      ", but \"first\" has " + to_text(first.shape()) +
                                      "; connect \"first\" to the output \"value\" of a module "
                                      "with the same tokens, heads and width");
  const auto share = [&, all = lambda](std::size_t k) { return slice(all, -1, k, k + 1); };
  return let("V'", share(0) * v + share(1) * first);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &v = in["inputs.value"], &first = in["first"], &lambda = in.parameter("lambda");
  Array y = v;
  for (std::size_t i = 0; i < y.data.size(); ++i)
    y.data[i] = lambda.data[0] * v.data[i] + lambda.data[1] * first.data[i];
  return {{"value", y}, {"context", product(in["weights"], y)}};
}

extern const Mechanism record{.id = "value-residual",
                              .aliases = {"resformer"},
                              .parameters = {{"lambda", "2", Distribution::half}},
                              .roles = {{"first", "n dv | G n dv"}},
                              .behaviour = Value{build}};
}  // namespace attend::value_residual_entry
