// SPDX-License-Identifier: Apache-2.0
#include "mechanisms/slots.h"

namespace attend {

void ScoreIn::need_same_width() const {
  if (q.extent(-1) == k.extent(-1)) return;
  throw Error("queries and keys must be equally wide; they are " + std::to_string(q.extent(-1)) +
              " and " + std::to_string(k.extent(-1)) + " wide");
}

Var AlignmentIn::query() const {
  if (!inputs.q) throw Error("it reads the query, and this module has none");
  return inputs.q;
}

Var AlignmentIn::row_index() const {
  const Var rows = iota(graph(), scores.extent(-2), 2);
  return first_row == 0 ? rows : rows + static_cast<double>(first_row);
}

Var QueryIn::encoded(std::string_view role_name) const {
  const Var rows = role(role_name);
  return rows ? encode(rows) : rows;
}

void StructureIn::result(Var context, const std::string& axes) const {
  output("context", context, axes);
  output("output", context, axes);
}

}  // namespace attend
