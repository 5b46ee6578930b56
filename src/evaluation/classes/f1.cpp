// SPDX-License-Identifier: Apache-2.0
// F1: the harmonic mean of precision P and recall R,  2 P R / (P + R) = 2 TP / (2 TP + FP + FN)
#include "evaluation/confusion.h"

namespace attend::f1_entry {
namespace {

Share of(const Confusion& confusion, std::size_t c) {
  return {2 * confusion.at(c, c), confusion.said(c) + confusion.right(c)};
}

}  // namespace

extern const Measure f1_measure = measure_of_classes<of>("f1");
}  // namespace attend::f1_entry
