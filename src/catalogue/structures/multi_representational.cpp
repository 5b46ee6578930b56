// SPDX-License-Identifier: Apache-2.0
// Meta-embeddings: attention over several embeddings of one token
//   x^{t_e} = x^e W_e + b_e,  a = softmax_e(x^{t_e} . a + b) (or sigmoid),  x = sum_e a_e x^{t_e}
// Kiela, Wang, Cho 2018 (DME), arXiv:1804.07983; Brauwers & Frasincar 2022, equations 21 and 22
#include "catalogue/entry.h"
#include "catalogue/representations.h"

namespace attend {
namespace {

void build(const ModuleIn& in) {
  const Scope sized = in.sized();
  const std::vector<Var> sources = mapped_sources(sized);
  std::vector<Var> scores;  // [n 1] each
  for (const Var x : sources)
    scores.push_back(matmul(x, sized.param("a"), false, true) + sized.param("b"));
  const Var context =
      weigh_sources(sized, sources, scores.size() == 1 ? scores.front() : concat(scores, -1));
  in.output(out::output, context, "m dt");
}

Arrays reference(const ReferenceIn& in) {
  Arrays out = weighed_by_loops(in, [&](const std::vector<Array>& sources) {
    Array e({sources.size(), sources.front().rows()});
    for (std::size_t s = 0; s < e.rows(); ++s) {
      for (std::size_t i = 0; i < e.cols(); ++i)
        e(s, i) = inner(sources[s].row(i), in.parameter("a").data) + in.parameter("b")();
    }
    return e;
  });
  out["output"] = out["context"];
  return out;
}

}  // namespace

namespace catalogue {
extern const Entry multi_representational_entry;
const Entry multi_representational_entry{
    .words =
        {.title = "Meta-embeddings",
         .formula =
             R"(x^{t_e} = x^e W_e + b_e,\quad a = \operatorname{softmax}_e(x^{t_e}\cdot a + b),\quad x = \sum_e a_e\,x^{t_e})",
         .sentence = "Several embeddings of the same word compete, and each word chooses its own "
                     "mixture of them.",
         .note =
             "One survey calls the score additive; the paper's is linear, without an activation.",
         .source = {"Kiela, Wang, Cho", 2018,
                    "as in Brauwers & Frasincar 2022, equations 21 and 22",
                    "https://arxiv.org/abs/1804.07983"}},
    .record = {.id = "multi-representational",
               .aliases = {"meta-embeddings", "dme"},
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
                              {"a", "dt"},
                              {"b", "", Distribution::zero}},
               .knobs = {source_gate, source_width},
               .roles = source_roles,
               .coordinates = {{"feature representations", "multi-representational"},
                               {"scoring", "additive"},
                               {"alignment", "global"},
                               {"type", "self-attentive"}},
               .extents = {{"n", 3}},
               .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
