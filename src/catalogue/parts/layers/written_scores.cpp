// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/layers/written_scores.h"

#include <algorithm>

#include "catalogue/parts/layers/blocks.h"
#include "catalogue/parts/layers/loops.h"
#include "catalogue/parts/structures/structure_parts.h"

namespace attend {

std::size_t labelled_positions(const Scope& in, Var x, const char* what) {
  const std::size_t n = x.extent(-2), longest = in.integer("N");
  if (longest < n)
    refuse(in.choice.path + "/N", std::string("N is the number of positions ") + what +
                                      "; it is at least " + std::to_string(n) + " here, found " +
                                      std::to_string(longest));
  in.label("m", x);
  in.label("n", x);
  return n;
}

Tensors read_by_scores(const Scope& in, Var x, Var e) {
  const std::size_t n = x.extent(-2);
  const Var mask = in.flag("causal") ? keys_so_far(in.graph(), n, n) : Var{};
  const Var a = let("A", weights_by(in, e, {x, x, x}, mask,
                                    [&] { return mask ? softmax(e, mask) : softmax(e); }));
  return {{out::scores, e, "m n"},
          {out::weights, a, "m n"},
          {out::result, let("C", matmul(a, matmul(x, in.param("W_V")))), "m dv"}};
}

Arrays read_by_loops(const ReferenceIn& in, const std::function<Row(std::size_t i)>& scores) {
  const Array& x = in["x"];
  Array e({x.rows(), x.rows()}), a(e.shape);
  for (std::size_t i = 0; i < x.rows(); ++i) {
    Row line = scores(i);
    line.resize(x.rows());  // the table may be longer than the text
    e.set(line, i);
    const Row row = soft(e.row(i), [&](std::size_t j) { return !in.flag("causal") || j <= i; });
    a.set(row, i);
  }
  const Array context = product(a, product(x, in.parameter("W_V")));
  return {{"scores", e}, {"weights", a}, {"context", context}};
}

Row written_row(const ReferenceIn& in, std::size_t i) {
  Row hidden = mapped(in["x"].row(i), in.parameter("W1"));
  for (std::size_t u = 0; u < hidden.size(); ++u)
    hidden[u] = std::max(0.0, hidden[u] + in.parameter("b1")(u));
  Row line = mapped(hidden, in.parameter("W2"));
  for (std::size_t j = 0; j < line.size(); ++j) line[j] += in.parameter("b2")(j);
  return line;
}

}  // namespace attend
