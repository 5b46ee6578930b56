// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>

#include "ops/recording.h"

namespace attend::testing {

// Counts the documents that are recorded while it lives: the graphs, other than steps of scans, whose first node it
// hears of. A pass copies the first node, which is not heard.
class RecordingCount : public RecordingListener {
 public:
  [[nodiscard]] std::size_t documents() const { return documents_; }

 protected:
  Var recorded(Var var) override {
    if (var.id() == 0 && recorder_of(var.graph()) == nullptr) ++documents_;
    return var;
  }

 private:
  std::size_t documents_ = 0;
};

}  // namespace attend::testing
