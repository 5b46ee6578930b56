// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "experiment/exporting/recordable.h"

namespace attend {

// Inputs whose lengths go together.
struct LengthSymbol {
  std::string name;  // "n"
  std::vector<std::string> inputs;
  std::size_t given = 0;  // what the document has
  std::size_t least = 1;  // the shortest that the recorded steps serve
  std::size_t most = 0;   // the longest, where the document has a limit; else 0
  std::string fixed;      // why there is no other length; empty where there is
};

// A document recorded at many sizes, the base first: enough to tell what every size in it depends on.
struct SizedRecordings {
  Json document;
  std::vector<LengthSymbol>
      symbols;  // those that are not fixed are axes of `sizes`, behind the batch
  std::vector<SizedRecording> list;
  bool one_by_one =
      false;  // the steps depend on the size of the batch, which is 1 in every recording
  double dropout = 0;

  // The names of `sizes`: "batch", "n", ..
  [[nodiscard]] std::vector<std::string> names() const;
};

// Finds which lengths are free; none is where `fixed` says why. Throws Error where the document is refused as it is.
SizedRecordings record_at_lengths(Json document, std::string fixed = "");

}  // namespace attend
