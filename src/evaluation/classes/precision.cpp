// SPDX-License-Identifier: Apache-2.0
// Precision: of the places where the model says a class, the share where it is right.
#include "evaluation/confusion.h"

namespace attend::precision_entry {
namespace {

Share of(const Confusion& confusion, std::size_t c) {
  return {confusion.at(c, c), confusion.said(c)};
}

}  // namespace

extern const Measure precision_measure = measure_of_classes<of>("precision");
}  // namespace attend::precision_entry
