// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace attend {

// A page of Markdown about every mechanism, from the catalogue's data: formula, source, parameters,
// knobs, inputs, what it cannot stand beside, how it learns, and a document to start from.
std::string docs_text();

}  // namespace attend
