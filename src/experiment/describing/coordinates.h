// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>

#include "experiment/reading/document.h"

namespace attend {

// The coordinates of a document in the survey's taxonomy (Brauwers & Frasincar 2022, section 3): a list of
// {group, name, value, id}, several of one name where its modules differ. A value of null: the title of
// the mechanism `id`.
nlohmann::json coordinates_of(const Document& document);

}  // namespace attend
