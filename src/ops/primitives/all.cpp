// SPDX-License-Identifier: Apache-2.0
#include <array>

#include "ops/primitives/records.h"

namespace attend {

std::span<const Primitive* const> all_primitives() {
  using namespace primitives;
  static const std::array list{&negative, &exp,     &log,          &sqrt,     &tanh,     &sigmoid,
                               &absolute, &sin,     &cos,          &erf,      &arccos,   &floor,
                               &detach,   &add,     &subtract,     &multiply, &divide,   &maximum,
                               &power,    &greater, &equal,        &where,    &sum,      &max,
                               &argmax,   &cumsum,  &softmax,      &entmax,   &matmul,   &inverse,
                               &reshape,  &permute, &broadcast_to, &slice,    &concat,   &take,
                               &put,      &argsort, &fill,         &iota,     &sinusoid, &scan};
  return list;
}

}  // namespace attend
