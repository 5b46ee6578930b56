// SPDX-License-Identifier: Apache-2.0
#include "tests/fused/trial.h"

#include <algorithm>
#include <cmath>

namespace attend::fused_tests {

using sweep::wide;

Tensor::Tensor(std::size_t heads, std::size_t row_count, std::size_t col_count,
               std::size_t first_place, real value)
    : rows(row_count), cols(col_count), row(cols + 3), head(rows * row + 5), place(first_place) {
  numbers.assign(place + heads * head + 8, value);
}

real& Tensor::at(std::size_t h, std::size_t i, std::size_t c) {
  return numbers[place + h * head + i * row + c];
}

Trial::Trial(const Setting& s, std::uint64_t seed) : setting(s) {
  sweep::Numbers numbers(seed);
  const auto draw = [&](std::size_t heads, std::size_t rows, std::size_t cols, double size) {
    Tensor x(heads, rows, cols, s.place, mark);
    for (std::size_t h = 0; h < heads; ++h) {
      for (std::size_t i = 0; i < rows; ++i) {
        for (std::size_t c = 0; c < cols; ++c) x.at(h, i, c) = numbers.next(-size, size);
      }
    }
    return x;
  };
  const std::size_t key_heads = s.shared_keys ? 1 : s.heads;
  q = draw(s.heads, s.m, s.d, s.size);
  k = draw(key_heads, s.n, s.d, s.size);
  v = draw(key_heads, s.n, s.dv, 1);
  bias = draw(s.shared_bias ? 1 : s.heads, s.shared_bias ? 1 : s.m, s.n, 2);
  mask = draw(s.heads, s.m, s.n, 1);
  for (real& x : mask.numbers) x = x > real(-0.3) ? 1 : 0;
  out_gradient = draw(s.heads, s.m, s.dv, 1);
  const auto blank = [](const Tensor& like, std::size_t heads) {
    return Tensor(heads, like.rows, like.cols, like.place, mark);
  };
  out = blank(out_gradient, s.heads);
  q_gradient = blank(q, s.heads);
  k_gradient = blank(k, key_heads);
  v_gradient = blank(v, key_heads);
  bias_gradient = blank(bias, s.shared_bias ? 1 : s.heads);
  if (s.shared_keys) k.head = v.head = k_gradient.head = v_gradient.head = 0;
  if (s.shared_bias) bias.row = bias.head = bias_gradient.row = bias_gradient.head = 0;
  largest.assign(s.heads * s.m, mark);
  sum.assign(s.heads * s.m, mark);

  call.heads = s.heads;
  call.m = s.m;
  call.n = s.n;
  call.d = s.d;
  call.dv = s.dv;
  call.scale = real(1 / std::sqrt(s.d == 0 ? 1. : static_cast<double>(s.d)));
  call.before = s.before;
  call.after = s.after;
  call.offset = s.offset;
  call.block = s.block;
  call.cap = static_cast<real>(s.cap);
}

void Trial::forward(fused::Range range) {
  call.q = q.read();
  call.k = k.read();
  call.v = v.read();
  if (setting.bias) call.bias = bias.read();
  if (setting.mask) call.mask = mask.read();
  fused::attend(call, out.write(), {largest.data(), sum.data()}, range);
}

void Trial::backward(fused::Range range) {
  fused::Gradients gradients{q_gradient.write(), k_gradient.write(), v_gradient.write(), {}};
  if (setting.bias) gradients.bias = bias_gradient.write();
  fused::attend_backward(call, out.read(), {largest.data(), sum.data()}, out_gradient.read(),
                         gradients, range);
}

bool Trial::allowed(std::size_t h, std::size_t i, std::size_t j) {
  const auto gap = static_cast<std::ptrdiff_t>(j) - static_cast<std::ptrdiff_t>(i) - setting.offset;
  if (gap < -setting.before || gap > setting.after) return false;
  if (setting.block != 0) {
    const auto size = static_cast<double>(setting.block);
    const double place = static_cast<double>(i) + static_cast<double>(setting.offset);
    if (std::floor(place / size) != std::floor(static_cast<double>(j) / size)) return false;
  }
  return !setting.mask || mask.at(h, i, j) != 0;
}

wide Trial::score(std::size_t h, std::size_t i, std::size_t j, wide& magnitude) {
  wide s = 0;
  wide size = 0;
  for (std::size_t c = 0; c < setting.d; ++c) {
    const wide x = static_cast<wide>(q.at(h, i, c)) * k.at(h, j, c) * call.scale;
    s += x;
    size += std::abs(x);
  }
  if (setting.bias) {
    s += bias.at(h, i, j);
    size += std::abs(static_cast<wide>(bias.at(h, i, j)));
  }
  magnitude = std::max(magnitude, size);
  return s;
}

void Trial::expect_row(std::size_t h, std::size_t i, wide& most) {
  const std::size_t n = setting.n;
  const std::size_t dv = setting.dv;
  wide* const p = weights.value.data() + (h * setting.m + i) * n;
  wide top = -sweep::infinity;
  std::vector<wide> passed(n, 1);  // of a score's slope, by the cap
  for (std::size_t j = 0; j < n; ++j) {
    p[j] = allowed(h, i, j) ? score(h, i, j, most) : -sweep::infinity;
    if (setting.cap != 0 && p[j] != -sweep::infinity) {
      const wide x = std::tanh(p[j] / static_cast<wide>(setting.cap));
      p[j] = x * setting.cap;
      passed[j] = 1 - x * x;
    }
    top = std::max(top, p[j]);
  }
  wide total = 0;
  for (std::size_t j = 0; j < n; ++j) {
    p[j] = p[j] == -sweep::infinity ? 0 : std::exp(p[j] - top);
    total += p[j];
  }
  for (std::size_t j = 0; j < n && total > 0; ++j) p[j] /= total;
  wide mean = 0;
  wide mean_size = 0;
  for (std::size_t c = 0; c < dv; ++c) {
    const std::size_t at = (h * setting.m + i) * dv + c;
    for (std::size_t j = 0; j < n; ++j) {
      out_expected.add(at, p[j] * v.at(h, j, c), p[j] * std::abs(v.at(h, j, c)));
    }
    mean += out_expected.value[at] * out_gradient.at(h, i, c);
    mean_size += out_expected.size[at] * std::abs(out_gradient.at(h, i, c));
  }
  const std::size_t kh = setting.shared_keys ? 0 : h;
  for (std::size_t j = 0; j < n; ++j) {
    wide slope = -mean;
    wide size = mean_size;
    for (std::size_t c = 0; c < dv; ++c) {
      const wide g = out_gradient.at(h, i, c);
      v_expected.add((kh * n + j) * dv + c, p[j] * g, p[j] * std::abs(g));
      slope += g * v.at(h, j, c);
      size += std::abs(g * v.at(h, j, c));
    }
    slope *= p[j] * passed[j];
    size *= p[j];
    const std::size_t row = setting.shared_bias ? 0 : h * setting.m + i;
    bias_expected.add(row * n + j, slope, size);
    for (std::size_t c = 0; c < setting.d; ++c) {
      const wide kj = k.at(h, j, c) * static_cast<wide>(call.scale);
      const wide qi = q.at(h, i, c) * static_cast<wide>(call.scale);
      q_expected.add((h * setting.m + i) * setting.d + c, slope * kj, size * std::abs(kj));
      k_expected.add((kh * n + j) * setting.d + c, slope * qi, size * std::abs(qi));
    }
  }
}

void Trial::expect() {
  const Setting& s = setting;
  const std::size_t key_heads = s.shared_keys ? 1 : s.heads;
  out_expected.resize(s.heads * s.m * s.dv);
  weights.resize(s.heads * s.m * s.n);
  q_expected.resize(s.heads * s.m * s.d);
  k_expected.resize(key_heads * s.n * s.d);
  v_expected.resize(key_heads * s.n * s.dv);
  bias_expected.resize(s.shared_bias ? s.n : s.heads * s.m * s.n);
  wide most = 0;
  for (std::size_t h = 0; h < s.heads; ++h) {
    for (std::size_t i = 0; i < s.m; ++i) expect_row(h, i, most);
  }
  // A score is off by units of its terms, and so, relatively, is its weight.
  tolerance = sweep::epsilon * (16 + 4 * static_cast<double>(most));
}

std::string Trial::compare(const char* name, Tensor& got, const Expected& want) {
  const std::size_t heads =
      got.rows * got.cols == 0 ? 0 : want.value.size() / (got.rows * got.cols);
  std::vector<bool> ours(got.numbers.size());
  std::size_t at = 0;
  for (std::size_t h = 0; h < heads; ++h) {
    for (std::size_t i = 0; i < got.rows; ++i) {
      for (std::size_t c = 0; c < got.cols; ++c, ++at) {
        ours[static_cast<std::size_t>(&got.at(h, i, c) - got.numbers.data())] = true;
        const double gap = static_cast<double>(std::abs(got.at(h, i, c) - want.value[at]));
        if (gap <= tolerance * static_cast<double>(want.size[at]) + 1e-35) continue;
        return std::string(name) + " " + std::to_string(h) + " " + std::to_string(i) + " " +
               std::to_string(c) + ": " + std::to_string(got.at(h, i, c)) + " for " +
               std::to_string(static_cast<double>(want.value[at]));
      }
    }
  }
  for (std::size_t i = 0; i < ours.size(); ++i) {
    if (!ours[i] && got.numbers[i] != mark) return std::string(name) + " wrote outside its rows";
  }
  return {};
}

std::string Trial::forward_faults() { return compare("out", out, out_expected); }

std::string Trial::backward_faults() {
  return compare("dq", q_gradient, q_expected) + compare("dk", k_gradient, k_expected) +
         compare("dv", v_gradient, v_expected) +
         (setting.bias ? compare("dbias", bias_gradient, bias_expected) : "");
}

}  // namespace attend::fused_tests
