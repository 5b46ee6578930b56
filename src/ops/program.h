// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "ops/directory.h"
#include "ops/graph.h"
#include "ops/workspace.h"

namespace attend {

// What a leaf's numbers are: data that changes from example to example, what is learned, what is
// drawn at every step, or what a setting gives.
enum class LeafKind { input, weight, noise, constant };

// The passes that were applied to a program.
struct Passes {
  std::size_t batch = 0;  // 0: one example
  std::size_t fused = 0;  // how many attentions became one node
  bool gradient = false;
};

// A recorded computation that no longer changes. A pass makes another program from it, which gives the same numbers; a
// pass that has no meaning after an earlier one throws an Error that explains this.
class Program {
 public:
  struct Leaf {
    std::string name;  // dotted: "inputs.x", "score.W1"
    NodeId node;
    LeafKind kind;
    Record record = {};  // none of what a pass adds, and of a number that a knob gives
  };
  struct Result {
    std::string name;  // dotted: "outputs.context", "gradients.score.W1"
    NodeId node;
    Record record = {};  // none of what only a pass or its caller knows
  };
  Program() = default;
  Program(std::shared_ptr<const Graph> graph, std::vector<Leaf> leaves, std::vector<Result> results,
          Passes made = {}, std::shared_ptr<const Directory> directory = empty_directory());

  [[nodiscard]] const Graph& graph() const { return *graph_; }
  [[nodiscard]] const std::shared_ptr<const Graph>& shared_graph() const { return graph_; }
  [[nodiscard]] const std::vector<Leaf>& leaves() const { return leaves_; }
  [[nodiscard]] const std::vector<Result>& results() const { return results_; }
  [[nodiscard]] const Passes& made() const { return made_; }
  // The document's tensors that have a node here, whether they are results or not, and its modules.
  [[nodiscard]] const Directory& directory() const { return *directory_; }
  [[nodiscard]] const std::shared_ptr<const Directory>& shared_directory() const {
    return directory_;
  }
  // The results' nodes.
  [[nodiscard]] std::vector<Var> wanted() const;
  // A result or leaf by its name. Throws Error listing the results.
  [[nodiscard]] NodeId find(std::string_view name) const;
  // A leaf by its name. Throws Error when there is none.
  [[nodiscard]] NodeId leaf(std::string_view name) const;
  // The same computation with other results.
  [[nodiscard]] Program with_results(std::vector<Result> results) const;
  // The same leaves, some of them of another kind.
  [[nodiscard]] Program with_leaves(std::vector<Leaf> leaves) const;

 private:
  std::shared_ptr<const Graph> graph_;
  std::vector<Leaf> leaves_;
  std::vector<Result> results_;
  Passes made_;
  std::shared_ptr<const Directory> directory_ = empty_directory();
};

// Only what the named results need. Nodes get new ids.
Program pruned(const Program& program, const std::vector<std::string>& names);

// For `size` examples of equal shapes at once: inputs and noise lead with an axis over them, and so
// do all results but parameters. Comes before the other passes: gradients of weights are sums over the examples.
Program batched(const Program& program, std::size_t size);

// The names that with_gradient gives to what it adds: "gradients.NAME", "cotangent.NAME".
std::string gradient_key(std::string_view by);
std::string cotangent_key(std::string_view of);

// Adds the results "gradients.NAME" of sum(cotangent * of), added up over the names in `of`, for
// each name in `by`: both are leaves or results. Each cotangent is a new leaf "cotangent.OF", all 1
// unless given.
Program with_gradient(const Program& program, const std::vector<std::string>& of,
                      const std::vector<std::string>& by);
Program with_gradient(const Program& program, const std::string& of,
                      const std::vector<std::string>& by);

// The numbers of each leaf in its program's order; none: those that it shows, or had before.
using Leaves = std::vector<Numbers>;

// Room for the program's results.
Workspace workspace_for(const Program& program, Keep keep = Keep::wanted);

// Computes the results from the leaves. What did not change since the last time is not computed.
void evaluate(const Program& program, const Leaves& leaves, Workspace& workspace);

}  // namespace attend
