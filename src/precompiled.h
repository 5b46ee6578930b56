// SPDX-License-Identifier: Apache-2.0
// The headers of the standard library that nearly every file of a layer reads. They are compiled once for the layer,
// because reading them takes longer than compiling most files.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>
