// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/error.h"

namespace attend {

// A tensor or a graph beyond what may be recorded. It has its own type, so that a part that a result can do without is
// left out for its size alone, and every other error is still reported.
class TooLarge : public Error {
 public:
  using Error::Error;
};

// A graph beyond it. Whoever knows the modules says which of them repeats so often.
class TooManyOperations : public TooLarge {
 public:
  using TooLarge::TooLarge;
};

}  // namespace attend
