// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "experiment/recording/leaf_change.h"
#include "experiment/running/packed.h"

namespace attend {

// What the last answer to the reader of an open document contained, so that the next one has only what
// changed since. A whole answer is the packed run with a number, "read". To a reader who has the
// answer with that number, the next one is
// {"ok": true, "read", "same": true, "changed": [places of the tensors whose numbers were computed
// again, each set of numbers once], "formulas": {place: formula}, "measures": {map: measures},
// "warnings", "document": {pointer: value}} with the numbers of those tensors one after the other;
// places count the tensors, and after them those that were left out.
class Told {
 public:
  // Another program: the next answer is whole.
  void forget() { number_of_same_ = 0; }
  // Other memory for the same numbers: all of them are sent again.
  void forget_numbers() { seen_ = 0; }
  // Anything may be another, but for the program.
  void look_at_all() { all_ = true; }
  // Only this is another in the document.
  void changed(const LeafChange& leaf);

  // `last`: the number of the answer that the reader has; 0: none.
  Packed tell(const Compiled& compiled, const Result& result, std::size_t last);

 private:
  Packed tell_whole(const Compiled& compiled, const Result& result);
  Packed tell_changes(const Result& result);
  [[nodiscard]] bool is_same(const Json& directory) const;
  void settle(const Result& result);

  std::size_t number_ = 0;          // of the last answer
  std::size_t number_of_same_ = 0;  // the same, or 0 where its directory is another one now
  std::size_t seen_ = 0;            // so many evaluations had been done
  bool all_ = false;
  Json directory_;                     // without what numbers change
  Json document_;                      // with all defaults, as told
  std::vector<std::string> formulas_;  // by place
  Json changes_ = Json::object();      // of the document since, by pointer
};

}  // namespace attend
