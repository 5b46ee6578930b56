// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiment/text/json_parse.h"

namespace attend {

// Another value at a JSON pointer of a document.
struct Change {
  std::string pointer;
  Json value;
};

// Reads {pointer: value}. Throws Error at the pointer whose value is refused.
std::vector<Change> read_changes(std::string_view text);

// Numbers for the lists of numbers at these pointers, one list after the other; each list keeps its
// form. Throws Error at the pointer where the document has no such list or another count of numbers.
std::vector<Change> number_changes(const Json& document, std::span<const std::string> pointers,
                                   std::span<const double> numbers);

// Throws Error at the pointer of a change that a document does not take: where nothing has a member
// of this name, or an object that is not there would need one; and where one change lies within another.
void check_changes(const Json& document, const std::vector<Change>& changes);

// Puts checked changes into a document.
void apply(Json& document, const std::vector<Change>& changes);

}  // namespace attend
