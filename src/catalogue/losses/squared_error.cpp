// SPDX-License-Identifier: Apache-2.0
// Squared error, the mean over all numbers:  L = mean( (x - y)^2 )
#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend {
namespace {

void build(const ModuleIn& in) {
  const Var x = in["output"], y = in["target"];  // [m d] [m d]
  if (x.shape() != y.shape())
    refuse(in.source_of("target"),
           "expected the output's shape " + to_text(x.shape()) + ", found " + to_text(y.shape()));
  const Var gap = x - y;
  in.output(out::loss, let("L", mean(reshape(gap * gap, {element_count(x.shape())}), 0)), "");
}

Arrays reference(const ReferenceIn& in) {
  const Array &x = in["output"], &y = in["target"];
  double loss = 0;
  for (std::size_t i = 0; i < x.data.size(); ++i)
    loss += (x.data[i] - y.data[i]) * (x.data[i] - y.data[i]) / static_cast<double>(x.data.size());
  return {{"loss", Array(Shape{}, loss)}};
}

}  // namespace

namespace catalogue {
extern const Entry squared_error_entry;
const Entry squared_error_entry{
    .words =
        {.title = "Squared error",
         .formula = R"(L = \operatorname{mean}\big((x - y)^2\big))",
         .sentence =
             "How far the numbers are from the right ones; a large gap counts much more than a small one.",
         .source = {"Goodfellow, Bengio, Courville", 2016, "section 5.1.4",
                    "https://www.deeplearningbook.org"}},
    .record = {.id = "squared-error",
               .roles = {{"output", "m d"}, {"target", "m d"}},
               .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
