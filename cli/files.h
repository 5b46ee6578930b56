// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

// All bytes of a file. Throws Error where there are none to read.
std::string bytes_of(const std::filesystem::path& file);

// The file that is written first, beside its place.
std::string beside(const std::string& place);

// First beside its place, then renamed: what was there stays whole if anything fails.
void write_file(const std::string& place, const std::string& bytes);
