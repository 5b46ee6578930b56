// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "experiment/text/json_parse.h"

namespace attend {

// Chooses the files of a folder that belong to its model.
struct FileChoice {
  std::vector<std::string> taken;
  Json left = Json::array();  // [{"file", "why"}]: what holds weights, and is passed over
};

// A folder often has a model twice, or what its training keeps: of the forms of weights the first of safetensors, GGUF,
// npz, PyTorch's .bin and .pt is taken. Names that no reader knows are passed over without a word.
FileChoice choose_files(const std::vector<std::string>& names);

}  // namespace attend
