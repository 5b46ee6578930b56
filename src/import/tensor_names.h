// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "import/checkpoint.h"

namespace attend {

// A name against a pattern, in which # is a number and * any text; what they stand for, in order.
std::optional<std::vector<std::string>> match_name(std::string_view name, std::string_view pattern);

// The tensors of a checkpoint by the names that a family's file uses, whatever prefix they have and whatever older or
// other programs call them.
class TensorNames {
 public:
  // "prefixes", "also" and "ignore" of the family's file.
  TensorNames(const Checkpoint& checkpoint, const Json& family);

  // Takes the first prefix with which all these tensors are there; false where there is none.
  bool choose_prefix(const Json& tensors);
  [[nodiscard]] const StoredTensor* find(const std::string& name) const;
  [[nodiscard]] bool is_ignored(const std::string& stored) const;

 private:
  [[nodiscard]] const StoredTensor* exactly(const std::string& name) const;

  const Checkpoint& checkpoint_;
  const Json& family_;
  std::string prefix_;
};

}  // namespace attend
