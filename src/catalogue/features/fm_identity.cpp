// SPDX-License-Identifier: Apache-2.0
// Features as they are: F = X
#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend::fm_identity_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n d]
  in.label("n", x);
  return {{out::output, let("F", x), "n d"}};
}

Arrays reference(const ReferenceIn& in) { return {{"output", in["x"]}}; }

}  // namespace

extern const Mechanism fm_identity_record;
const Mechanism fm_identity_record{
    .id = "fm-identity", .roles = {{"x", "n d"}}, .behaviour = Structure{build}};
extern const Reference fm_identity_reference;
const Reference fm_identity_reference{reference};
}  // namespace attend::fm_identity_entry
