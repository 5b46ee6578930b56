// SPDX-License-Identifier: Apache-2.0
#include "ops/step_refusal.h"

#include <array>

namespace attend {
namespace {

struct Words {
  StepReason reason;
  const char* text;  // % is the tensor that it is about
};

using enum StepReason;
constexpr std::array all_words{
    Words{later_keys, "a query sees keys that come later"},
    Words{later_keys_of, "a query sees keys that come later in %"},
    Words{later_values, "a query sees values that come later"},
    Words{later_rows, "it may read rows that come later; keep only pairs with earlier rows"},
    Words{later_rows_listed, "its list may name rows of % that come later"},
    Words{weighs_rows, "it computes weights over all rows of %"},
    Words{weighs_queries, "it computes weights over the queries"},
    Words{sums_rows, "it adds up all rows of %"},
    Words{mixes_rows, "it mixes all rows of %"},
    Words{needs_rows, "it needs all rows of % at once"},
    Words{reads_rows_in_each_step, "each of its steps reads all rows of %"},
    Words{adds_rows_of_map, "it adds up the rows of a map"},
    Words{last_row_back, "it adds up rows from the last to the first"},
    Words{last_key_back, "it adds up keys from the last to the first"},
    Words{solves_back, "it solves equations from the last row to the first"},
    Words{runs_back, "it runs from the last row to the first"},
    Words{by_place, "it reads rows of % by their position"},
    Words{keys_by_place, "it reads keys of % by their position"},
    Words{by_place_of_query, "it reads earlier rows by the position of the query"},
    Words{moved_rows, "it reads %, whose rows are moved"},
    Words{rows_around, "it adds rows before or after those of %"},
    Words{rows_in_front, "it puts %, which depends on a row, in front of the keys"},
    Words{joined_axes, "it joins the axis of the rows of % with another axis"},
    Words{unlike_maps, "it compares maps whose rows or keys do not lie along the same axes"},
    Words{third_axis, "it lays rows of % along a third axis"},
    Words{axes_do_not_fit, "rows and keys of % lie along axes that do not fit"},
    Words{whole_scan, "it reads the whole result of a scan"},
    Words{across_scan, "it reads a scan across its steps"},
    Words{state_after_scan, "it reads the state after the last row"},
    Words{scan_of_others, "its steps do not run over the rows"},
    Words{state_of_rows, "its first state depends on a row"},
};

}  // namespace

bool helped_by_a_mask(StepReason reason) {
  return reason == later_keys || reason == later_keys_of || reason == later_values;
}

std::string sentence_of(StepReason reason, const std::string& what) {
  std::string text;
  for (const Words& words : all_words) {
    if (words.reason == reason) text = words.text;
  }
  const std::size_t at = text.find('%');
  if (at != std::string::npos) text.replace(at, 1, what);
  return "it cannot run one row at a time: " + text +
         (helped_by_a_mask(reason) ? "; add a causal mask" : "");
}

}  // namespace attend
