// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "experiment/running/packed.h"
#include "experiment/sessions/changes.h"
#include "experiment/sessions/told.h"

namespace attend {

// A document that is open: its program, its numbers, and the last answer to its reader. A change of
// numbers only goes into the leaves of the program, and only what depends on them is computed;
// anything else compiles. All functions throw Error, and one that refuses leaves the document as it was.
class OpenDocument {
 public:
  explicit OpenDocument(std::string_view text);

  // Makes changes at once, all or none.
  void change(std::string_view changes, const std::vector<std::string>& pointers = {},
              std::span<const double> numbers = {});
  void change(const std::vector<Change>& changes);

  // Computes for at most about so long: products, attention and scans stop between two of their parts, and any other
  // primitive that has begun runs to its end. Returns the share that is done, 1 where the numbers are there. A change
  // in between begins with what depends on it.
  double step(double milliseconds);

  // The directory with all numbers, as a run of the document gives them; or what is another since the
  // reading with this number, where that was the last one (Told).
  [[nodiscard]] Packed read(std::size_t last = 0);
  // {"ok", "tensors", "warnings"} and the numbers of these tensors alone, "outputs/weights".
  [[nodiscard]] Packed read(const std::vector<std::string>& names);

  [[nodiscard]] std::string explain(const std::string& tensor,
                                    const std::vector<std::size_t>& cell);
  // The document as it is now, as it was given otherwise.
  [[nodiscard]] std::string text() const { return given_.dump(); }

  // Has the listener hear how far every long evaluation is.
  void watch(Progress::Listener listener) { listener_ = std::move(listener); }

 private:
  void listen();
  void compile_again(Json next);
  bool take_leaves(const std::vector<Change>& changes);
  Runner& runner();
  Result finished();
  void let_go_of_much();

  Json given_;
  std::unique_ptr<Compiled> compiled_;
  std::optional<Runner> runner_;              // none after one that took much memory
  std::optional<std::set<std::string>> due_;  // leaves to be written; none: any may have changed
  bool written_ = false;                      // the leaves have the document's numbers
  bool current_ = false;                      // so does everything
  double share_ = 0;
  Told told_;
  Progress::Listener listener_;
};

}  // namespace attend
