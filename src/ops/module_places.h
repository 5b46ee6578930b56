// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "ops/error.h"
#include "ops/graph.h"

namespace attend {

// Where a document chooses a module, and which mechanism that is.
struct ModulePlace {
  std::string path, id;
};

// An Error about what a node computes: at its module's place, or at that of the document if no module recorded it.
[[nodiscard]] Error error_of_numbers(const Node& node, const std::string& message);
// Throws it.
[[noreturn]] void refuse_numbers(const Node& node, const std::string& message);

// While it lives, what is refused of a node is blamed on the module that the node was recorded in.
class ModulePlaces {
 public:
  explicit ModulePlaces(std::vector<ModulePlace> places);
  ~ModulePlaces();
  ModulePlaces(const ModulePlaces&) = delete;
  ModulePlaces& operator=(const ModulePlaces&) = delete;
  ModulePlaces(ModulePlaces&&) = delete;
  ModulePlaces& operator=(ModulePlaces&&) = delete;

  // The node that was refused while it lived; null where none was.
  [[nodiscard]] const Node* refused() const { return refused_; }

 private:
  friend Error error_of_numbers(const Node& node, const std::string& message);
  std::vector<ModulePlace> places_;
  mutable const Node* refused_ = nullptr;
  const ModulePlaces* outer_;
};

// While it lives, what a pass records in a graph, or in the step that is being recorded there, belongs to a module.
class RecordedFor {
 public:
  RecordedFor(Graph& graph, std::uint32_t module)
      : whole_(graph), step_(graph.innermost()), before_{whole_.module, step_.module} {
    whole_.module = step_.module = module;
  }
  ~RecordedFor() {
    whole_.module = before_[0];
    step_.module = before_[1];
  }
  RecordedFor(const RecordedFor&) = delete;
  RecordedFor& operator=(const RecordedFor&) = delete;
  RecordedFor(RecordedFor&&) = delete;
  RecordedFor& operator=(RecordedFor&&) = delete;

 private:
  Graph& whole_;
  Graph& step_;
  std::array<std::uint32_t, 2> before_;
};

}  // namespace attend
