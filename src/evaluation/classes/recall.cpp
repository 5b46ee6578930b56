// SPDX-License-Identifier: Apache-2.0
// Recall: of the places where a class is right, the share where the model says it.
#include "evaluation/confusion.h"

namespace attend::recall_entry {
namespace {

Share of(const Confusion& confusion, std::size_t c) {
  return {confusion.at(c, c), confusion.right(c)};
}

}  // namespace

extern const Measure recall_measure = measure_of_classes<of>("recall");
}  // namespace attend::recall_entry
