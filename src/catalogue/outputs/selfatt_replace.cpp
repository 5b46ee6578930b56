// SPDX-License-Identifier: Apache-2.0
// The context takes the token's place:  F_new = C
// Brauwers & Frasincar 2022, equation 36, arXiv:2203.14263
#include "catalogue/entry.h"
#include "catalogue/slots.h"

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

Arrays reference(const ReferenceIn& in) {
  return {{"output", weighted(in["weights"], in["value"])}};
}

}  // namespace

extern const Mechanism selfatt_replace_record;
const Mechanism selfatt_replace_record{
    .id = "selfatt-replace", .extents = {{"dv", 6}}, .behaviour = OutputModel{build}};
extern const Reference selfatt_replace_reference;
const Reference selfatt_replace_reference{reference};
}  // namespace attend::selfatt_replace_entry
