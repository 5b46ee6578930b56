// SPDX-License-Identifier: Apache-2.0
// Features as they are: F = X
#include "catalogue/entry.h"

namespace attend::fm_identity_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n d]
  in.label("n", x);
  return {{out::output, let("F", x), "n d"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) { return {{"output", in["x"]}}; }

extern const Mechanism record{
    .id = "fm-identity", .roles = {{"x", "n d"}}, .behaviour = Structure{build}};
}  // namespace attend::fm_identity_entry
