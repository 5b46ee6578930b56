// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/reference.h"
#include "catalogue/scope.h"

// What blocks of a transformer share: norms, and modules whose results are added to a stream of rows.
namespace attend {

class ResidualBlock {
 public:
  explicit ResidualBlock(const Scope& in) : in_(in) {}

  // Norm number k of these rows, by the knobs `norm`, `eps` and `offset`; with `shared` all norms are the first.
  [[nodiscard]] Var norm(int k, Var rows) const;
  // The rows that the module in a slot outputs. Error unless they can be added to `rows`.
  [[nodiscard]] Var called(const char* slot, const Call& call, const Tensors& inputs,
                           Var rows) const;

 private:
  const Scope& in_;
};

// The norm by plain loops, with the parameters of norm `number`.
Array block_norm_by_loops(const ReferenceIn& in, const std::string& number, Array x);
// The gated feed-forward in the slot `ffn` by plain loops.
Array gated_by_loops(const ReferenceIn& in, const Array& x);

}  // namespace attend
