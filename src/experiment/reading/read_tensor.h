// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "catalogue/knob.h"
#include "experiment/reading/members.h"
#include "experiment/text/json_parse.h"

namespace attend {

// Numbers written as a number, a list, nested lists, or {"shape": [...], "data": [...]}. Throws
// Error naming the cell.
// With `nulls`, null means minus infinity.
Tensor read_tensor(const Json& json, const std::string& path, bool nulls = false);

// The same where a matrix is meant: a flat list is one row.
Tensor read_matrix(const Json& json, const std::string& path, bool nulls = false);

// A whole number of at least `lowest`. Throws Error at `path`.
std::size_t read_count(const Json& json, const std::string& path, std::size_t lowest);

// The member `name` of an object, or null; and a check that an object has no other members than
// these.
const Json* member(const Json& object, std::string_view name);
void check_members(const Json& object, const std::string& path, Members allowed);
void check_members(const Json& object, const std::string& path,
                   const std::vector<std::string_view>& allowed);

}  // namespace attend
