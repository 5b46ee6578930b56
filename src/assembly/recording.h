// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/scope.h"
#include "catalogue/vocabulary.h"
#include "ops/directory.h"
#include "ops/weight_store.h"

namespace attend {

// A leaf of a program, and where its numbers come from: an input, a given parameter, the seed, or a knob.
struct Leaf {
  std::string key;  // "inputs.x", or the parameter's dotted name: what the program calls it
  NodeId node = 0;  // of the graph as it was recorded
  Shape shape = {};
  enum class Kind { input, parameter, constant } kind = Kind::parameter;
  const Tensor* given = nullptr;  // numbers of the document
  Distribution distribution = Distribution::weight;
  const Knob* knob = nullptr;            // of a number that a knob gives; `key` is its JSON pointer
  double plus = 0;                       // added to that
  std::size_t below = 0;                 // of indices: the number that they lie below
  double start = 0;                      // of a stated parameter: its number
  Interval values = {};                  // what a document may give
  std::string input = {};                // of an input: its name in the document
  const WeightTensor* stored = nullptr;  // numbers of a file of weights
  Record record = {};                    // none of a constant

  // Whether the document or a file gives its numbers; others are drawn, or stated by the mechanism.
  [[nodiscard]] bool is_given() const { return given != nullptr || stored != nullptr; }
  // The name that a document has for it.
  [[nodiscard]] const std::string& name() const { return kind == Kind::input ? input : key; }
};

// A warning for the reader, given after a run in which `of` was computed and `when` is not all 0.
// Both are nodes of the graph as it was recorded.
struct Caution {
  std::string path, message;
  NodeId of, when;
  bool by_row = false;  // `when` has an axis of rows in front, each warned of by itself
};

// A list of tokens on whose form the program depends: those of an input, or a list that a module made.
struct ReadForm {
  std::string tokens;
  WordForm form;
};

using KnobsByName = std::map<std::string, KnobValue, std::less<>>;

// What a document's recording leaves behind besides its graph and the directory of its tensors.
struct Recording {
  std::vector<Leaf> leaves;  // the program's, but for those that a pass adds
  std::vector<Caution> cautions;
  std::set<std::string> baked;  // JSON pointers of knobs that the recording itself depends on
  std::map<std::string, std::vector<std::string>>
      labels;  // by the symbol of an axis of a document of one module
  std::map<std::string, std::vector<std::string>, std::less<>>
      tokens;                                   // by input, or the list that a module made
  std::map<std::string, KnobsByName> resolved;  // knobs by the slot's path

  std::map<std::string, std::string>
      labelled;                      // by the symbol in `labels`: the input whose words they are
  std::set<std::string> words_read;  // inputs on whose words, and not only their number, it depends
  std::vector<ReadForm> forms;
  std::map<NodeId, WordRows> words;  // leaves that represent the tokens of an input, one-hot
  std::map<std::string, std::size_t, std::less<>> places;  // of the leaves, by key
  std::deque<Tensor> constants;  // a deque: leaves point into it, wherever the recording goes

  // The leaf that a program calls by this key; null for one that a pass added.
  [[nodiscard]] const Leaf* leaf(std::string_view key) const;
  // Other words for the rows of an input whose words nothing depends on.
  void relabel(const std::string& input, const std::vector<std::string>& now);
};

}  // namespace attend
