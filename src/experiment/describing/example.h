// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "catalogue/mechanism.h"
#include "experiment/text/json_parse.h"

namespace attend {

// A small document that puts the mechanism to work, with random matrices as inputs: what the tests
// run for every mechanism, and what a reader gets to start from. The inputs have the sizes that
// `beside` asks for too.
Json example_document(const Mechanism& mechanism, std::uint64_t seed = 1,
                      const Mechanism* beside = nullptr);

}  // namespace attend
