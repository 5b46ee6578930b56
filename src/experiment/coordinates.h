// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "catalogue/choice.h"

namespace attend {

// Where a choice stands in the survey's taxonomy (Brauwers & Frasincar 2022, section 3): a list of
// {group, name, value, id}, and the published systems with exactly these coordinates.
nlohmann::json coordinates_of(const Choice& mechanism);

}  // namespace attend
