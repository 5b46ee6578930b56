// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "ops/graph.h"

namespace attend {

// A recorded computation with its numbers, to be printed as code or as formulas.
struct Listing {
  struct Leaf {
    NodeId node;
    std::string name;  // a document's: "x", "score.W1"
    std::vector<double> values;
    bool input;                           // an input, else a parameter
    std::vector<std::string> words = {};  // of its rows, where they have some

    [[nodiscard]] std::string dotted() const { return (input ? "inputs." : "") + name; }
  };
  struct Result {
    std::string name;  // dotted: "context", "weights.0"
    NodeId node;
  };

  const Graph& graph;
  std::vector<Leaf> leaves;
  std::vector<Result> results;
  std::string title, formula, source;
  std::vector<std::string> modules = {};  // by the nodes' module, "" that of a single mechanism
};

// A complete script in PyTorch or NumPy: the inputs and parameters, one function that follows the
// named steps, and a main block that prints {name: {"shape", "data"}} as JSON.
// Throws Error when a result needs a leaf that the program does not list.
std::string to_python(const Listing& program, bool torch);

// The named steps as an align* environment. No two lines define the same symbol: what several modules call by one letter
// bears the module's name.
std::string to_latex(const Listing& program);

}  // namespace attend
