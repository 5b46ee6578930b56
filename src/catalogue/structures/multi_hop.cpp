// SPDX-License-Identifier: Apache-2.0
// Multi-hop attention, Q the query's rows:
//   q^{s+1} = softmax(x^s Q^T / sqrt(dq)) Q  with x^s = q^s,  c^s W_t  or  [q^s; c^s] W_t
//   e^s = score([q^{s+1}; c^s], K),  c^{s+1} = sum_j a_j v_j
// Tran, Niederée 2018; Brauwers & Frasincar 2022, equations 41 and 42, arXiv:2203.14263
#include "catalogue/entry.h"
#include "catalogue/module_results.h"

namespace attend::multi_hop_entry {
namespace {

// What asks the query's rows, [1 dq]. q [1 dq]  c [1 dv]
Var asking(const Scope& in, Var q, Var c, const Family& family) {
  const std::string& kind = in.text("transform");
  if (kind == "query") return q;
  const Var x = kind == "context" ? c : concat({q, c}, -1);
  Dimensions d;
  d.set("dq", q.extent(-1));
  d.set("dt", x.extent(-1));
  return matmul(x, in.assembler.enter(in.choice, d, family).param("W_t"));
}

// Every transform attends to the rows of the query, so that each hop hears the question again.
Var transformed(const Scope& in, Var q, Var c, Var rows, const Family& family) {
  const double scale = 1 / std::sqrt(static_cast<double>(rows.extent(-1)));
  const Var e = matmul(asking(in, q, c, family), rows, false, true) * scale;  // [1 m]
  return matmul(softmax(e), rows);                                            // [1 dq]
}

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var rows = inputs["query"];  // [m dq]
  const Var given_key = inputs.find("key"), given_value = inputs.find("value");
  const Var key = given_key ? given_key : rows;       // [n dk]
  const Var value = given_value ? given_value : key;  // [n dv]
  in.label("n", key);
  Var q = let("q^{0}", mean(rows, -2, true)), c = let("c^{0}", mean(value, -2, true));
  const std::size_t hops = in.integer("hops");
  Tensors hop;
  std::vector<Var> questions, contexts;
  Tensors results;
  for (std::size_t s = 0; s < hops; ++s) {
    const std::string number = std::to_string(s);
    const Family family{0, in.flag("share") ? 0 : hops, s};
    const std::string step = "^{\\text{hop }" + number + "}";
    {
      const StepSuffix suffix(in.graph(), step);
      q = let("q", transformed(in, q, c, rows, family));
    }
    hop = with_map(in, "hop",
                   in.call("hop", {"hop" + number, family, "1", "n", step},
                           {{"query", concat({q, c}, -1)}, {"key", key}, {"value", value}}));
    c = hop["context"];
    questions.push_back(q);
    contexts.push_back(c);
    results.add({out::weights.as("weights." + number), hop["weights"], "1 n"});
  }
  return results + Tensors{{out::scores, hop["scores"], "1 n"},
                           {out::weights, hop["weights"], "1 n"},
                           {out::context, c, "1 dv"},
                           {"questions", hops == 1 ? q : concat(questions, -2), "hops:feature dq"},
                           {"contexts", hops == 1 ? c : concat(contexts, -2), "hops:feature dv"}};
}

Row mean_row(const Array& x) {
  Row mean(x.cols(), 0);
  for (std::size_t i = 0; i < x.rows(); ++i) {
    for (std::size_t c = 0; c < x.cols(); ++c) mean[c] += x(i, c) / static_cast<double>(x.rows());
  }
  return mean;
}

// A parameter of hop s: the whole when it is shared, else its slice.
Array of_hop(const ReferenceIn& in, const char* name, std::size_t s) {
  const Array& all = in.parameter(name);
  if (in.flag("share")) return all;
  return part_of(all, s);
}

// The query that hop s asks with, by plain loops.
Row asked(const ReferenceIn& in, const Row& q, const Row& c, std::size_t s) {
  Row x = q;
  if (in.text("transform") == "context") x = mapped(c, of_hop(in, "W_t", s));
  if (in.text("transform") == "concat") x = mapped(joined(x, c), of_hop(in, "W_t", s));
  return attended(one_row(x), in["query"], in["query"]).context.data;
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &key = in["key"], &value = in["value"];
  Row q = mean_row(in["query"]), c = mean_row(value);
  const std::size_t hops = in.integer("hops");
  Arrays out{{"questions", Array({hops, q.size()})}, {"contexts", Array({hops, c.size()})}};
  for (std::size_t s = 0; s < hops; ++s) {
    q = asked(in, q, c, s);
    const Array w = of_hop(in, "hop.score.w", s), b = of_hop(in, "hop.score.b", s);
    const Array asks = product(one_row(joined(q, c)), of_hop(in, "hop.score.W1", s));
    const Array keys = affine(key, of_hop(in, "hop.score.W2", s), b);
    const AttentionTables seen = seen_by(additive_scores(asks, keys, w), value);
    out["scores"] = seen.scores;
    out["weights." + std::to_string(s)] = out["weights"] = seen.weights;
    out["context"] = seen.context;
    c = out["context"].data;
    out["questions"].set(q, s);
    out["contexts"].set(c, s);
  }
  return out;
}

extern const Mechanism record{
    .id = "multi-hop",
    .aliases = {"multi-step"},
    .parameters = {{"W_t", "dt dq"}},
    .symbols = {{"dt", "dq+dv"}},
    .knobs = {integer_knob("hops", 2., 1, 6).at_least(1), flag_knob("share", true),
              choice_knob("transform", "query", {"query", "context", "concat"})
                  .also_called("self-attention", "query")},
    .roles = {{"query", "m dq"}, {"key", "n dk", false, "query"}, {"value", "n dv", false, "key"}},
    .slots = {{"hop", Kind::structure, "attention", false, "attention", {{"score", "additive"}}}},
    .coordinates = {{"multiplicity", "multi-hop"}},
    .behaviour = Structure{build}};
}  // namespace attend::multi_hop_entry
