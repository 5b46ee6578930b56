// SPDX-License-Identifier: Apache-2.0
// F1: the harmonic mean of precision P and recall R,  2 P R / (P + R) = 2 TP / (2 TP + FP + FN)
#include "evaluation/confusion.h"

namespace attend::f1_entry {
namespace {

Share of(const Confusion& confusion, std::size_t c) {
  return {2 * confusion.at(c, c), confusion.said(c) + confusion.right(c)};
}

}  // namespace

extern const Measure f1_measure{.id = "f1",
                                .inputs = class_inputs,
                                .knobs = average_knobs,
                                .better = Better::higher,
                                .lowest = 0,
                                .highest = 1,
                                .examine = examine_classes,
                                .value = share_of_classes<of>};
}  // namespace attend::f1_entry
