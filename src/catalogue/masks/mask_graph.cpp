// SPDX-License-Identifier: Apache-2.0
// Neighbourhood: row i sees its neighbours in a graph, and itself
// Velickovic et al. 2018 (graph attention networks), section 2.1, arXiv:1710.10903
#include "catalogue/entry.h"
#include "ops/text.h"

namespace attend::mask_graph_entry {
namespace {

Var build(const MaskIn& in) {
  const Tensor& adjacency = in.matrix("adjacency");  // [n n]
  const std::string path = in.choice.path + "/adjacency";
  const bool fits = adjacency.shape.size() == 2 && adjacency.shape[1] == in.n &&
                    (adjacency.shape[0] == in.m || adjacency.shape[0] == in.n) &&
                    adjacency.shape[0] >= in.m;
  if (!fits) {
    const std::string fewer = in.m == in.n ? "" : " or " + to_text({in.m, in.n});
    refuse(path, "expected shape " + to_text({in.n, in.n}) + fewer + ", found " +
                     to_text(adjacency.shape));
  }
  for (std::size_t i = 0; i < adjacency.data.size(); ++i) {
    if (adjacency.data[i] == 0 || adjacency.data[i] == 1) continue;
    refuse(path + "/" + std::to_string(i / in.n) + "/" + std::to_string(i % in.n),
           "an adjacency matrix holds only 0 and 1, found " + number_exact(adjacency.data[i]));
  }
  const Var edges = slice(in.constant("adjacency", adjacency), 0, 0,
                          in.m);  // fewer queries than tokens are the first ones
  return maximum(edges, equal(in.rows(), in.columns()));
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array adjacency(std::get<Tensor>(in.knobs.find("adjacency")->second));
  return each_pair(in,
                   [&](std::size_t i, std::size_t j) { return i == j || adjacency(i, j) == 1; });
}

extern const Mechanism record{
    .id = "mask-graph",
    .aliases = {"neighbourhood"},
    .knobs = {matrix_knob("adjacency")},
    .laws = {.permutation = false},
    .example = R"("adjacency": [[0, 1, 0, 0, 1], [1, 0, 1, 0, 0], [0, 1, 0, 1, 0],
                                [0, 0, 1, 0, 1], [1, 0, 0, 1, 0]])",
    .behaviour = Mask{build}};
}  // namespace attend::mask_graph_entry
