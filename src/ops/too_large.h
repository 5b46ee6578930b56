// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/error.h"

namespace attend {

// A tensor or a graph beyond what may be recorded. A kind of its own, so that a part that a result can do without is
// left out for its size alone, and every other error is still told.
class TooLarge : public Error {
 public:
  using Error::Error;
};

}  // namespace attend
