// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "catalogue/slots.h"

// How structures of several steps call the attention modules in their slots, and what structures
// over two inputs have in common.
namespace attend {

// The score of such a module unless the document names a different one. `by_energies`: the structure computes the
// energies itself, by its paper's formula.
inline const List<Default> by_energies = {{"score", "external-energy"}};
inline const List<Default> by_dot = {{"score", "dot"}};
inline const List<Default> by_additive = {{"score", "additive"}};
inline const List<Default> by_self_additive = {{"score", "self-additive"}};
inline const List<Default> by_activated_general = {{"score", "activated-general"}};
inline const List<Default> by_biased_general = {{"score", "biased-general"}};

// A slot for a general attention module.
constexpr Slot attention_slot(std::string_view name, List<Default> inner) {
  return {name, Kind::structure, "attention", false, "attention", inner};
}
// A slot for a score that the structure itself asks for all pairs of two inputs.
constexpr Slot affinity_slot(std::string_view fallback) {
  return {"affinity", Kind::score, fallback};
}

// One call of such a module. Without a query, its score must be one that reads none.
struct Ask {
  const char* slot;
  Var query = {}, key, value;
  std::string m = "1", n = "n";        // the symbols of its rows
  std::function<Var()> energies = {};  // [m n], asked for when its score is given
  std::string name = slot;
  bool quiet = false;  // its results are only handed back
};
Tensors ask(const Scope& in, const Ask& at);

// The axes of a module's scores and weights: heads in front or features behind come with its shape.
std::string map_axes(const Scope& in, const char* slot, Var map, const std::string& m,
                     const std::string& n);

// Whether features stand behind the keys of such a map.
bool has_features_behind(const Scope& in, const char* slot, Var map);

// A structure's two inputs, whose tokens stand along n1 and n2.
struct Sides {
  Var key1, key2, value1, value2;  // [n1 d1] [n2 d2] [n1 dv1] [n2 dv2]
};
Sides sides_of(const Scope& in, const Tensors& inputs);

// The ports of structures whose two inputs need have nothing in common.
inline const List<Role> side_roles = {{"key1", "n1 d1"},
                                      {"key2", "n2 d2"},
                                      {"value1", "n1 dv1", false, "key1"},
                                      {"value2", "n2 dv2", false, "key2"}};

// What the slot `first` reads in side 1, or the slot `second` in side 2: asked by one row, which may be empty, or by
// every row of the other side.
using Energies = std::function<Var()>;
Tensors ask_side(const Scope& in, const Sides& sides, int side, const Energies& energies,
                 Var query = {});
Tensors ask_side_by_rows(const Scope& in, const Sides& sides, int side, const Energies& energies);

// A module's results as those of side 1 or 2: scores1, weights1, context1.
Tensors results_of_side(const Scope& in, const char* side, const char* slot, const Tensors& of,
                        const std::string& m, const std::string& n);

// Those of both sides, asked by one row each: scores1 .. context2.
Tensors results_of_sides(const Scope& in, const Tensors& first, const Tensors& second);
// Those of both sides, asked by every row of the other.
Tensors results_by_rows(const Scope& in, const Tensors& first, const Tensors& second);

// The scores of rows q for rows k, by the score in the slot `affinity`: [m n].
Var affinity(const Scope& in, Var q, Var k);
// The same of a structure's two inputs, [n1 n2], and how that table is called among its results.
Var named_affinity(const Scope& in, const Sides& sides);
inline constexpr OutputKind affinity_table = out::scores.as("affinity");

// e_ij = [k_j; q_i; k_j * q_i] . w, as the score `trilinear`. q [m d]  k [n d]  w [1 3d]
Var trilinear_energies(Var q, Var k, Var w);

// The mean of rows, a query for the other side: [1 d].
Var mean_row(Var rows);
// Contexts side by side, a structure's `output`.
Tensors join(const std::string& name, const std::vector<Var>& contexts);
Tensors join_sides(const Tensors& first, const Tensors& second);

// A choice of the general module that consists of this structure's own slots. Its results are those of
// the structure where that lets it attend in its place (`in.assembler.attend`).
Choice plain_attention(const Scope& in);

}  // namespace attend
