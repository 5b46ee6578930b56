// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/modules.h"

namespace attend {

// Rotatory attention of a structure with the ports target, left and right and a slot for each of the
// four questions: tl (target asks left), tr, lt, rt. A side without words answers with zeros.
class Rotation {
 public:
  Rotation(const Scope& in, const Tensors& inputs);

  struct Turn {
    Tensors tl, tr, lt, rt;
  };
  // One round: these rows ask left and right, the answers ask the target. `suffix` ends the names of
  // the modules.
  [[nodiscard]] Turn turn(Var asks_left, Var asks_right, const std::string& suffix) const;
  // The structure's results: those of its last round.
  [[nodiscard]] Tensors results(const Turn& last) const;

 private:
  [[nodiscard]] Tensors side(const char* slot, Var query, const char* port, const char* n,
                             const std::string& suffix) const;
  const Scope& in_;
  const Tensors& inputs_;
};

}  // namespace attend
