// SPDX-License-Identifier: Apache-2.0
// Features as they are: F = X
#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend {
namespace {

void build(const ModuleIn& in) {
  const Var x = in["x"];  // [n d]
  in.label("n", x);
  in.output(out::output, let("F", x), "n d");
}

Arrays reference(const ReferenceIn& in) { return {{"output", in["x"]}}; }

}  // namespace

namespace catalogue {
extern const Entry fm_identity_entry;
const Entry fm_identity_entry{
    .words = {.title = "Features as given",
              .formula = R"(F = X)",
              .sentence = "Hands the rows on as they are.",
              .source = {"Brauwers, Frasincar", 2022, "section 2.1",
                         "https://arxiv.org/abs/2203.14263"}},
    .record = {.id = "fm-identity", .roles = {{"x", "n d"}}, .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
