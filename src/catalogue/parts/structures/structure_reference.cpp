// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/structures/structure_reference.h"

namespace attend {

Array activated_general(const ReferenceIn& in, const std::string& module, const Array& q,
                        const Array& k) {
  const Array asked = product(k, in.parameter(module + ".score.W"));
  return activated(plus(dots(q, asked), in.parameter(module + ".score.b")), "tanh");
}

Array additive(const ReferenceIn& in, const std::string& module, const Array& q, const Array& k) {
  const auto of = [&](const char* name) { return in.parameter(module + ".score." + name); };
  return additive_scores(product(q, of("W1")), affine(k, of("W2"), of("b")), of("w"));
}

Array self_additive(const ReferenceIn& in, const std::string& prefix, const Array& k) {
  const Array has =
      activated(affine(k, in.parameter(prefix + "W"), in.parameter(prefix + "b")), "tanh");
  return dots(in.parameter(prefix + "w"), has);
}

Array trilinear(const Array& w, const Array& q, const Array& k) {
  const std::size_t d = q.cols();
  Array e({q.rows(), k.rows()});
  for (std::size_t i = 0; i < e.rows(); ++i) {
    for (std::size_t j = 0; j < e.cols(); ++j) {
      for (std::size_t c = 0; c < d; ++c)
        e(i, j) += w(c) * k(j, c) + w(d + c) * q(i, c) + w(2 * d + c) * k(j, c) * q(i, c);
    }
  }
  return e;
}

const Array& or_else(const ReferenceIn& in, const char* port, const char* otherwise) {
  return in[in.has(port) ? port : otherwise];
}

void put_side(Arrays& out, const std::string& side, const AttentionTables& seen) {
  out["scores" + side] = seen.scores;
  out["weights" + side] = seen.weights;
  out["context" + side] = seen.context;
}

void put_sides(Arrays& out, const AttentionTables& first, const AttentionTables& second) {
  put_side(out, "1", first);
  put_side(out, "2", second);
}

Arrays joined_sides(const AttentionTables& first, const AttentionTables& second) {
  Arrays out{{"output", beside({first.context, second.context})}};
  put_sides(out, first, second);
  return out;
}

}  // namespace attend
