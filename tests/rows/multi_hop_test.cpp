// SPDX-License-Identifier: Apache-2.0
// Multi-hop attention: whatever asks, it asks the rows of the query.
#include "tests/rows/structures.h"

namespace attend::testing::multi_hop_test {

TEST_CASE("multi-hop: every transform listens to the query, also beside keys of its own") {
  for (const char* transform : {"query", "context", "concat"}) {
    Json document = structure("multi-hop", knobs({{"transform", transform}}));
    const Ran before = run_json(document);
    Array query = input(document, "query");
    for (double& x : query.data) x = 1 - x;
    document["inputs"]["query"] = to_json(query);
    CHECK_MESSAGE(
        distance(before.outputs.at("context"), run_json(document).outputs.at("context")) > 1e-3,
        transform);
  }
}

TEST_CASE("multi-hop: the former word for the transform is still read") {
  const Ran now = run_json(structure("multi-hop"));
  const Ran before = run_json(structure("multi-hop", knobs({{"transform", "self-attention"}})));
  CHECK(distance(now.outputs.at("context"), before.outputs.at("context")) == 0);
}

TEST_CASE("multi-hop: one row of query is what every transform asks with") {
  Json one = structure("multi-hop");
  Array query = input(one, "query");
  query.shape[0] = 1;
  query.data.resize(query.shape[1]);
  one["inputs"]["query"] = to_json(query);
  const Ran by_query = run_json(one);
  for (const char* transform : {"context", "concat"}) {
    Json other = one;
    other["mechanism"]["transform"] = transform;
    CHECK(near(run_json(other).outputs.at("context"), by_query.outputs.at("context")));
  }
}

TEST_CASE("multi-hop: hops with equal parameters of their own are hops that share") {
  for (const char* transform : {"query", "context", "concat"}) {
    const Json patch = {{"transform", transform}, {"share", false}, {"hops", 3}};
    Json apart = structure("multi-hop", knobs(patch));
    Json shared = apart;
    shared["mechanism"]["share"] = true;
    for (auto& [name, value] : apart["parameters"].items()) {
      const Array first = part(run_json(apart).parameters.at(name), 0);
      Array all = first;
      all.shape.insert(all.shape.begin(), 3);
      for (int s = 1; s < 3; ++s)
        all.data.insert(all.data.end(), first.data.begin(), first.data.end());
      value = to_json(all);
      shared["parameters"][name] = to_json(first);
    }
    CHECK(near(run_json(apart).outputs.at("context"), run_json(shared).outputs.at("context")));
  }
}

}  // namespace attend::testing::multi_hop_test
