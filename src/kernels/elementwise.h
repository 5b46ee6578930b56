// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "kernels/real.h"

// One number in, one number out. All spans of a call have the same length (0 is allowed) and need
// no alignment. The output may be exactly an input, and may not overlap one in any other way. An
// element's result does not depend on its position. NaN in gives NaN out everywhere but in
// `greater`, in `maximum`, `minimum`, `relu` and `sign` too.
namespace attend::kernels {

// Overflow gives infinity; a result below the smallest normal number may come back as 0.
void exp(std::span<const real> x, std::span<real> y);
// log 0 = -infinity, and NaN for a negative.
void log(std::span<const real> x, std::span<real> y);
void sqrt(std::span<const real> x, std::span<real> y);
void tanh(std::span<const real> x, std::span<real> y);
// 1 / (1 + e^-x), without overflow on either side.
void sigmoid(std::span<const real> x, std::span<real> y);
void relu(std::span<const real> x, std::span<real> y);
void absolute(std::span<const real> x, std::span<real> y);
void negative(std::span<const real> x, std::span<real> y);
void reciprocal(std::span<const real> x, std::span<real> y);
// Radians; right for large arguments too.
void sin(std::span<const real> x, std::span<real> y);
void cos(std::span<const real> x, std::span<real> y);
void erf(std::span<const real> x, std::span<real> y);
// NaN outside [-1, 1].
void arccos(std::span<const real> x, std::span<real> y);
void floor(std::span<const real> x, std::span<real> y);
void ceil(std::span<const real> x, std::span<real> y);
// -1, 0 or 1.
void sign(std::span<const real> x, std::span<real> y);

// Two operands: out_i = x_i (op) y_i; a plain number stands for a span that is constant.
void add(std::span<const real> x, std::span<const real> y, std::span<real> out);
void add(std::span<const real> x, real y, std::span<real> out);
void add(real x, std::span<const real> y, std::span<real> out);

void subtract(std::span<const real> x, std::span<const real> y, std::span<real> out);
void subtract(std::span<const real> x, real y, std::span<real> out);
void subtract(real x, std::span<const real> y, std::span<real> out);

void multiply(std::span<const real> x, std::span<const real> y, std::span<real> out);
void multiply(std::span<const real> x, real y, std::span<real> out);
void multiply(real x, std::span<const real> y, std::span<real> out);

void divide(std::span<const real> x, std::span<const real> y, std::span<real> out);
void divide(std::span<const real> x, real y, std::span<real> out);
void divide(real x, std::span<const real> y, std::span<real> out);

void maximum(std::span<const real> x, std::span<const real> y, std::span<real> out);
void maximum(std::span<const real> x, real y, std::span<real> out);
void maximum(real x, std::span<const real> y, std::span<real> out);

void minimum(std::span<const real> x, std::span<const real> y, std::span<real> out);
void minimum(std::span<const real> x, real y, std::span<real> out);
void minimum(real x, std::span<const real> y, std::span<real> out);

// 1 where x_i is the larger, else 0; 0 where either is NaN.
void greater(std::span<const real> x, std::span<const real> y, std::span<real> out);
void greater(std::span<const real> x, real y, std::span<real> out);
void greater(real x, std::span<const real> y, std::span<real> out);

}  // namespace attend::kernels
