// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace attend {

// Features phi of a row of queries or keys, in attention whose weights are products phi(q_i) . phi(k_j).
enum class FeatureMap {
  given,  // the rows are features already
  elu_plus_one,
  relu,
  exponential,
  one_plus,
  // Of x = q / d^{1/4}, k / d^{1/4} with drawn rows w_1 .. w_r (Performer): e^{x . w - |x|^2 / 2} / sqrt(r),
  positive,
  // and max(x . w, 0) / sqrt(r) + 1/1000.
  rectified,
  // Of x at length 1 with r / 2 drawn rows: [sin(x . w), cos(x . w)] / sqrt(r / 2). A sum nearer to 0 than 1e-6 is
  // moved there, and keeps its sign.
  fourier,
};

inline bool is_drawn(FeatureMap map) {
  return map == FeatureMap::positive || map == FeatureMap::rectified || map == FeatureMap::fourier;
}

// What is computed of features: C_i = phi(q_i) S_i with S_i = sum_j phi(k_j)^T v_j, over all keys or over j <= i.
struct Features {
  FeatureMap map = FeatureMap::given;
  bool causal = false;
  bool divides = false;   // C_i is divided by phi(q_i) . sum_j phi(k_j); 0 where that is 0
  bool sum_norm = false;  // each row of features is divided by its sum
  // With a gate of each token: S_t = g_t S_{t-1} + (1 - g_t) phi(k_t)^T v_t. The same of the sum that divides.
  bool gated = false;

  bool operator==(const Features&) const = default;
};

}  // namespace attend
