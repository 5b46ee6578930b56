// SPDX-License-Identifier: Apache-2.0
// The documents that files of decisions make, one a line: what the corpus keeps, because the same
// decisions make another document when the catalogue grows.
#include <fstream>
#include <iostream>
#include <iterator>
#include <vector>

#include "tests/fuzz/made_document.h"

int main(int count, char** files) {
  for (int i = 1; i < count; ++i) {
    std::ifstream stream(files[i], std::ios::binary);
    const std::vector<char> read{std::istreambuf_iterator<char>(stream), {}};
    attend::fuzz::Bytes bytes({reinterpret_cast<const std::uint8_t*>(read.data()), read.size()});
    std::cout << attend::fuzz::made_document(bytes).dump() << '\n';
  }
}
