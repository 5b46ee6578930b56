// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/slots.h"

namespace attend {

// Makes a module's rows ready to attend: key model, token masks, position encodings, what the
// output model wants done before, rows that positions add. It remembers the rows that ask, for the
// output model.
class Preparation {
 public:
  Preparation(Assembler& assembler, const Choice& module)
      : assembler_(assembler), module_(module) {}

  // `given` as QueryIn::ready has it.
  Triple ready(Triple given);
  // The rows that ask, with their encodings; empty when there is no query.
  [[nodiscard]] Var features() const { return features_; }
  // The rows as they are ready, before a query model or heads project them.
  [[nodiscard]] const Triple& rows() const { return rows_; }

 private:
  Var with_tokens_masked(Var rows, const Triple& all);
  Var encoded(Var rows);
  Var before_attending(Var rows);

  Assembler& assembler_;
  const Choice& module_;
  Var features_, encoding_;
  Triple rows_;
};

}  // namespace attend
