// SPDX-License-Identifier: Apache-2.0
#include "cli/files.h"

#include <fstream>
#include <iterator>

#include "ops/error.h"

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::error_code none;
  if (!stream || std::filesystem::is_directory(file, none))
    attend::refuse("", "cannot read the file \"" + file.string() + "\"");
  return {std::istreambuf_iterator<char>(stream), {}};
}

std::string beside(const std::string& place) { return place + ".part"; }

void write_file(const std::string& place, const std::string& bytes) {
  {
    std::ofstream stream(beside(place), std::ios::binary);
    stream << bytes;
    if (!stream.flush()) attend::refuse("", "cannot write the file \"" + place + "\"");
  }
  std::filesystem::rename(beside(place), place);
}
