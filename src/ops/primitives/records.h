// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/primitive.h"

// The records, one variable each; defined beside their functions in this folder, listed in all.cpp.
namespace attend::primitives {

extern const Primitive negative, exp, log, sqrt, tanh, sigmoid, absolute, sin, cos, erf, arccos,
    floor, detach;
extern const Primitive add, subtract, multiply, divide, maximum, power, greater, equal, where;
extern const Primitive sum, max, argmax, cumsum, softmax, entmax;
extern const Primitive matmul, inverse;
extern const Primitive reshape, permute, broadcast_to, slice, concat;
extern const Primitive take, put, argsort, fill, iota, sinusoid;
extern const Primitive scan;

}  // namespace attend::primitives
