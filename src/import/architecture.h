// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "import/checkpoint.h"
#include "ops/error.h"

namespace attend {

// Where the numbers of a parameter come from.
struct TensorSource {
  std::string parameter;       // "layer-1.attention.heads.W_Q"
  const StoredTensor* tensor;  // of the checkpoint
  Json layout;                 // the steps of layout.h
  const StoredTensor* times =
      nullptr;  // a vector by which the last axis is multiplied then; LayerScale
};

// Thrown where neither the config nor the shapes determine a size but a reader can: the size divides a known one.
class SizeMissing : public Error {
 public:
  SizeMissing(const std::string& message, std::string of, std::string as,
              std::vector<std::size_t> among)
      : Error("", message), says(std::move(of)), key(std::move(as)), choices(std::move(among)) {}

  std::string says;  // "number of heads"
  std::string key;   // of the config, which takes the answer
  std::vector<std::size_t> choices;
};

// A checkpoint as a document of modules. No number has been read.
struct ImportPlan {
  Json document;
  std::vector<TensorSource> parameters;
  Json writes;  // which input it reads and which module predicts; null where none does
  Json
      report;  // {"architecture", "title", "format", "sizes", "assumed", "used", "tied", "left", "files"}
};

// Recognises the family by its tensors and its config, and applies architectures/<id>.json. Throws Error where no
// family fits, a tensor is missing or one left over may change the result, the config contradicts the tensors, or a
// size is not known.
ImportPlan plan_import(const Checkpoint& checkpoint);

// Every family as its file has it.
const std::vector<Json>& all_architectures();

}  // namespace attend
