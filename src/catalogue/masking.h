// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/slots.h"

namespace attend {

// The mask items of a module, at the three places where they act. The rows are the module's own,
// before heads split them: masks serve all heads.
class Masking {
 public:
  Masking(Assembler& assembler, const Choice& module, Triple inputs)
      : assembler_(assembler), module_(module), inputs_(inputs) {}

  // [m n], the product of all that rule pairs out; empty when none does.
  [[nodiscard]] Var mask(std::size_t m) const;
  // What goes to the alignment in place of the scores, and what leaves it in place of the weights.
  [[nodiscard]] Var energies(Var scores, std::size_t m, Rows* rows) const;
  [[nodiscard]] Var weights(Var weights, std::size_t m, Rows* rows) const;
  [[nodiscard]] MaskIn mask_in(const Choice& choice, std::size_t m, Rows* rows) const;

 private:
  Assembler& assembler_;
  const Choice& module_;
  Triple inputs_;
};

}  // namespace attend
