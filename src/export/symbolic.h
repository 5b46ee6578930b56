// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "export/sizes.h"
#include "ops/graph.h"

namespace attend {

// The same computation recorded at several sizes, as one graph whose sizes are expressions.
//
// The printers of code write sizes as numbers. So each expression gets a number of its own that no size has, the graph
// is printed with these numbers, and `filled_in` writes the expressions in their places.
class SymbolicGraph {
 public:
  struct Recording {
    const Graph* graph;
    std::vector<std::size_t> sizes;  // by symbol
  };
  // How steps are written (export/views.h, export/idioms.h): as they were recorded, with joined views, or in PyTorch's
  // words, too.
  enum class Words { recorded, joined, torch };
  // The first recording is the base. Throws Error, naming the step, where the recordings differ in more than sizes or
  // no expression fits.
  // `rows_of_words`: leaves of zeros and ones, one for each word.
  SymbolicGraph(const std::vector<Recording>& recordings, std::vector<std::string> names,
                Words words = Words::recorded, const std::set<NodeId>& rows_of_words = {});

  [[nodiscard]] const Graph& graph() const { return *graph_; }
  // Code with its expressions in place of their numbers.
  [[nodiscard]] std::string filled_in(const std::string& code) const;
  // The symbol that an extent of the graph is; -1 for a constant or a longer expression.
  [[nodiscard]] long symbol_of(std::size_t extent) const;
  // An extent as text.
  [[nodiscard]] std::string text_of(std::size_t extent) const;
  // A number that each recording has, as an extent of this graph. Throws Error where no expression fits; `node`: where.
  std::size_t extent_of(const std::vector<std::size_t>& values, NodeId node);
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

 private:
  using Graphs = std::vector<const Graph*>;
  std::unique_ptr<Graph> made_of(const Graphs& graphs);
  Node made_of(const std::vector<const Node*>& nodes);
  std::shared_ptr<const ScanBody> made_of(const std::vector<const ScanBody*>& bodies,
                                          const Node& where);
  long whole(const std::vector<long>& values, const Node& where);
  double number(const std::vector<double>& values, const Node& where);
  long stand_in(const std::string& text, long symbol);
  [[nodiscard]] bool counts(double number, std::size_t extent) const;

  std::vector<std::string> names_;
  Words words_;
  SizeFit fit_;
  struct StandIn {
    std::string text;
    long symbol;
  };
  std::vector<StandIn> stand_ins_;
  std::unique_ptr<Graph> graph_;
};

}  // namespace attend
