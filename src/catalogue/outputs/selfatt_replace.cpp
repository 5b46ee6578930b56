// SPDX-License-Identifier: Apache-2.0
// The context takes the token's place:  F_new = C
// Brauwers & Frasincar 2022, equation 36, arXiv:2203.14263
#include "catalogue/entry.h"

namespace attend::selfatt_replace_entry {
namespace {

void build(const OutputIn& in) {  // context [m d]
  if (in.features && in.features.extent(-1) != in.context.extent(-1)) {
    refuse("the new representation must be as wide as the old: " +
           std::to_string(in.features.extent(-1)) + " expected, found " +
           std::to_string(in.context.extent(-1)));
  }
  in.output(out::output, let("F'", in.context), "m df");
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  return {{"output", product(in["weights"], in["value"])}};
}

extern const Mechanism record{
    .id = "selfatt-replace", .extents = {{"dv", 6}}, .behaviour = OutputModel{build}};
}  // namespace attend::selfatt_replace_entry
