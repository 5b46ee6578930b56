// SPDX-License-Identifier: Apache-2.0
// Attentional vector, which Luong's decoder feeds back as part of its next input:
//   s~_t = tanh([c_t; s_t] W_c)
// Luong, Pham, Manning 2015, equation 5 and section 3.3, arXiv:1508.04025
#include "catalogue/entry.h"

namespace attend::input_feeding_entry {
namespace {

void build(const OutputIn& in) {  // context [m dv], query [m df]
  if (!in.features) refuse("it joins the context with the query, but this module has none");
  const Var joined = let("[c; q]", concat({in.context, in.features}, -1));  // [m dv+df]
  in.output(out::output, let("\\tilde{s}", tanh(matmul(joined, in.param("W_c")))), "m do:feature");
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &c = in["context"], &q = in["inputs.query"], &W = in.parameter("W_c");
  Array output({c.rows(), W.cols()});
  for (std::size_t i = 0; i < output.rows(); ++i) {
    for (std::size_t o = 0; o < output.cols(); ++o) {
      double sum = sum_over(c.cols(), [&](std::size_t r) { return c(i, r) * W(r, o); });
      for (std::size_t r = 0; r < q.cols(); ++r) sum += q(i, r) * W(c.cols() + r, o);
      output(i, o) = std::tanh(sum);
    }
  }
  return {{"output", output}};
}

extern const Mechanism record{.id = "input-feeding",
                              .aliases = {"attentional-vector"},
                              .parameters = {{"W_c", "dv+df do"}},
                              .symbols = {{"do", "df"}},
                              .needs_query = true,
                              .behaviour = OutputModel{build}};
}  // namespace attend::input_feeding_entry
