// SPDX-License-Identifier: Apache-2.0
// Context-query attention, C the context's rows and Q the question's:
//   E_ij = [q_j; c_i; q_j * c_i] . w,  S = softmax over its rows,  T = softmax over its columns
//   A = S Q,  B = S T^T C,  output [c; a; c * a; c * b]
// Yu et al. 2018 (QANet), arXiv:1804.09541
#include "catalogue/entry.h"
#include "catalogue/module_results.h"
#include "catalogue/parts/structures/reading.h"

namespace attend::coatt_qanet_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  Reading read(in, inputs);  // all [.. d]
  const Sides& s = read.sides;
  const Tensors second = read.in_question();
  const Tensors first = ask_side_by_rows(in, s, 1, [&] { return transpose(read.energies()); });
  const Var a = let("A", second["context"]);
  // S (T^T C), not (S T^T) C: the table of the context with itself is never needed.
  const Var b =
      let("B", matmul(result_of(in, "second", second, "weights"), first["context"]));  // [n1 d]
  return read.table() + results_by_rows(in, first, second) + read.hand_on("O", a, b);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &c = in["key1"], &q = in["key2"];
  const Array e = trilinear(in.parameter("w"), c, q);
  const AttentionTables second = seen_by(e, or_else(in, "value2", "key2"));
  const AttentionTables first = seen_by(transposed(e), or_else(in, "value1", "key1"));
  // B by the other order of its product: (S T^T) C.
  const Array b = product(product(second.weights, first.weights), or_else(in, "value1", "key1"));
  Arrays out{{"affinity", e}, {"output", handed_on(c, second.context, b)}};
  put_sides(out, first, second);
  return out;
}

extern const Mechanism record{.id = "coatt-qanet",
                              .aliases = {"qanet"},
                              .parameters = {{"w", "3d"}},
                              .roles = reading_roles,
                              .slots = reading_slots,
                              .coordinates = reading_coordinates,
                              .behaviour = Structure{build}};
}  // namespace attend::coatt_qanet_entry
