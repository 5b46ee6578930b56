// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ops/primitives/binary.h"

namespace attend::binary {
namespace {

constexpr std::size_t short_run = 32;

// An operand of several runs. It is read in place as long as one run lies behind the other, or else copied. A run that
// is repeated stays there from one time to the next.
class Side {
 public:
  void begin(const real* at, std::size_t step) {
    first_ = at;
    in_place_ = step == 1;
  }
  void take(const real* at, std::size_t step, std::size_t filled, std::size_t count) {
    if (in_place_ && at == first_ + filled) return;
    if (in_place_) {
      in_place_ = false;
      if (filled != count || first_ != repeated_) copy(first_, 1, 0, filled, count);
    }
    if (at != repeated_ || filled + count > laid_) copy(at, step, filled, count, count);
  }
  [[nodiscard]] const real* numbers() const { return in_place_ ? first_ : room_.data(); }

  static constexpr std::size_t size = 512;

 private:
  void copy(const real* at, std::size_t step, std::size_t filled, std::size_t many,
            std::size_t run) {
    for (std::size_t i = 0; i < many; ++i) room_[filled + i] = at[i * step];
    const bool again = at == repeated_ && filled == laid_;
    repeated_ = again || (filled == 0 && many == run) ? at : nullptr;
    laid_ = filled + many;
  }

  const real* first_ = nullptr;
  bool in_place_ = false;
  const real* repeated_ = nullptr;  // its run fills the room again and again, up to laid_
  std::size_t laid_ = 0;
  std::array<real, size> room_;
};

}  // namespace

bool has_short_runs(const Forward& f) {
  const Shape& out = f.node.shape;
  const std::size_t rank = out.size();
  if (rank < 2 || out.back() >= short_run || out.back() == 1 || out[rank - 2] == 1) return false;
  const auto ends = [&](const Shape* shape) {
    const Strides steps = broadcast_strides(*shape, out);
    return steps[rank - 2] != steps[rank - 1] * out.back();
  };
  return ends(f.in_shapes[0]) || ends(f.in_shapes[1]);
}

void in_longer_runs(const Forward& f, void (*kernel)(Span, Span, Out)) {
  Side a, b;
  real* out = f.out;
  std::size_t filled = 0;
  const auto compute = [&] {
    kernel({a.numbers(), filled}, {b.numbers(), filled}, {out, filled});
    out += filled;
    filled = 0;
  };
  by_run(f, [&](const real* x, std::size_t sx, const real* y, std::size_t sy, real*,
                std::size_t count) {
    if (filled + count > Side::size) compute();
    if (filled == 0) {
      a.begin(x, sx);
      b.begin(y, sy);
    }
    a.take(x, sx, filled, count);
    b.take(y, sy, filled, count);
    filled += count;
  });
  if (filled > 0) compute();
}

}  // namespace attend::binary
