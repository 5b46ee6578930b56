// SPDX-License-Identifier: Apache-2.0
// libFuzzer's input as the text of a document.
#include <cstdlib>
#include <iostream>

#include "tests/fuzz/laws.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string document(reinterpret_cast<const char*>(data), size);
  const std::string broken = attend::fuzz::broken_law(document, size);
  if (broken.empty()) return 0;
  std::cerr << broken << '\n';
  std::abort();
}
