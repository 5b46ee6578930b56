// SPDX-License-Identifier: Apache-2.0
// The delta rule, gated and unnormalised features, spans, landmarks and clusters beside their plain loops.
#include <algorithm>
#include <cmath>

#include "bindings/efficient/landmarks.h"
#include "fused/delta.h"
#include "fused/spans.h"
#include "tests/fused/plain_form.h"

namespace attend::fused_tests::forms_test {
namespace {

using fused::FeatureMap;

double phi(FeatureMap map, double x) {
  if (map == FeatureMap::elu_plus_one) return x > 0 ? x + 1 : std::exp(x);
  if (map == FeatureMap::relu) return std::max(x, 0.);
  if (map == FeatureMap::exponential) return std::exp(x);
  return map == FeatureMap::one_plus ? 1 + x : x;
}

Doubles mapped(FeatureMap map, const Doubles& x, std::size_t d, bool sum_norm) {
  Doubles f;
  for (std::size_t i = 0; i < x.size(); i += d) {
    double sum = 0;
    for (std::size_t c = 0; c < d; ++c) sum += phi(map, x[i + c]);
    for (std::size_t c = 0; c < d; ++c)
      f.push_back(phi(map, x[i + c]) / (sum_norm && sum != 0 ? sum : 1));
  }
  return f;
}

fused::FeatureAttention features(const PlainForm& form, FeatureMap map) {
  const fused::Attention a = form.attention();
  fused::FeatureAttention f;
  f.heads = a.heads;
  f.m = a.m;
  f.n = a.n;
  f.d = f.r = a.d;
  f.dv = a.dv;
  f.q = a.q;
  f.k = a.k;
  f.v = a.v;
  f.map = map;
  f.causal = true;
  return f;
}

constexpr FeatureMap maps[] = {FeatureMap::given, FeatureMap::elu_plus_one, FeatureMap::relu,
                               FeatureMap::exponential, FeatureMap::one_plus};

// One value at a time, by the recurrence; without `beta` the rule of sums.
Doubles fast_weights(const Doubles& fq, const Doubles& fk, const Doubles& v, const double* beta,
                     std::size_t n, std::size_t d, std::size_t dv) {
  Doubles W(d * dv, 0), y(n * dv, 0);
  for (std::size_t t = 0; t < n; ++t) {
    for (std::size_t c = 0; c < dv; ++c) {
      double found = 0;
      for (std::size_t r = 0; r < d; ++r) found += fk[t * d + r] * W[r * dv + c];
      const double change = beta == nullptr ? v[t * dv + c] : beta[t] * (v[t * dv + c] - found);
      for (std::size_t r = 0; r < d; ++r) W[r * dv + c] += fk[t * d + r] * change;
      for (std::size_t r = 0; r < d; ++r) y[t * dv + c] += fq[t * d + r] * W[r * dv + c];
    }
  }
  return y;
}

TEST_CASE("fast weights and the delta rule are their recurrence, with gradients") {
  for (const std::size_t n : {0UL, 1UL, 5UL, 64UL, 65UL, 150UL}) {
    for (const FeatureMap map : maps) {
      for (const bool delta : {false, true}) {
        // Without sums of 1 the rule's steps grow without bound over many tokens.
        const bool norm = (n > 5 && delta) || map == FeatureMap::relu;
        if (norm && (map == FeatureMap::given || map == FeatureMap::one_plus)) continue;
        CAPTURE(n);
        CAPTURE(static_cast<int>(map));
        CAPTURE(delta);
        sweep::Numbers numbers(5);
        PlainForm form(2, n, n, 4, 3, delta ? numbers.list(2 * n, 0, 1) : std::vector<real>{});
        fused::FeatureAttention a = features(form, map);
        a.sum_norm = norm;
        a.divides = false;
        const fused::Gradients to = form.gradients();
        if (delta) {
          const fused::DeltaRule rule{a, form.more.data(), n};
          fused::attend_by_delta(rule, form.to_out());
          fused::attend_by_delta_backward(rule, form.slopes(),
                                          {to.q, to.k, to.v, form.dmore.data()});
        } else {
          fused::attend_by_features(a, form.to_out());
          fused::attend_by_features_backward(a, form.from_out(), nullptr, form.slopes(),
                                             {to.q, to.k, to.v});
        }
        form.check([&](std::size_t h, const Doubles& q, const Doubles& k, const Doubles& v,
                       const Doubles& beta) {
          return fast_weights(mapped(map, q, 4, norm), mapped(map, k, 4, norm), v,
                              delta ? beta.data() + h * n : nullptr, n, 4, 3);
        });
      }
    }
  }
}

// Random feature attention by its weights, those of gates among them.
Doubles waves(const Doubles& q, const Doubles& k, const Doubles& v, const std::vector<real>& w,
              const double* gates, bool causal, std::size_t m, std::size_t n) {
  const std::size_t d = 4, dv = 3, half = w.size() / d;
  const Doubles drawn(w.begin(), w.end());
  Doubles out(m * dv, 0);
  for (std::size_t i = 0; i < m; ++i) {
    double total = 0;
    for (std::size_t j = 0; j < (causal ? std::min(i + 1, n) : n); ++j) {
      double weight = 0;
      for (std::size_t r = 0; r < half; ++r) {
        weight += std::cos(product(q, i, drawn, r, d) / std::sqrt(product(q, i, q, i, d)) -
                           product(k, j, drawn, r, d) / std::sqrt(product(k, j, k, j, d)));
      }
      weight /= static_cast<double>(half);
      if (gates != nullptr) weight *= 1 - gates[j];
      for (std::size_t t = j + 1; t <= i && gates != nullptr; ++t) weight *= gates[t];
      total += weight;
      for (std::size_t c = 0; c < dv; ++c) out[i * dv + c] += weight * v[j * dv + c];
    }
    if (std::abs(total) < 1e-6) total = total < 0 ? -1e-6 : 1e-6;
    for (std::size_t c = 0; c < dv; ++c) out[i * dv + c] /= total;
  }
  return out;
}

TEST_CASE("random feature attention is its cosines, with a gate and causal, with gradients") {
  sweep::Numbers numbers(9);
  const std::vector<real> w = numbers.list(6 * 4, -.6, .6);
  for (const std::size_t n : {1UL, 5UL, 64UL, 130UL}) {
    for (const int kind : {0, 1, 2}) {  // over all keys, causal, gated
      for (const std::size_t m : {n, n + 3}) {
        if (kind == 2 && m != n) continue;
        CAPTURE(n);
        CAPTURE(m);
        CAPTURE(kind);
        std::vector<real> gates = numbers.list(2 * n, 0, 1);
        // One that forgets everything, and one that takes nothing up.
        gates[n / 2] = 0;
        gates[n + n / 3] = n > 1 ? 1 : real(.5);
        PlainForm form(2, m, n, 4, 3, kind == 2 ? gates : std::vector<real>{});
        fused::FeatureAttention a = features(form, FeatureMap::fourier);
        a.causal = kind != 0;
        a.r = 12;
        a.drawn = {w.data(), 4, 0};
        if (kind == 2) a.gates = gates.data();
        a.gates_head = n;
        std::vector<real> total(2 * m);
        const fused::Gradients to = form.gradients();
        fused::attend_by_features(a, form.to_out(), total.data());
        fused::attend_by_features_backward(
            a, form.from_out(), total.data(), form.slopes(),
            {to.q, to.k, to.v, kind == 2 ? form.dmore.data() : nullptr});
        form.check([&](std::size_t h, const Doubles& q, const Doubles& k, const Doubles& v,
                       const Doubles& g) {
          return waves(q, k, v, w, kind == 2 ? g.data() + h * n : nullptr, kind != 0, m, n);
        });
      }
    }
  }
}

Doubles faded(const Doubles& q, const Doubles& k, const Doubles& v,
              const std::function<double(std::size_t)>& z, double ramp, bool causal, std::size_t m,
              std::size_t n) {
  Doubles out(m * 3, 0);
  for (std::size_t i = 0; i < m; ++i) {
    double total = 0;
    for (std::size_t j = 0; j < n; ++j) {
      const double x = std::abs(static_cast<double>(i) - static_cast<double>(j));
      const double share = std::clamp((ramp + z(i) - x) / ramp, 0., 1.);
      if (causal && j > i) continue;
      const double weight = share * std::exp(.7 * product(q, i, k, j, 4));
      total += weight;
      for (std::size_t c = 0; c < 3; ++c) out[i * 3 + c] += weight * v[j * 3 + c];
    }
    for (std::size_t c = 0; c < 3; ++c) out[i * 3 + c] /= total > 0 ? total : 1;
  }
  return out;
}

TEST_CASE("spans are the masked map with its ramp, one for all rows or one each, with gradients") {
  for (const std::size_t m : {1UL, 40UL, 300UL}) {
    for (const std::size_t n : {m, m / 2 + 1}) {
      for (const bool causal : {false, true}) {
        for (const int kind : {0, 1, 2}) {  // one for all, one a head, one a row
          for (const double longest : {.3, 7.4, 150.6}) {
            CAPTURE(m);
            CAPTURE(n);
            CAPTURE(causal);
            CAPTURE(kind);
            CAPTURE(longest);
            sweep::Numbers numbers(m);
            const std::size_t spans = kind == 0 ? 1 : kind == 1 ? 2 : 2 * m;
            // None is a whole number: there the ramp has a corner.
            std::vector<real> z = numbers.list(spans, kind == 2 ? -longest : longest * .9, longest);
            for (real& one : z) one = std::floor(one * 8) / 8 + real(.05);
            PlainForm form(2, m, n, 4, 3, z);
            const std::vector<real> ramps{real(5.3), real(8.6)};  // one a head where spans are
            const std::size_t row = kind == 2 ? 1 : 0, head = kind == 0 ? 0 : kind == 1 ? 1 : m;
            const fused::Spans call{form.more.data(),      row,   head, ramps.data(),
                                    kind == 1 ? 1UL : 0UL, causal};
            std::vector<real> largest(2 * m), sum(2 * m);
            fused::attend_spans(form.attention(), call, form.to_out(),
                                {largest.data(), sum.data()});
            fused::attend_spans_backward(form.attention(), call, form.from_out(),
                                         {largest.data(), sum.data()}, form.slopes(),
                                         form.gradients(), form.dmore.data());
            form.check([&](std::size_t h, const Doubles& q, const Doubles& k, const Doubles& v,
                           const Doubles& more) {
              const auto span = [&](std::size_t i) {
                return more[kind == 0 ? 0 : kind == 1 ? h : h * m + i];
              };
              const double ramp = ramps[kind == 1 ? h : 0];
              return faded(q, k, v, span, ramp, causal, m, n);
            });
          }
        }
      }
    }
  }
}

TEST_CASE("spans, queries, keys and values of later rows do not move a bit of an earlier row") {
  constexpr std::size_t n = 700;
  for (const double longest : {.8, 60., 900.}) {
    for (const std::size_t first : {1UL, 40UL, 129UL, 300UL, 555UL}) {
      CAPTURE(longest);
      CAPTURE(first);
      sweep::Numbers numbers(n);
      PlainForm one(1, n, n, 4, 3, numbers.list(n, 0, longest));
      PlainForm other = one;
      other.more = numbers.list(n, 0, 2 * longest);
      other.q = numbers.list(n * 4, -3, 3);
      other.k = numbers.list(n * 4, -3, 3);
      other.v = numbers.list(n * 3, -3, 3);
      const auto keep = [&](const std::vector<real>& from, std::vector<real>& to, std::size_t d) {
        std::copy_n(from.begin(), first * d, to.begin());
      };
      keep(one.more, other.more, 1);
      keep(one.q, other.q, 4);
      keep(one.k, other.k, 4);
      keep(one.v, other.v, 3);
      const real ramp = real(9.5);
      std::vector<real> largest(n), sum(n);
      for (PlainForm* form : {&one, &other}) {
        const fused::Spans call{form->more.data(), 1, 0, &ramp, 0, true};
        fused::attend_spans(form->attention(), call, form->to_out(), {largest.data(), sum.data()});
      }
      CHECK(std::equal(one.out.begin(), one.out.begin() + static_cast<std::ptrdiff_t>(first * 3),
                       other.out.begin()));
      CHECK(one.out != other.out);
    }
  }
}

// Solves M X = B [s columns] by elimination with the largest pivot.
Doubles solved(Doubles M, Doubles B, std::size_t s, std::size_t columns) {
  for (std::size_t c = 0; c < s; ++c) {
    std::size_t best = c;
    for (std::size_t r = c; r < s; ++r)
      best = std::abs(M[r * s + c]) > std::abs(M[best * s + c]) ? r : best;
    for (std::size_t x = 0; x < s; ++x) std::swap(M[c * s + x], M[best * s + x]);
    for (std::size_t x = 0; x < columns; ++x) std::swap(B[c * columns + x], B[best * columns + x]);
    for (std::size_t r = 0; r < s; ++r) {
      if (r == c) continue;
      const double factor = M[r * s + c] / M[c * s + c];
      for (std::size_t x = 0; x < s; ++x) M[r * s + x] -= factor * M[c * s + x];
      for (std::size_t x = 0; x < columns; ++x) B[r * columns + x] -= factor * B[c * columns + x];
    }
  }
  for (std::size_t c = 0; c < s; ++c) {
    for (std::size_t x = 0; x < columns; ++x) B[c * columns + x] /= M[c * s + c];
  }
  return B;
}

TEST_CASE("a Gaussian kernel through landmarks is its three matrices, with gradients") {
  for (const std::size_t n : {3UL, 40UL, 300UL}) {
    for (const std::size_t s : {1UL, 2UL, 5UL}) {
      const std::size_t m = n == 3 ? 4 : n;
      std::vector<std::uint32_t> landmarks;
      for (std::size_t l = 0; l < s; ++l)
        landmarks.push_back(static_cast<std::uint32_t>((l * 7 + n / 2) % (m + n)));
      // The last query and the first key stand beside one another in the list.
      if (s > 2) landmarks[1] = static_cast<std::uint32_t>(m - 1);
      if (s > 1) landmarks.back() = static_cast<std::uint32_t>(m);
      CAPTURE(n);
      CAPTURE(s);
      PlainForm form(2, m, n, 4, 3);
      const fused::Nystrom call{form.attention(), s, landmarks.data(), real(.25)};
      fused::attend_nystrom(call, form.to_out());
      fused::attend_nystrom_backward(call, form.slopes(), form.gradients());
      form.check([&](std::size_t, const Doubles& q, const Doubles& k, const Doubles& v,
                     const Doubles&) {
        const auto kernel = [](const Doubles& a, std::size_t i, const Doubles& b, std::size_t j) {
          double gap = 0;
          for (std::size_t c = 0; c < 4; ++c) gap += std::pow(a[i * 4 + c] - b[j * 4 + c], 2);
          return std::exp(-static_cast<double>(real(.7)) * gap / 2);
        };
        Doubles L, M, sums(s * 3, 0), out(m * 3, 0);
        for (const std::size_t at : landmarks) {
          const Doubles& from = at < m ? q : k;
          const auto first = from.begin() + static_cast<long>((at < m ? at : at - m) * 4);
          L.insert(L.end(), first, first + 4);
        }
        for (std::size_t l = 0; l < s; ++l) {
          for (std::size_t u = 0; u < s; ++u) M.push_back(kernel(L, l, L, u) + (l == u ? .25 : 0));
          for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t c = 0; c < 3; ++c)
              sums[l * 3 + c] += kernel(L, l, k, j) * v[j * 3 + c];
          }
        }
        const Doubles middle = solved(M, sums, s, 3);
        for (std::size_t i = 0; i < m; ++i) {
          for (std::size_t l = 0; l < s; ++l) {
            for (std::size_t c = 0; c < 3; ++c)
              out[i * 3 + c] += kernel(q, i, L, l) * middle[l * 3 + c];
          }
        }
        return out;
      });
    }
  }
}

TEST_CASE("landmarks whose kernel has no inverse give nothing") {
  PlainForm form(2, 3, 3, 4, 3);
  const std::vector<std::uint32_t> landmarks{4, 4};
  fused::attend_nystrom({form.attention(), 2, landmarks.data(), real(0)}, form.to_out());
  for (const real one : form.out) CHECK(one == 0);
}

TEST_CASE("clusters share the row of their mean, with gradients") {
  for (const std::size_t m : {1UL, 9UL, 200UL}) {
    for (const std::size_t c : {1UL, 4UL, 30UL}) {
      CAPTURE(m);
      CAPTURE(c);
      PlainForm form(2, m, m + 5, 4, 3);
      std::vector<std::uint32_t> of;
      for (std::size_t i = 0; i < m; ++i) of.push_back(static_cast<std::uint32_t>(i * 13 % c));
      const fused::Clusters call{form.attention(), c, of.data()};
      fused::attend_clusters(call, form.to_out());
      fused::attend_clusters_backward(call, form.slopes(), form.gradients());
      form.check(
          [&](std::size_t, const Doubles& q, const Doubles& k, const Doubles& v, const Doubles&) {
            Doubles out;
            for (std::size_t i = 0; i < m; ++i) {
              Doubles mean(4, 0), row(3, 0);
              double members = 0, total = 0;
              for (std::size_t other = 0; other < m; ++other) {
                if (of[other] != of[i]) continue;
                ++members;
                for (std::size_t t = 0; t < 4; ++t) mean[t] += q[other * 4 + t];
              }
              for (double& one : mean) one /= members;
              for (std::size_t j = 0; j < m + 5; ++j) {
                const double weight = std::exp(.7 * product(mean, 0, k, j, 4));
                total += weight;
                for (std::size_t t = 0; t < 3; ++t) row[t] += weight * v[j * 3 + t];
              }
              for (const double one : row) out.push_back(one / total);
            }
            return out;
          });
    }
  }
}

}  // namespace
}  // namespace attend::fused_tests::forms_test
