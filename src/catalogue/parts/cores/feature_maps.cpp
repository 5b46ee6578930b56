// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/cores/feature_maps.h"

namespace attend {
namespace {

constexpr std::size_t chunk = 64;              // rows that share one state
constexpr std::size_t most_state = 1U << 20U;  // numbers of a state for every row

// A factor of a query's features, or of all keys', stands above and below in the quotient: without
// it products of small features do not vanish.
Var relative(Var features, Var largest) { return ratio(features, cancelled(largest)); }

// Whether a number for each pair of rows is a tensor of a size that there may be.
bool pairs_fit(Var fq, Var fk) {
  const std::size_t width = fq.extent(-1), rows = element_count(fq.shape()) / width;
  return rows <= max_elements / fk.extent(-2);
}

// [.. n c] -> [.. chunks rows c], zeros behind the last row.
Var chunked(Var x) {
  Shape shape = x.shape();
  const std::size_t n = x.extent(-2), count = (n + chunk - 1) / chunk;
  if (count * chunk != n) {
    shape.end()[-2] = count * chunk - n;
    x = concat({x, zeros(x.graph(), shape)}, -2);
  }
  shape.end()[-2] = count;
  shape.insert(shape.end() - 1, chunk);
  return reshape(x, shape);
}

// Sums over j <= i, a chunk of rows at a time: pairs inside the chunk, and the state before it.
Var in_chunks(Var fq, Var fk, Var x) {
  const std::size_t n = x.extent(-2);
  const Var q = chunked(fq), k = chunked(fk), v = chunked(x);
  const Var past = greater(iota(x.graph(), chunk, 2) + 1, iota(x.graph(), chunk));
  const Var inside = matmul(matmul(q, k, false, true) * past, v);
  const Var sums = matmul(k, v, true, false);  // [.. chunks r c]
  Shape none = sums.shape();
  none.end()[-3] = 1;
  const Var before = slice(concat({zeros(x.graph(), none), sums}, -3), -3, 0, sums.extent(-3));
  const Var all = inside + matmul(q, let("S", cumsum(before, -3)));
  // Heads of queries that share keys and values have rows of their own here.
  Shape flat = all.shape();
  flat.erase(flat.end() - 3);
  flat.end()[-2] = all.extent(-3) * chunk;
  return slice(reshape(all, flat), -2, 0, n);
}

Var summed(const CoreIn& in, Var fq, Var fk, Var x) {
  if (!in.causal) return matmul(fq, let("S", matmul(fk, x, true, false)));  // S [.. r c]
  if (in.m() != in.n()) return matmul(matmul(fq, fk, false, true) * in.past_pairs(), x);
  if (in.n() * fk.extent(-1) * x.extent(-1) > most_state) return in_chunks(fq, fk, x);
  const Var S = let("S", cumsum(expand(fk, -1) * expand(x, -2), -3));  // [.. n r c]
  return squeeze(matmul(expand(fq, -2), S), -2);
}

MadeOf or_given(const MadeOf& made, Var fq, Var fk) {
  return made.map == FeatureMap::given ? MadeOf{.q = fq, .k = fk} : made;
}

}  // namespace

FeatureMap feature_map_of(const std::string& name) {
  if (name == "elu+1") return FeatureMap::elu_plus_one;
  if (name == "exp") return FeatureMap::exponential;
  return name == "relu" ? FeatureMap::relu : FeatureMap::one_plus;
}

Var stated_features(const CoreIn& in, Var context, Features features, const MadeOf& made, Var v,
                    Var gates) {
  // The kernel's row i sees key i last.
  if (features.causal && in.keys_per_query != 1) return context;
  features.map = made.map;
  features.sum_norm = made.sum_norm;
  std::vector<Var> operands{made.q, made.k, v};
  if (made.drawn) operands.push_back(made.drawn);
  if (gates) operands.push_back(gates);
  return in.stated(context, features_intent(features), operands);
}

Var feature_map(const std::string& name, Var x) {
  if (name == "elu+1") {  // not elu(x) + 1, which is e^x - 1 + 1 below 0 and loses all digits
    const Var positive = greater(x, scalar(x, 0));
    return where(positive, x + 1, exp(where(positive, scalar(x, 0), x)));
  }
  if (name == "exp") return exp(x);
  return name == "relu" ? relu(x) : 1 + x;
}

Var asked_sums(const CoreIn& in, Var fq, Var fk, Var x, const MadeOf& made) {
  const Var sums = summed(in, fq, fk, x);
  // Over all keys they are two products as they are.
  if (!in.causal) return sums;
  return stated_features(in, sums, {.causal = true}, or_given(made, fq, fk), x);
}

bool states_fit(const CoreIn& in, std::size_t features, Var v) {
  return in.causal && in.m() * in.keys_per_query == in.n() &&
         element_count(v.shape()) <= most_state / features;
}

void output_states(const CoreIn& in, Var states) {
  in.label("t", in.keys_per_query == 1 ? in.k : in.q);
  in.output(out::state.as("states"), states, in.family.heads > 0 ? "h t p dv" : "t p dv");
}

Weighing with_states(const CoreIn& in, Var fk, Weighing weighing) {
  // Values are weighed first, and the identity, for the implied map, behind them.
  weighing.context = [=, context = weighing.context, first = true](Var v) mutable {
    if (first && states_fit(in, fk.extent(-1), v))
      output_states(in, cumsum(expand(fk, -1) * expand(v, -2), -3));
    first = false;
    return context(v);
  };
  return weighing;
}

Weighing weighed_by_features(const CoreIn& in, Var fq, Var fk, const MadeOf& made) {
  const MadeOf rows = or_given(made, fq, fk);
  fq = relative(fq, max(absolute(fq), -1, true));
  // One factor for all keys would let a row see how large the keys after it are.
  if (!in.causal) fk = relative(fk, max(max(absolute(fk), -1, true), -2, true));
  const bool pairs = in.causal && in.m() != in.n();
  Var similarity;  // [.. m n], computed only where it is asked for
  if (pairs || pairs_fit(fq, fk)) similarity = matmul(fq, fk, false, true);
  if (in.causal && similarity) similarity = similarity * in.past_pairs();
  const Var total = pairs       ? sum(similarity, -1, true)
                    : in.causal ? sum(fq * let("z", cumsum(fk, -2)), -1, true)
                                : matmul(fq, let("z", sum(fk, -2, true)), false, true);
  return {[=](Var v) {
            return stated_features(in, ratio(asked_sums(in, fq, fk, v), total),
                                   {.causal = in.causal, .divides = true}, rows, v);
          },
          similarity ? ratio(similarity, sum(similarity, -1, true)) : similarity};
}

}  // namespace attend
