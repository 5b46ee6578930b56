// SPDX-License-Identifier: Apache-2.0
// What builds return and are given: tensors by name, in the order in which they were listed.
#include "catalogue/tensors.h"

#include <doctest/doctest.h>

#include "ops/compose.h"
#include "ops/error.h"

namespace attend::tensors_test {

TEST_CASE("tensors: a list keeps its order, its types and its axes") {
  Graph graph;
  const Var a = graph.leaf({2, 3}, "a"), c = graph.leaf({2, 4}, "c");
  const Tensors list{{out::weights, a, "m n"}, {"extra", Var{}, "m"}, {out::result, c, "m dv"}};
  std::vector<std::string> names;
  for (const Tensors::One& one : list) names.push_back(one.name + ":" + one.axes);
  CHECK(names == std::vector<std::string>{"weights:m n", "extra:m", "context:m dv", "output:m dv"});
  CHECK(list.begin()->role == TensorRole::weights);
  CHECK(list.begin()->numbers == NumberKind::probability);
  CHECK(&list["context"].node() == &list["output"].node());
  CHECK(list.begin()[2].main == MainResult::context);
}

TEST_CASE("tensors: an empty one is listed, and is not there") {
  Graph graph;
  const Tensors list{{"query", Var{}}, {"key", graph.leaf({2}, "k")}, {"a", graph.leaf({2}, "a")}};
  CHECK(list.lists("query"));
  CHECK(!list.lists("value"));
  CHECK(!list.find("query"));
  CHECK(list.find("key"));
  CHECK(list.names() == "a, key");
  std::string said;
  try {
    (void)list["query"];
  } catch (const Error& error) {
    said = error.what();
  }
  CHECK(said.find("\"query\"") != std::string::npos);
  CHECK(said.find("a, key") != std::string::npos);
}

TEST_CASE("tensors: lists are put together, and named by a part") {
  Graph graph;
  const Var a = graph.leaf({2}, "a"), b = graph.leaf({2}, "b");
  const Tensors both =
      Tensors{{out::weights, a, "m"}}.under("fw.") + Tensors{{out::scores, b, "m"}};
  CHECK(both.names() == "fw.weights, scores");
  CHECK(both.begin()->role == TensorRole::weights);
}

}  // namespace attend::tensors_test
