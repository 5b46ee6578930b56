// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace attend {

// What must be kept to write the next word: {"over", "until", "rows", "numbers", "bytes", "tensors"}. `numbers` and
// `bytes` have an entry for each row so far, 1 to `rows`: the most that was held until then. `tensors` says what it is:
// {"name", "module", "numbers", "grows", "rows"}; what grows has `numbers` for each of the `rows` that are held, and
// rows that no later one can read are not held. Where a module outputs fewer numbers from which its keys and values can
// be computed again, such as latent rows, those are what is kept. `until` names the last result that can run one row
// at a time: behind it, a model may read its last row alone. `over` as in stepwise_text. Throws Error.
std::string kept_text(std::string_view text, const std::string& over);

}  // namespace attend
