// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

// The document with so many rows at a time in every core that computes rows in chunks. Error if it has none.
std::string in_chunks(const std::string& document, std::size_t rows);
