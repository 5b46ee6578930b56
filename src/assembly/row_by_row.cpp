// SPDX-License-Identifier: Apache-2.0
// Rows that need the rows before them: each is one step of a scan.
#include "assembly/general_module.h"

namespace attend {

// An alignment that weighs all rows together has no meaning where rows come one by one.
void GeneralModule::refuse_all_rows(const Choice& choice) {
  if (choice.mechanism->needs_all_rows) {
    refuse(choice.path, "\"" + std::string(choice.mechanism->id) +
                            "\" weighs all rows together, and here they are made one after "
                            "another, because another part needs the rows before");
  }
  for (const auto& [name, inner] : choice.slots) {
    for (const Choice& one : inner) refuse_all_rows(one);
  }
}

// Where one row is asked for in each step around the module, it is a row of those steps.
Rows* GeneralModule::rows_around() {
  if (rows_) return &*rows_;
  if (b_.steps == nullptr || rows() != 1) return nullptr;
  refuse_all_rows(choice_);
  return &rows_.emplace(*b_.steps);
}

// One step of a scan is one row.
void GeneralModule::row_by_row() {
  refuse_all_rows(choice_);
  if (!rows_) rows_.emplace(b_.graph(), rows());
  Rows& r = *rows_;
  const Var q = in_.q ? r.row_of(in_.q, "q_t") : in_.q;
  const Var mask = mask_ ? r.row_of(mask_, "m_t") : mask_;
  const Var e = scores_ ? r.row_of(scores_, "e_t") : mixed_scores(positioned(score(q, &r), q, &r));
  const Var a = let("a_t", align(e, mask, q, &r));
  const Var c = let("c_t", aggregate(a, q, &r));
  const bool scored = static_cast<bool>(scores_);
  const std::vector<Var> all = r.finish(a, c, scored ? std::vector{a, c} : std::vector{a, c, e});
  if (!scored) scores_ = named("E", all[2]);
  weights_ = named("A", all[0]);
  context_ = named("C", all[1]);
}

}  // namespace attend
