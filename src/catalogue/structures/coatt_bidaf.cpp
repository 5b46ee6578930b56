// SPDX-License-Identifier: Apache-2.0
// Bidirectional attention flow, h_i the context's rows and u_j the question's:
//   E_ij = [u_j; h_i; u_j * h_i] . w,  u~_i = sum_j softmax_j(E)_ij u_j
//   b = softmax_i(max_j E_ij),  h~ = sum_i b_i h_i,  g_i = [h_i; u~_i; h_i * u~_i; h_i * h~]
// Seo, Kembhavi, Farhadi, Hajishirzi 2017, section 2, arXiv:1611.01603
#include "catalogue/entry.h"
#include "catalogue/parts/structures/reading.h"

namespace attend::coatt_bidaf_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  Reading read(in, inputs);  // all [.. d]
  const Sides& s = read.sides;
  const Tensors second = read.in_question();
  const Tensors first =
      ask_side(in, s, 1, [&] { return transpose(max(read.energies(), -1, true)); });
  return read.table() + results_of_side(in, "1", "first", first, "1", "n1") +
         results_of_side(in, "2", "second", second, "n1:query", "n2") +
         read.hand_on("G", second["context"], first["context"]);
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &h = in["key1"], &u = in["key2"];
  const Array e = trilinear(in.parameter("w"), h, u);
  const AttentionTables second = seen_by(e, or_else(in, "value2", "key2"));
  const AttentionTables first = seen_by(row_maxima(e), or_else(in, "value1", "key1"));
  Arrays out{{"affinity", e}, {"output", handed_on(h, second.context, first.context)}};
  put_sides(out, first, second);
  return out;
}

extern const Mechanism record{.id = "coatt-bidaf",
                              .aliases = {"bidaf"},
                              .parameters = {{"w", "3d"}},
                              .roles = reading_roles,
                              .slots = reading_slots,
                              .coordinates = reading_coordinates,
                              .behaviour = Structure{build}};
}  // namespace attend::coatt_bidaf_entry
