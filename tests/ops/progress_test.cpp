// SPDX-License-Identifier: Apache-2.0
#include "ops/progress.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "ops/compose.h"
#include "ops/scan.h"
#include "ops/workspace.h"
#include "tests/ops/run.h"

namespace attend::progress_test {
namespace {

using testing::Data;

// A scan of forty rows and what follows it, evaluated; a node has as much work as it has numbers.
struct Work {
  Graph graph;
  Data data;
  Var x, out;
  std::vector<double> shares;  // as they were told
  std::optional<Progress> progress;
  std::optional<Workspace> workspace;

  Work() {
    sweep::Numbers numbers(3);
    x = testing::leaf(graph, data, {40, 3}, numbers.list(120, -1, 1));
    const Var start = testing::leaf(graph, data, {1, 3}, numbers.list(3, -1, 1));
    const Scanned run = scan(graph, 40, {{"s", start}}, {{"x", x}},
                             [](const std::vector<Var>& states, const std::vector<Var>& row) {
                               const Var next = tanh(states[0] + reshape(row[0], {1, 3}));
                               return ScanStep{{next}, {next}};
                             });
    out = exp(reshape(run.outputs[0], {40, 3})) * x;
    std::vector<double> work;
    for (NodeId id = 0; id < graph.size(); ++id)
      work.push_back(static_cast<double>(element_count(graph[id].shape)));
    progress.emplace(std::move(work), [this](double share) { shares.push_back(share); });
    workspace.emplace(graph, plan(graph, {out}, Keep::all));
    for (const auto& [leaf, given] : data) workspace->set(leaf, given);
    workspace->evaluate(&*progress);
  }
};

TEST_CASE("an evaluation tells how far it is, row by row of a scan, up to the whole") {
  const Work work;
  CHECK(work.shares.size() > 20);  // the scan has forty rows, and half of the work
  CHECK(work.shares.size() <= 100);
  CHECK(std::is_sorted(work.shares.begin(), work.shares.end()));
  CHECK(work.shares.front() > 0);
  CHECK(work.shares.back() == doctest::Approx(1));
}

TEST_CASE("what is computed again is the whole of its own progress") {
  Work work;
  work.shares.clear();
  work.workspace->evaluate(&*work.progress);
  CHECK(work.shares.empty());
  work.workspace->set(work.x.id(), std::vector<real>(120, real{0.5}));
  work.workspace->evaluate(&*work.progress);
  REQUIRE(!work.shares.empty());
  CHECK(work.shares.back() == doctest::Approx(1));
}

TEST_CASE("an evaluation that is refused tells no whole, and the next begins anew") {
  Graph graph;
  Data data;
  const Var matrix = testing::leaf(graph, data, {2, 2}, {0, 0, 0, 0});
  const Var out = exp(inverse(matrix));
  std::vector<double> shares;
  Progress progress(std::vector<double>(graph.size(), 1),
                    [&](double share) { shares.push_back(share); });
  Workspace workspace(graph, plan(graph, {out}));
  workspace.set(matrix.id(), std::vector<real>(4, 0));
  CHECK_THROWS(workspace.evaluate(&progress));
  CHECK(shares.empty());
  workspace.set(matrix.id(), std::vector<real>{1, 0, 0, 2});
  workspace.evaluate(&progress);
  CHECK(shares.back() == doctest::Approx(1));
}

}  // namespace
}  // namespace attend::progress_test
