// SPDX-License-Identifier: Apache-2.0
// Rows go in blocks of a few. What one block gives to another passes the decays in between, so that it can carry them
// up to the border of the block, and the rest is one product of matrices; only pairs within a block are taken one by
// one.
#include "kernels/decays.h"

#include <algorithm>
#include <span>

#include "kernels/elementwise.h"
#include "kernels/matmul.h"
#include "kernels/row_loops.h"
#include "kernels/scratch.h"

namespace attend::kernels {
namespace {

constexpr std::size_t block = 8;

// Rows of `width` numbers.
struct Wide {
  std::size_t width;

  [[nodiscard]] std::span<const real> at(const real* x, std::size_t row) const {
    return {x + row * width, width};
  }
  [[nodiscard]] std::span<real> at(real* x, std::size_t row) const {
    return {x + row * width, width};
  }
};

// A pass over the blocks of rows, from the first or from the last; `carried` holds the rows of the blocks that were
// passed, each with all decays up to the block at hand.
class Pass {
 public:
  Pass(Decays decays, const real* rows, bool back)
      : decays_(decays),
        wide_{decays.width},
        rows_(rows),
        back_(back),
        room_((decays.count + block + 1) * decays.width),
        base_(room_.data()) {}

  // Calls at(start, stop) for each block.
  template <class At>
  void run(At at) {
    const std::size_t blocks = (decays_.count + block - 1) / block;
    for (std::size_t k = 0; k < blocks; ++k) {
      const std::size_t start = (back_ ? blocks - 1 - k : k) * block;
      const std::size_t stop = std::min(start + block, decays_.count);
      to_border(start, stop);
      at(start, stop);
      if (k + 1 < blocks) carry(start, stop);
    }
  }

  // The rows of the blocks that were passed; they are those before `start`, or, backwards, those from `stop` on.
  [[nodiscard]] const real* carried(std::size_t first) const {
    return base_ + first * decays_.width;
  }
  // Of each row of the block all decays between it and what was carried.
  [[nodiscard]] std::span<const real> border(std::size_t row_of_block) const {
    return {base_ + (decays_.count + row_of_block) * decays_.width, decays_.width};
  }

 private:
  [[nodiscard]] std::span<real> row(std::size_t k) const {
    return {base_ + k * decays_.width, decays_.width};
  }

  void to_border(std::size_t start, std::size_t stop) {
    const std::size_t n = stop - start;
    for (std::size_t k = 0; k < n; ++k) {
      const std::size_t i = back_ ? n - 1 - k : k;
      const std::span<real> to = row(decays_.count + i);
      if (k == 0) {
        std::fill(to.begin(), to.end(), real(1));
      } else {
        const std::size_t before = back_ ? i + 1 : i - 1;
        multiply(border(before), wide_.at(decays_.rows, start + before), to);
      }
    }
  }

  void carry(std::size_t start, std::size_t stop) {
    const std::size_t last = back_ ? 0 : stop - start - 1;
    const std::span<real> whole =
        row(decays_.count + block);  // the decays of all rows of the block
    multiply(border(last), wide_.at(decays_.rows, start + last), whole);
    const std::size_t first = back_ ? stop : 0, end = back_ ? decays_.count : start;
    for (std::size_t j = first; j < end; ++j) multiply(row(j), whole, row(j));
    // A row of the block itself passes what lies on its other side.
    std::fill(whole.begin(), whole.end(), real(1));
    for (std::size_t k = 0; k < stop - start; ++k) {
      const std::size_t j = back_ ? start + k : stop - 1 - k;
      multiply(wide_.at(rows_, j), whole, row(j));
      multiply(whole, wide_.at(decays_.rows, j), whole);
    }
  }

  Decays decays_;
  Wide wide_;
  const real* rows_;
  bool back_;
  Scratch<real> room_;
  real* base_;
};

// With one decay for all: row i is row i - 1, faded once more, and what stands at i - 1.
void single_decayed_pairs(const real* decay, std::size_t count, const real* x, const real* y,
                          real* out) {
  Scratch<real> room(count);
  const std::span<real> left(room.data(), count);
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) {
      multiply(left.first(i - 1), decay[i - 1], left.first(i - 1));
      left[i - 1] = y[i - 1];
      multiply(left.first(i), x[i], {out + i * count, i});
    }
    std::fill_n(out + i * count + i, count - i, real(0));
  }
}

}  // namespace

void decayed_pairs(Decays decays, const real* x, const real* y, real* out) {
  const auto [rows, count, width] = decays;
  if (width == 1) return single_decayed_pairs(rows, count, x, y, out);
  const Wide wide{width};
  const auto dots = row_loops().fading_dots;
  Scratch<real> near(block * width);
  Pass pass(decays, y, false);
  pass.run([&, rows = rows, count = count, width = width](std::size_t start, std::size_t stop) {
    for (std::size_t i = start; i < stop; ++i) {
      multiply(wide.at(x, i), pass.border(i - start), wide.at(near.data(), i - start));
      std::fill_n(out + i * count + start, count - start, real(0));
    }
    if (start > 0)
      matmul({near.data(), width, false}, {pass.carried(0), width, true}, out + start * count,
             count, stop - start, start, width);
    for (std::size_t i = start + 1; i < stop; ++i) {
      std::copy_n(x + i * width, width, near.data());
      dots(near.data(), y + start * width, rows + start * width, out + i * count + start, i - start,
           width);
    }
  });
}

void decayed_sums(Decays decays, const real* w, const real* y, real* out) {
  const auto [rows, count, width] = decays;
  const auto fade = row_loops().fade;
  Scratch<real> room(width);
  real* const sum = room.data();
  Pass pass(decays, y, false);
  pass.run([&](std::size_t start, std::size_t stop) {
    matmul({w + start * count, count, false}, {pass.carried(0), width, false}, out + start * width,
           width, stop - start, width, start);
    for (std::size_t i = start; i < stop; ++i) {
      std::fill_n(sum, width, real(0));
      for (std::size_t j = start; j < i; ++j)
        fade(sum, rows + j * width, w[i * count + j], y + j * width, width);
      real* const to = out + i * width;
      multiply({to, width}, pass.border(i - start), {to, width});
      add({to, width}, {sum, width}, {to, width});
    }
  });
}

void decayed_sums_back(Decays decays, const real* w, const real* x, real* out) {
  const auto [rows, count, width] = decays;
  const auto fade = row_loops().fade;
  Scratch<real> room(width);
  real* const sum = room.data();
  Pass pass(decays, x, true);
  pass.run([&](std::size_t start, std::size_t stop) {
    matmul({w + stop * count + start, count, true}, {pass.carried(stop), width, false},
           out + start * width, width, stop - start, width, count - stop);
    for (std::size_t j = start; j < stop; ++j) {
      std::fill_n(sum, width, real(0));
      for (std::size_t i = stop; i-- > j + 1;)
        fade(sum, rows + i * width, w[i * count + j], x + i * width, width);
      real* const to = out + j * width;
      multiply({to, width}, pass.border(j - start), {to, width});
      add({to, width}, {sum, width}, {to, width});
    }
  });
}

// For each later row what reached it, decay by decay, and then back from it what each decay had before it.
void decay_slopes(Decays decays, const real* w, const real* x, const real* y, real* out) {
  const auto [rows, count, width] = decays;
  const Wide wide{width};
  const auto fade = row_loops().fade;
  std::fill_n(out, count * width, real(0));
  Scratch<real> reached((count + 3) * width);
  real* const behind =
      reached.data() + count * width;  // what the later row does to a number after all decays
  real* const part = behind + width;
  for (std::size_t i = 2; i < count; ++i) {
    std::fill_n(reached.data(), width, real(0));
    for (std::size_t s = 0; s + 1 < i; ++s) {  // up to the row s + 1
      std::copy_n(reached.data() + s * width, width, reached.data() + (s + 1) * width);
      fade(reached.data() + (s + 1) * width, rows + s * width, w[i * count + s], y + s * width,
           width);
    }
    std::copy_n(x + i * width, width, behind);
    for (std::size_t s = i; s-- > 1;) {
      multiply({behind, width}, {reached.data() + s * width, width}, {part, width});
      add({out + s * width, width}, {part, width}, {out + s * width, width});
      multiply({behind, width}, wide.at(rows, s), {behind, width});
    }
  }
}

void solve_triangle(const real* a, const real* b, real* out, std::size_t count, std::size_t width,
                    bool transposed) {
  const auto append = row_loops().append;
  const std::size_t blocks = (count + block - 1) / block;
  for (std::size_t k = 0; k < blocks; ++k) {
    const std::size_t start = (transposed ? blocks - 1 - k : k) * block,
                      stop = std::min(start + block, count);
    real* const to = out + start * width;
    // What the rows that are solved already do to this block.
    if (transposed)
      matmul({a + stop * count + start, count, true}, {out + stop * width, width, false}, to, width,
             stop - start, width, count - stop);
    else
      matmul({a + start * count, count, false}, {out, width, false}, to, width, stop - start, width,
             start);
    subtract({b + start * width, (stop - start) * width}, {to, (stop - start) * width},
             {to, (stop - start) * width});
    for (std::size_t t = 0; t < stop - start; ++t) {
      const std::size_t i = transposed ? stop - 1 - t : start + t;
      const std::size_t first = transposed ? i + 1 : start, end = transposed ? stop : i;
      for (std::size_t j = first; j < end; ++j)
        append(out + i * width, -(transposed ? a[j * count + i] : a[i * count + j]),
               out + j * width, width);
    }
  }
}

}  // namespace attend::kernels
