// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>

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

// How an operand is repeated, if the other one has as many numbers as the result: along each row, or over all rows of a
// matrix.
struct Repeated {
  std::size_t operand;
  bool along_rows;
};
std::optional<Repeated> repeated(const Forward& f) {
  const Shape& out = f.node.shape;
  const std::size_t count = element_count(out), rank = out.size();
  for (const std::size_t k : {0U, 1U}) {
    const Shape& shape = *f.in_shapes[k];
    if (shape.empty() || element_count(*f.in_shapes[1 - k]) != count) continue;
    if (shape.back() == 1 && element_count(shape) * out.back() == count) return Repeated{k, true};
    const bool one_row = shape.size() == 1 || shape[shape.size() - 2] == 1;
    if (shape.back() == out.back() && one_row && out[rank - 2] > 1) return Repeated{k, false};
  }
  return std::nullopt;
}

// An operand that is repeated along the axes of the result before `axis`, so that its numbers for the axes from there
// on, `period` many, come again and again.
struct Periodic {
  std::size_t operand, axis, period;
};
std::optional<Periodic> periodic(const Forward& f) {
  const Shape& out = f.node.shape;
  const std::size_t count = element_count(out), rank = out.size();
  for (const std::size_t k : {0U, 1U}) {
    const Shape& shape = *f.in_shapes[k];
    if (shape.empty() || shape == out || element_count(*f.in_shapes[1 - k]) != count) continue;
    const std::size_t missing = rank - shape.size();
    std::size_t axis = 0, period = count;
    while (axis < rank && (axis < missing || shape[axis - missing] == 1)) period /= out[axis++];
    // Longer ones are runs of their own, unless they are made of short ones.
    const std::size_t most = out.back() < short_run ? Side::size : Side::size / 2;
    if (period > 1 && period <= most && 2 * period <= count) return Periodic{k, axis, period};
  }
  return std::nullopt;
}

// Computes some rows of the result from the other operand's, which are read in place, and from what was laid out for as
// many rows.
struct Rows {
  const Forward& f;
  std::size_t laid;  // the operand
  void (*kernel)(Span, Span, Out);
  std::array<real, Side::size> room = {};
  std::size_t columns = f.node.shape.back(), most = room.size() / columns, done = 0;

  void compute(std::size_t rows) {
    const std::size_t count = rows * columns;
    const Span repeated(room.data(), count), other(f.in[1 - laid] + done, count);
    const Out out(f.out + done, count);
    laid == 0 ? kernel(repeated, other, out) : kernel(other, repeated, out);
    done += count;
  }
};

void in_rows(Rows rows) {
  const real* number = rows.f.in[rows.laid];
  for (std::size_t left = element_count(rows.f.node.shape) / rows.columns; left > 0;) {
    const std::size_t count = std::min(rows.most, left);
    for (std::size_t i = 0; i < count; ++i)
      std::fill_n(&rows.room[i * rows.columns], rows.columns, *number++);
    rows.compute(count);
    left -= count;
  }
}

// Whole periods behind each other, once for all of the result.
void in_periods(Rows rows, std::size_t axis) {
  const Shape& out = rows.f.node.shape;
  const Shape& shape = *rows.f.in_shapes[rows.laid];
  const std::size_t missing = out.size() - shape.size(), period = rows.columns;
  const real* const in = rows.f.in[rows.laid];
  for_each_run<1>(Extents(out).subspan(axis),
                  {Extents(shape).subspan(axis < missing ? 0 : axis - missing)},
                  [&](std::size_t at, const auto& offset, std::size_t run, const auto& step) {
                    for (std::size_t i = 0; i < run; ++i)
                      rows.room[at + i] = in[offset[0] + i * step[0]];
                  });
  std::size_t left = element_count(out) / period;
  const std::size_t together = std::min(rows.most, left);
  for (std::size_t i = 1; i < together; ++i)
    std::copy_n(rows.room.begin(), period, &rows.room[i * period]);
  for (; left > 0; left -= std::min(together, left)) rows.compute(std::min(together, left));
}

void in_matrices(Rows rows) {
  const Shape& out = rows.f.node.shape;
  const std::size_t height = out[out.size() - 2], together = std::min(rows.most, height);
  const Strides steps = broadcast_strides(*rows.f.in_shapes[rows.laid], out);
  Strides at{};  // the place of a matrix
  const real *row = rows.f.in[rows.laid], *laid = nullptr;
  for (std::size_t matrices = element_count(out) / (height * rows.columns); matrices > 0;
       --matrices) {
    for (std::size_t i = 0; row != laid && i < together; ++i)
      std::copy_n(row, rows.columns, &rows.room[i * rows.columns]);
    laid = row;
    for (std::size_t i = 0; i < height; i += together) rows.compute(std::min(together, height - i));
    for (std::size_t axis = out.size() - 2; axis-- > 0;) {
      row += steps[axis];
      if (++at[axis] < out[axis]) break;
      row -= steps[axis] * at[axis];
      at[axis] = 0;
    }
  }
}

}  // namespace

bool has_short_runs(const Forward& f) {
  const Shape& out = f.node.shape;
  const std::size_t rank = out.size();
  // As most are: alike, or one is a number. Without a call: a scan asks at each of its steps.
  const auto plain = [&](const Shape* shape) {
    if (shape->empty()) return true;
    if (shape->size() != rank) return false;
    for (std::size_t axis = 0; axis < rank; ++axis) {
      if ((*shape)[axis] != out[axis]) return false;
    }
    return true;
  };
  if (rank < 2 || (plain(f.in_shapes[0]) && plain(f.in_shapes[1])) || element_count(out) == 0)
    return false;
  if (periodic(f)) return true;
  if (out.back() >= short_run || out.back() <= 1) return false;
  if (repeated(f)) return element_count(out) > out.back();
  if (out[rank - 2] == 1) return false;
  const auto ends = [&](const Shape* shape) {
    const Strides steps = broadcast_strides(*shape, out);
    return steps[rank - 2] != steps[rank - 1] * out.back();
  };
  return ends(f.in_shapes[0]) || ends(f.in_shapes[1]);
}

void in_longer_runs(const Forward& f, void (*kernel)(Span, Span, Out)) {
  if (const auto one = periodic(f))
    return in_periods({f, one->operand, kernel, {}, one->period}, one->axis);
  if (const auto one = repeated(f))
    return one->along_rows ? in_rows({f, one->operand, kernel})
                           : in_matrices({f, one->operand, kernel});
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
