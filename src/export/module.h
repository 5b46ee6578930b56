// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "export/symbolic.h"
#include "ops/graph.h"

namespace attend {

// A document as a PyTorch module or as a NumPy function: the batched computation with sizes as expressions, and what
// its leaves are.
struct ModuleListing {
  enum class Library { torch, numpy };
  struct Leaf {
    enum class Kind { input, words, weight, noise, dropout, constant };
    NodeId node;
    Kind kind;
    std::string name;                          // dotted, without "inputs."
    std::string input;                         // of an input or words: the document's input
    std::vector<std::string> vocabulary = {};  // of words, by index
    bool after_start = false;                  // <start>, and then all words but the last
    // What a weight begins with, what a noise is drawn from, or which constant it is: "given", in `values`, or one that
    // the code computes for each length, "distances" or "zero".
    std::string distribution = {};
    std::size_t below = 0;            // of drawn indices
    std::vector<double> values = {};  // of a constant
  };
  struct Result {
    std::string name;
    NodeId node;
    bool map;  // given only to those who ask for maps
  };
  struct Module {
    std::string name;
    std::size_t parent;     // index in the list; itself for one of the document's own
    std::string says = {};  // the title of its type
    std::vector<std::string> parts =
        {};  // what it is made of: its formula, and each chosen part with its own
  };
  struct Input {
    std::string name;
    std::size_t symbol;  // of its rows, among the graph's names; 0 where the length is fixed
    std::size_t least;   // rows that it needs
    std::size_t most;    // rows that it can have; 0 for any number
    std::string fixed;   // why its length is fixed, where it is
  };

  const SymbolicGraph& graph;
  std::vector<Leaf> leaves;
  std::vector<Result> results;
  std::vector<Module> modules;  // by the nodes' module
  std::vector<Input> inputs;
  bool one_by_one =
      false;  // the steps depend on the size of the batch: examples are run one after the other
  Library library = Library::torch;
  double dropout = 0;
  std::set<NodeId> causal = {};  // masks that allow a query the keys up to its own place
  std::string title = {}, formula = {}, source = {}, document = {};
};

// One Python file with the class `Model`, or with the function `model`. Throws Error when the document cannot be
// written so.
std::string to_module(const ModuleListing& listing);
std::string to_numpy_module(const ModuleListing& listing);

}  // namespace attend
