// SPDX-License-Identifier: Apache-2.0
// Contextual meta-embeddings: each embedding is scored in its sentence, by the states of a reader
//   x^{t_e} = x^e W_e + b_e,  h^e = BiLSTM(x^{t_e}),  a = softmax_e(h^e . a + b),  x = sum_e a_e x^{t_e}
// Kiela, Wang, Cho 2018 (CDME), arXiv:1804.07983
#include "catalogue/entry.h"
#include "catalogue/module_results.h"
#include "catalogue/parts/cells/cell_reference.h"
#include "catalogue/parts/structures/representations.h"

namespace attend::cdme_entry {
namespace {

const List<Default> by_lstm = {{"cell", "lstm"}};

Tensors build(const Scope& in, const Tensors& inputs) {
  const Scope first = in.sized();
  const std::vector<Var> sources = mapped_sources(first, inputs);
  std::vector<Var> states;  // [n ds], by one reader for all sources
  for (std::size_t s = 0; s < sources.size(); ++s) {
    const Tensors read = in.call(
        "encoder",
        {.name = "encoder" + std::to_string(s + 1), .family = {}, .m = "m", .n = "m", .step = {}},
        {{"x", sources[s]}});
    states.push_back(result_of(in, "encoder", read, read.lists("output") ? "output" : "context"));
  }
  Dimensions d;
  d.set("ds", states.front().extent(-1));
  const Scope sized = in.sized(d);
  std::vector<Var> scores;  // [n 1] each
  for (const Var h : states)
    scores.push_back(matmul(h, sized.param("a"), false, true) + sized.param("b"));
  return weigh_sources(sized, sources, scores.size() == 1 ? scores.front() : concat(scores, -1));
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  Arrays out = weighed_by_loops(in, [&](const std::vector<Array>& sources) {
    Array e({sources.size(), sources.front().rows()});
    for (std::size_t s = 0; s < e.rows(); ++s) {
      const Array h = beside({lstm_states_by_loops(in, "encoder.forward.", sources[s]),
                              lstm_states_by_loops(in, "encoder.backward.", sources[s], true)});
      for (std::size_t i = 0; i < e.cols(); ++i)
        e(s, i) = inner(h.row(i), in.parameter("a").data) + in.parameter("b")();
    }
    return e;
  });
  out["output"] = out["context"];
  return out;
}

extern const Mechanism record{
    .id = "cdme",
    .aliases = {"contextual-meta-embeddings"},
    .parameters = {{"W1", "d1 dt"},
                   {"b1", "dt", Distribution::zero},
                   {"W2", "d2 dt"},
                   {"b2", "dt", Distribution::zero},
                   {"W3", "d3 dt"},
                   {"b3", "dt", Distribution::zero},
                   {"W4", "d4 dt"},
                   {"b4", "dt", Distribution::zero},
                   {"W5", "d5 dt"},
                   {"b5", "dt", Distribution::zero},
                   {"W6", "d6 dt"},
                   {"b6", "dt", Distribution::zero},
                   {"W7", "d7 dt"},
                   {"b7", "dt", Distribution::zero},
                   {"W8", "d8 dt"},
                   {"b8", "dt", Distribution::zero},
                   {"a", "ds"},
                   {"b", "", Distribution::zero}},
    .knobs = {source_gate, source_width},
    .roles = source_roles,
    .slots = {{"encoder", Kind::structure, "fm-birnn", false, {}, by_lstm}},
    .coordinates = {{"feature representations", "multi-representational"},
                    {"scoring", "additive"},
                    {"alignment", "global"},
                    {"type", "self-attentive"}},
    .extents = {{"n", 3}, {"d1", 3}, {"d2", 2}},
    .behaviour = Structure{build}};
}  // namespace attend::cdme_entry
