// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "assembly/builder.h"
#include "experiment/text/json_parse.h"

namespace attend {

// A warning for the reader of a document, and its field.
struct Warning {
  std::string path, message;
};

// Pre-trained vectors of the tokens, in lower case. A word that is not among them gets a random
// vector of the same spread, and a warning that names it. Fills the width into `features`.
Tensor word_features(const std::vector<std::string>& tokens, Json& features, std::uint64_t seed,
                     const std::string& path, std::vector<Warning>& warnings);

}  // namespace attend
