// SPDX-License-Identifier: Apache-2.0
#include <functional>

#include "tests/fused/trial.h"

// Masks that exclude many keys side by side, which the kernels leave out.
namespace attend::fused_tests::mask_test {
namespace {

using Kept = std::function<bool(std::size_t head, std::size_t i, std::size_t j)>;

Trial masked(const Setting& setting, const Kept& kept) {
  Trial trial(setting, 4);
  for (std::size_t h = 0; h < setting.heads; ++h) {
    for (std::size_t i = 0; i < setting.m; ++i) {
      for (std::size_t j = 0; j < setting.n; ++j) {
        trial.mask.at(h, i, j) = kept(h, i, j) ? real(1) : real(0);
      }
    }
  }
  return trial;
}

TEST_CASE("keys that a mask excludes side by side") {
  const Kept masks[] = {
      [](auto, auto i, auto j) { return i / 60 == j / 60; },
      [](auto, auto i, auto j) { return i / 5 == j / 5 || j == 699; },
      [](auto h, auto i, auto j) { return (i + h) % 3 == 0 && (j == 50 || j > 650); },
      [](auto h, auto, auto j) { return h == 1 && j >= 264 && j < 300; },
      [](auto, auto i, auto j) { return j % 100 == i % 100; },
      [](auto, auto, auto) { return false; },
  };
  for (const bool banded : {false, true}) {
    Setting s;
    s.heads = 2;
    s.m = 150;
    s.n = 700;
    s.d = 12;
    s.dv = 9;
    s.mask = s.bias = true;
    if (banded) {
      s.before = 90;
      s.after = 7;
      s.offset = 101;
    }
    for (const Kept& kept : masks) {
      CAPTURE(banded);
      CAPTURE(&kept - masks);
      Trial trial = masked(s, kept);
      trial.forward();
      trial.backward();
      trial.expect();
      CHECK(trial.forward_faults() == "");
      CHECK(trial.backward_faults() == "");
    }
  }
}

TEST_CASE("keys that are left out are not read") {
  Setting s;
  s.m = 40;
  s.n = 300;
  s.d = s.dv = 8;
  s.mask = true;
  const Kept kept = [](auto, auto i, auto j) { return i / 8 == j / 60; };
  Trial plain = masked(s, kept), spoilt = masked(s, kept);
  for (std::size_t c = 0; c < s.d; ++c) spoilt.k.at(0, 70, c) = spoilt.v.at(0, 70, c) = sweep::nan;
  plain.forward();
  spoilt.forward();
  // Key 70 is for queries 8 .. 16; those from 24 on keep keys far behind it only.
  for (std::size_t i = 24; i < s.m; ++i) {
    for (std::size_t c = 0; c < s.dv; ++c) CHECK(plain.out.at(0, i, c) == spoilt.out.at(0, i, c));
  }
}

}  // namespace
}  // namespace attend::fused_tests::mask_test
