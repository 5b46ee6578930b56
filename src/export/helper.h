// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace attend {

// A function of exported code, in PyTorch and in NumPy; empty where the library has it.
struct Helper {
  const char* name;
  const char* torch;
  const char* numpy;
};

}  // namespace attend
