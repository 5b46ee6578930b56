// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>

#include "ops/scan.h"

namespace attend {

// The rows of tensors [.. n d] that one step of a scan over chunks has. What each row of a tensor is made of, row by
// row, is computed in the step from the rows that it is made of, so that no other tensor of n rows is held: keys that
// are brought to length 1, gates, values times a gate.
class ChunkRows {
 public:
  // Tensors of n * each rows give chunk * each rows to a step.
  ChunkRows(ScanRecorder& steps, std::size_t n, std::size_t chunk, std::size_t each = 1);

  // [.. n d] -> [.. rows d]: those of the step, with `behind` behind row n. What is one row for all stays as it is.
  Var operator()(Var x, double behind = 0);
  // The same of a tensor of n rows where others have n * each: row i becomes row `at` of its group of `each` rows, and
  // the rest of the group is `behind`.
  Var spread(Var x, std::size_t at, double behind = 0);
  // The same without a word about what is behind row n, [.. chunk d].
  Var of(Var x);
  // Row `at` of each group: [.. rows d] -> [.. chunk d].
  [[nodiscard]] Var gathered(Var rows, std::size_t at) const;

 private:
  [[nodiscard]] bool has_rows(Var x) const;
  Var computed(Var x);
  Var blocks(Var x) const;

  ScanRecorder& steps_;
  std::size_t n_, chunk_, each_;
  std::map<std::size_t, Var>
      there_;  // by count of rows, [rows 1]: 1, and 0 behind row n; empty where chunks are full
  std::map<NodeId, Var> made_;
};

}  // namespace attend
