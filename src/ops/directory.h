// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ops/tensor_record.h"

namespace attend {

// A module of the document: where the document chooses it, what it is, what feeds it.
struct ModuleNode {
  std::string name, type, parent, path;
  struct Wire {
    std::string port, source;
  };
  std::vector<Wire> inputs = {};
};
using Modules = std::vector<ModuleNode>;

// What a wire's source names: a module or an input, and of a module's results one, or none of them in particular.
struct WireSource {
  std::string_view module, result;
};
// "decoder.logits" is the result "logits" of "decoder". No module's name has a dot.
WireSource parts_of_source(std::string_view source);

// The tensors that a program knows, wanted or not, and the modules that they belong to. A pass gives the same records
// other nodes; what the new program has no node for is not in its directory.
class Directory {
 public:
  void add(Record record, NodeId node);
  void set_modules(std::shared_ptr<const Modules> modules) { modules_ = std::move(modules); }

  // In the order of recording.
  [[nodiscard]] const std::vector<KnownTensor>& of(TensorGroup group) const {
    return groups_.at(static_cast<std::size_t>(group));
  }
  [[nodiscard]] const std::vector<KnownTensor>& outputs() const { return of(TensorGroup::outputs); }
  [[nodiscard]] const Modules& modules() const { return *modules_; }
  [[nodiscard]] const std::shared_ptr<const Modules>& shared_modules() const { return modules_; }
  // A tensor by its group and name; null where there is none.
  [[nodiscard]] const KnownTensor* find(TensorGroup group, std::string_view name) const;
  [[nodiscard]] const KnownTensor* output(std::string_view name) const {
    return find(TensorGroup::outputs, name);
  }
  // The end of an error about an output that does not exist: "there are scores, weights, context".
  [[nodiscard]] std::string outputs_for(const std::string& name) const;
  // "scores, weights, context"
  [[nodiscard]] std::string output_names() const;

  // What a wire that names a module alone reads.
  static constexpr std::array wired_alone{MainResult::output, MainResult::context,
                                          MainResult::loss};
  // The main result of a module of the list, or of none of them: the first kind in `order` that it has; null
  // where it has no such result.
  [[nodiscard]] const KnownTensor* main_result(std::optional<std::size_t> module,
                                               std::span<const MainResult> order) const;
  // The same of the document itself: of its only module, or of what a model gives as a whole.
  [[nodiscard]] const KnownTensor* main_result(std::span<const MainResult> order) const;
  // The name of the document's module that a module of the list is, or is part of.
  [[nodiscard]] const std::string& document_module(std::optional<std::size_t> module) const;
  // The result that a wire reads, "decoder" or "decoder.logits"; null where the source is none.
  [[nodiscard]] const KnownTensor* output_behind(std::string_view source) const;

 private:
  [[nodiscard]] std::optional<std::size_t> place_of(std::string_view module) const;

  std::array<std::vector<KnownTensor>, 5> groups_;
  std::shared_ptr<const Modules> modules_ = std::make_shared<const Modules>();
};

// The directory of a program whose tensors have only names.
std::shared_ptr<const Directory> empty_directory();

}  // namespace attend
