// SPDX-License-Identifier: Apache-2.0
#include "ops/ratio.h"

#include "ops/compose.h"

namespace attend {

Var ratio(Var above, Var below) {
  return above / where(equal(below, scalar(below, 0)), scalar(below, 1), below);
}

}  // namespace attend
