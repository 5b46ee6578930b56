// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/modules.h"

namespace attend {

// Rotatory attention of a structure with the ports target, left and right and a slot for each of the
// four questions: tl (target asks left), tr, lt, rt. A side without words answers with zeros.
class Rotation {
 public:
  explicit Rotation(const ModuleIn& in);

  struct Turn {
    Results tl, tr, lt, rt;
  };
  // One round: these rows ask left and right, the answers ask the target. `suffix` ends the names of
  // the modules.
  [[nodiscard]] Turn turn(Var asks_left, Var asks_right, const std::string& suffix) const;
  // The structure's results: those of its last round.
  void name(const Turn& last) const;

 private:
  [[nodiscard]] Results side(const char* slot, Var query, const char* port, const char* n,
                             const std::string& suffix) const;
  const ModuleIn& in_;
};

}  // namespace attend
