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
// other programs call them. torch.compile and data-parallel training put `_orig_mod.` and `module.` before every name.
class TensorNames {
 public:
  // "prefixes", "also", "ignore", "beside" and "effects" of the family's file.
  TensorNames(const Checkpoint& checkpoint, const Json& family);

  // Whether the tensors that the family's file is recognised by are there, and none of those that another family has
  // besides. Takes their prefix.
  bool recognise();
  // Takes the first prefix with which all these tensors are there; false where there is none.
  bool choose_prefix(const Json& tensors);
  [[nodiscard]] const StoredTensor* find(const std::string& name) const;
  // Whether any tensor has a name of this pattern.
  [[nodiscard]] bool any(const std::string& pattern) const;
  // Whether a tensor holds no weights, such as a mask or the state of an optimizer.
  [[nodiscard]] bool is_ignored(const std::string& stored) const;
  // Whether the result does not depend on a tensor: another task's head reads it.
  [[nodiscard]] bool is_beside(const std::string& stored) const;
  // The known effect of a tensor that this family's document lacks; empty where none is known.
  [[nodiscard]] std::string effect_of(const std::string& stored) const;

 private:
  [[nodiscard]] bool matches(const std::string& stored, const char* list) const;
  [[nodiscard]] std::string_view unwrapped(std::string_view stored) const;
  [[nodiscard]] const StoredTensor* exactly(const std::string& name) const;

  const Checkpoint& checkpoint_;
  const Json& family_;
  std::string wrapper_, prefix_;
};

}  // namespace attend
