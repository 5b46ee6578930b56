// SPDX-License-Identifier: Apache-2.0
// What nearly every test below the catalogue reads, compiled once (target_precompile_headers). No test relies on it.
#pragma once

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <functional>
#include <string>
#include <vector>

#include "ops/primitives.h"
