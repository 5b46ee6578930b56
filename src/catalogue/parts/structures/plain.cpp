// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/structures/plain.h"

#include "catalogue/parts/structures/structure_reference.h"

namespace attend {

Tensors attend_plainly(const Scope& in, const Tensors&) {
  const Choice module = plain_attention(in);
  return in.assembler.attend(Scope{in.assembler, module, {}, in.family, {}});
}

Arrays plainly_by_loops(const ReferenceIn& in) {
  const AttentionTables seen = seen_by(dots(in["query"], in["key"]), or_else(in, "value", "key"));
  return {{"scores", seen.scores}, {"weights", seen.weights}, {"context", seen.context}};
}

}  // namespace attend
