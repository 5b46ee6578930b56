// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "catalogue/modules.h"
#include "catalogue/parts/structures/structure_reference.h"

// A text (input 1) and a question (input 2) that look at each other by the trilinear score, and what
// every word of the text gets: [c; a; c * a; c * b].
namespace attend {

class Reading {
 public:
  Reading(const Scope& in, const Tensors& inputs)
      : sides(sides_of(in, inputs)), in_(in), sized_(in.sized()) {}

  // The table of all pairs [n1 n2], once for both directions.
  Var energies();
  // What each word of the text reads in the question, by the slot `second`.
  Tensors in_question();
  // That table as the structure's result `affinity`, if one direction needed it.
  [[nodiscard]] Tensors table() const { return {{affinity_table, table_, "n1 n2"}}; }
  // The structure's output: a and b [n1 d], or one row for all words.
  [[nodiscard]] Tensors hand_on(const char* name, Var a, Var b) const;

  const Sides sides;

 private:
  const Scope& in_;
  Scope sized_;
  Var table_;
};

inline const List<Role> reading_roles = {{"key1", "n1 d"},
                                         {"key2", "n2 d"},
                                         {"value1", "n1 d", false, "key1"},
                                         {"value2", "n2 d", false, "key2"}};
inline const List<Slot> reading_slots = {attention_slot("first", by_energies),
                                         attention_slot("second", by_energies)};
inline const List<Coordinate> reading_coordinates = {
    {"multiplicity of features", "parallel co-attention"},
    {"scoring", "trilinear"},
    {"type", "specialized"}};

// What is handed on, by plain loops.
Array handed_on(const Array& c, const Array& a, const Array& b);

}  // namespace attend
