// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assembly/builder.h"
#include "experiment/reading/word_features.h"
#include "experiment/text/json_parse.h"

namespace attend {

// Every input of a document as numbers. Fills the defaults of token features into `inputs` (the
// width, the type), so that the normalised document has them. Throws Error naming the field; doubtful
// values that are no errors are reported in `warnings`.
Builder::Inputs read_inputs(Json& inputs, std::uint64_t seed, const std::string& path,
                            std::vector<Warning>& warnings);

// That a document's inputs are an object; whether each of them is right says read_inputs.
void check_is_inputs(const Json& inputs, const std::string& path);

// A list of words.
std::vector<std::string> read_texts(const Json& json, const std::string& path);

}  // namespace attend
