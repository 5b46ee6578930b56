// SPDX-License-Identifier: Apache-2.0
// A toolchain is trusted only after this ran and printed "caught; 2*3+10 = 16 16 16 16".
#include <cstdio>
#include <stdexcept>

using Lanes = float __attribute__((vector_size(16)));

// Through volatile values and a call: the compiler must emit the multiply-add, not its result.
__attribute__((noinline)) Lanes multiply_add(Lanes a, Lanes b, Lanes c) { return a * b + c; }

__attribute__((noinline)) void refuse(int reason) {
  if (reason != 0) throw std::runtime_error("caught");
}

int main() {
  volatile float two = 2;
  volatile float three = 3;
  volatile float ten = 10;
  const Lanes sum = multiply_add(Lanes{two, two, two, two}, Lanes{three, three, three, three},
                                 Lanes{ten, ten, ten, ten});
  try {
    volatile int reason = 1;
    refuse(reason);
  } catch (const std::exception& error) {
    std::printf("%s; 2*3+10 = %g %g %g %g\n", error.what(), static_cast<double>(sum[0]),
                static_cast<double>(sum[1]), static_cast<double>(sum[2]),
                static_cast<double>(sum[3]));
  }
  return 0;
}
