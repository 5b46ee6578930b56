// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>

#include "kernels/adam.h"
#include "kernels/exponent.h"
#include "kernels/vector.h"

// The functions of elementwise.h that a model spends its time in, for one kind of vector each: they are compiled once
// more for AVX2 and for AVX-512. The same steps on every machine, so the same numbers.
namespace attend::kernels {

// An operation in its three forms: two spans, a number on the right, a number on the left.
struct BinaryLoops {
  void (*spans)(std::span<const real> x, std::span<const real> y, std::span<real> out);
  void (*right)(std::span<const real> x, real y, std::span<real> out);
  void (*left)(real x, std::span<const real> y, std::span<real> out);
};

struct ElementwiseLoops {
  void (*exp)(std::span<const real> x, std::span<real> y);
  void (*tanh)(std::span<const real> x, std::span<real> y);
  void (*sigmoid)(std::span<const real> x, std::span<real> y);
  BinaryLoops add, subtract, multiply, divide, maximum, minimum, greater;
  void (*adam)(const AdamStep& step, std::span<const real> gradient, std::span<real> weight,
               std::span<real> first, std::span<real> second);
};

// For the machine at hand.
const ElementwiseLoops& elementwise_loops();
// Only where ATTEND_AVX2 is defined, for machines that have them.
ElementwiseLoops elementwise_with_avx2();
ElementwiseLoops elementwise_with_avx512();

template <class Arch>
struct Loops {
  using Vector = xsimd::batch<real, Arch>;

  static void exp(std::span<const real> x, std::span<real> y) {
    map<Vector>(x, y, [e = Exponential<Arch>()](Vector v) { return e(v); });
  }

  static void tanh(std::span<const real> x, std::span<real> y) {
    map<Vector>(x, y, HyperbolicTangent<Arch>());
  }

  static void sigmoid(std::span<const real> x, std::span<real> y) {
    map<Vector>(x, y, [e = Exponential<Arch>()](Vector v) {
      // The exponential of a negative number never overflows, and keeps the digits of small results.
      const auto [high, low] = e.pair(-xsimd::abs(v));
      const auto right = v >= Vector(0);
      const Vector below = Vector(1) + high, lost = (high - (below - Vector(1))) + low;
      const Vector result = xsimd::select(right, Vector(1), high) / below;
      return result + (xsimd::select(right, Vector(0), low) - result * lost) / below;
    });
  }

  template <class Operation>
  static BinaryLoops binary() {
    return {[](std::span<const real> x, std::span<const real> y, std::span<real> out) {
              map<Vector>(x, y, out, Operation());
            },
            [](std::span<const real> x, real y, std::span<real> out) {
              map_short<Vector>(x, out, [y = Vector(y)](Vector v) { return Operation()(v, y); });
            },
            [](real x, std::span<const real> y, std::span<real> out) {
              map_short<Vector>(y, out, [x = Vector(x)](Vector v) { return Operation()(x, v); });
            }};
  }

  struct Sum {
    Vector operator()(Vector x, Vector y) const { return x + y; }
  };
  struct Difference {
    Vector operator()(Vector x, Vector y) const { return x - y; }
  };
  struct Product {
    Vector operator()(Vector x, Vector y) const { return x * y; }
  };
  struct Quotient {
    Vector operator()(Vector x, Vector y) const { return x / y; }
  };
  struct Larger {
    Vector operator()(Vector x, Vector y) const { return larger(x, y); }
  };
  struct Smaller {
    Vector operator()(Vector x, Vector y) const { return smaller(x, y); }
  };

  struct Above {
    Vector operator()(Vector x, Vector y) const {
      return xsimd::select(x > y, Vector(1), Vector(0));
    }
  };

  // The same steps for a vector and for one number of the rest.
  template <class Value>
  static void adam_at(const AdamStep& s, Value slope, Value& weight, Value& first, Value& second,
                      Value root_of_second(Value)) {
    slope = slope * Value(s.scale) + Value(s.decay) * weight;
    first = Value(s.b1) * first + Value(s.a1) * slope;
    second = Value(s.b2) * second + Value(s.a2) * slope * slope;
    weight = Value(s.shrink) * weight -
             Value(s.length) * first / (root_of_second(second) * Value(s.root) + Value(s.eps));
  }

  static void adam(const AdamStep& given, std::span<const real> gradient, std::span<real> weight,
                   std::span<real> first, std::span<real> second) {
    const AdamStep step = given;  // which no store can change: it need not be read again
    std::size_t i = 0;
    const std::size_t n = weight.size();
    for (; i + Vector::size <= n; i += Vector::size) {
      Vector w = Vector::load_unaligned(&weight[i]), m = Vector::load_unaligned(&first[i]),
             v = Vector::load_unaligned(&second[i]);
      adam_at<Vector>(step, Vector::load_unaligned(&gradient[i]), w, m, v,
                      [](Vector x) { return xsimd::sqrt(x); });
      w.store_unaligned(&weight[i]);
      m.store_unaligned(&first[i]);
      v.store_unaligned(&second[i]);
    }
    for (; i < n; ++i)
      adam_at<real>(step, gradient[i], weight[i], first[i], second[i],
                    [](real x) { return std::sqrt(x); });
  }

  static ElementwiseLoops all() {
    return {exp,
            tanh,
            sigmoid,
            binary<Sum>(),
            binary<Difference>(),
            binary<Product>(),
            binary<Quotient>(),
            binary<Larger>(),
            binary<Smaller>(),
            binary<Above>(),
            adam};
  }
};

}  // namespace attend::kernels
