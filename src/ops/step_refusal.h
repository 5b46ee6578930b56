// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "ops/error.h"

namespace attend {

// Why a program cannot run one row at a time.
enum class StepReason : std::uint8_t {
  later_keys,
  later_keys_of,  // of a tensor
  later_values,
  later_rows,
  later_rows_listed,
  weighs_rows,
  weighs_queries,
  sums_rows,
  mixes_rows,
  needs_rows,
  reads_rows_in_each_step,
  adds_rows_of_map,
  last_row_back,
  last_key_back,
  solves_back,
  runs_back,
  by_place,
  keys_by_place,
  by_place_of_query,
  moved_rows,
  rows_around,
  rows_in_front,
  joined_axes,
  unlike_maps,
  third_axis,
  axes_do_not_fit,
  whole_scan,
  across_scan,
  state_after_scan,
  scan_of_others,
  state_of_rows,
};

// The sentence of a reason; `what` is the tensor that it is about, where there is one.
std::string sentence_of(StepReason reason, const std::string& what = "");

// Whether the row would be known if later keys were excluded.
bool helped_by_a_mask(StepReason reason);

// Thrown by the rules of a step, with the place of the module.
class StepRefused : public Error {
 public:
  StepRefused(StepReason why, const Error& error) : Error(error), reason(why) {}
  StepReason reason;
};

}  // namespace attend
