// SPDX-License-Identifier: Apache-2.0
// libFuzzer's input as decisions that make a document (made_document.h).
#include <cstdlib>
#include <iostream>

#include "tests/fuzz/laws.h"
#include "tests/fuzz/made_document.h"
#include "tests/fuzz/programs/oracle.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  attend::fuzz::Bytes bytes({data, size});
  const std::string document = attend::fuzz::made_document(bytes).dump();
  std::string broken = attend::fuzz::broken_law(document, size);
  if (broken.empty()) broken = attend::fuzz::broken_beside(document, {data, size});
  if (broken.empty()) return 0;
  std::cerr << broken << '\n' << document << '\n';
  std::abort();
}
