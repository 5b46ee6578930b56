// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string_view>

#include "ops/graph.h"
#include "tests/ops/counted.h"

namespace attend::testing {

// A primitive in plain loops over numbers that count.
using Loop = std::function<void(std::vector<CountedTensor>& in, CountedTensor& out, const Node&)>;

// By the primitive's name.
const std::map<std::string_view, Loop>& counted_loops();

}  // namespace attend::testing
