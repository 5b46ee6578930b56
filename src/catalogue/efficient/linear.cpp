// SPDX-License-Identifier: Apache-2.0
// Linear attention:  C_i = phi(q_i) S / (phi(q_i) . z),
//   S = sum_j phi(k_j)^T v_j,  z = sum_j phi(k_j);  causal: sums over j <= i
// Katharopoulos et al. 2020 (Transformers are RNNs), equations 4 to 12, arXiv:2006.16236
#include <cmath>

#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend {
namespace {

Var feature_map(const std::string& name, Var x) {
  if (name == "elu+1") {  // not elu(x) + 1, which is e^x - 1 + 1 below 0 and loses all digits
    const Var positive = greater(x, scalar(x, 0));
    return where(positive, x + 1, exp(where(positive, scalar(x, 0), x)));
  }
  if (name == "exp") return exp(x);
  return name == "relu" ? relu(x) : 1 + x;
}

Var ratio(Var above, Var below) {  // 0 where nothing was summed
  return above / where(equal(below, scalar(below, 0)), scalar(below, 1), below);
}

// A factor of a query's features, or of all keys', stands above and below in the quotient: without
// it products of small features do not vanish.
Var relative(Var features, Var largest) {
  const Var peak = detach(largest);
  return features / where(greater(peak, scalar(peak, 0)), peak, scalar(peak, 1));
}

void build(const ModuleIn& in) {
  const Var q = in.need("query"), given_key = in.port("key"), given_value = in.port("value");
  const Var k = given_key ? given_key : q, v = given_value ? given_value : k;  // [m p] [n p] [n dv]
  const std::size_t m = q.extent(0), n = k.extent(0);
  in.label("m", in.port("query"));
  in.label("n", given_key ? in.port("key") : in.port("query"));
  const Var phi_q = let("\\varphi(Q)", feature_map(in.text("phi"), q));  // [m p]
  const Var phi_k = let("\\varphi(K)", feature_map(in.text("phi"), k));  // [n p]
  const Var fq = relative(phi_q, max(absolute(phi_q), -1, true));
  const Var fk = relative(phi_k, max(max(absolute(phi_k), -1, true), -2, true));
  const bool causal = in.flag("causal");
  // The map that is implied; never computed unless it is asked for, the context does not need it.
  Var similarity = matmul(fq, fk, false, true);  // [m n]
  if (causal) similarity = similarity * greater(iota(in.graph(), m, 2) + 1, iota(in.graph(), n));
  const Var weights = ratio(similarity, sum(similarity, -1, true));
  Var context;
  if (causal && m == n) {
    const Var S = let("S", cumsum(expand(fk, -1) * expand(v, -2), 0));  // [n p dv]
    const Var z = let("z", cumsum(fk, 0));                              // [n p]
    context = ratio(squeeze(matmul(expand(fq, -2), S), -2), sum(fq * z, -1, true));
  } else if (causal) {
    context = matmul(weights, v);
  } else {
    const Var S = let("S", matmul(fk, v, true, false));  // [p dv]
    const Var z = let("z", sum(fk, 0, true));            // [1 p]
    context = ratio(matmul(fq, S), matmul(fq, z, false, true));
  }
  in.output(out::weights, let("A", weights), "m n");
  in.result(let("C", context), "m dv");
}

Arrays reference(const ReferenceIn& in) {
  const Array &q = in["query"], &k = in["key"];
  const std::string& phi = in.text("phi");
  const auto feature = [&](double x) {
    if (phi == "elu+1") return x > 0 ? x + 1 : std::exp(x);
    if (phi == "exp") return std::exp(x);
    return phi == "relu" ? std::max(x, 0.0) : 1 + x;
  };
  Array a({q.rows(), k.rows()});
  for (std::size_t i = 0; i < a.rows(); ++i) {
    double total = 0;
    for (std::size_t j = 0; j < (in.flag("causal") ? std::min(i + 1, a.cols()) : a.cols()); ++j) {
      for (std::size_t c = 0; c < q.cols(); ++c) a(i, j) += feature(q(i, c)) * feature(k(j, c));
      total += a(i, j);
    }
    for (std::size_t j = 0; j < a.cols(); ++j) a(i, j) /= total == 0 ? 1 : total;
  }
  return {{"weights", a}, {"context", weighted(a, in["value"])}};
}

}  // namespace

namespace catalogue {
extern const Entry linear_entry;
const Entry linear_entry{
    .words =
        {.title = "Linear attention",
         .formula =
             R"(C_i = \frac{\varphi(q_i)\,S}{\varphi(q_i)\cdot z},\quad S = \sum_j \varphi(k_j)^{\top} v_j,\quad z = \sum_j \varphi(k_j))",
         .sentence =
             "Replaces the exponential by a product of features, so that the cost grows with the "
             "length, not its square.",
         .source = {"Katharopoulos et al.", 2020, "equations 4 to 12",
                    "https://arxiv.org/abs/2006.16236"}},
    .record = {.id = "linear",
               .aliases = {"linear-transformer"},
               .knobs = {choice_knob("phi", "Feature map φ", "elu+1",
                                     {"elu+1", "relu", "exp", "1+x"}),
                         flag_knob("causal", "Causal", false)},
               .roles = {{"query", "m p"},
                         {"key", "n p", false, "query"},
                         {"value", "n dv", false, "key"}},
               .coordinates = {{"alignment", "global"}, {"type", "basic"}},
               .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
