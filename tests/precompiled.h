// SPDX-License-Identifier: Apache-2.0
// What nearly every test reads, compiled once (target_precompile_headers). No test relies on it.
#pragma once

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "catalogue/slots.h"
#include "experiment/running/run.h"
#include "ops/primitives.h"
