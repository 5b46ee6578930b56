// SPDX-License-Identifier: Apache-2.0
#include "import/family_functions.h"

#include <algorithm>
#include <cmath>

#include "import/tokenizer.h"
#include "ops/error.h"

namespace attend {

bool same_numbers(const StoredTensor& a, const StoredTensor& b) {
  constexpr std::uint64_t slice = std::uint64_t{1} << 20U;
  if (a.shape != b.shape || a.type != b.type || a.strides != b.strides) return false;
  if (!a.parts.empty() || !b.parts.empty())
    return std::ranges::equal(a.parts, b.parts, same_numbers);
  if (a.file == b.file && a.first == b.first) return true;
  const std::uint64_t bytes = bytes_spanned(a);
  for (std::uint64_t at = 0; at < bytes; at += slice) {
    const std::uint64_t count = std::min(slice, bytes - at);
    if (a.file->text(a.first + at, count) != b.file->text(b.first + at, count)) return false;
  }
  return true;
}

Json whole_root(const Json& square) {
  if (!square.is_number_integer() || square.get<std::int64_t>() < 0) return nullptr;
  const double root = std::round(std::sqrt(square.get<double>()));
  return root * root == square.get<double>() ? Json(static_cast<std::int64_t>(root)) : Json();
}

Json square_root(const Json& square) {
  const bool has_root = square.is_number() && square.get<double>() >= 0;
  return has_root ? Json(std::sqrt(square.get<double>())) : Json();
}

Json piece_text(const Checkpoint& checkpoint, const Json& id) {
  const bool known = checkpoint.tokenizer_read != nullptr && id.is_number_integer() &&
                     id.get<std::int64_t>() >= 0 &&
                     id.get<std::size_t>() < checkpoint.tokenizer_read->size();
  return known ? Json(checkpoint.tokenizer_read->shown(id.get<std::size_t>())) : Json();
}

Json sentence_pooling(const Checkpoint& checkpoint, bool needed) {
  const Checkpoint::Pooling& pooling = checkpoint.pooling;
  if (pooling.file.empty()) return nullptr;
  if (pooling.mode.empty() && needed)
    refuse("", "\"" + pooling.file + "\": it makes a sentence of all rows by " + pooling.chosen +
                   "; one of pooling_mode_mean_tokens, pooling_mode_cls_token, "
                   "pooling_mode_max_tokens and pooling_mode_lasttoken can be computed. Leave "
                   "the file out to get the mean");
  return pooling.mode.empty() ? Json() : Json(pooling.mode);
}

}  // namespace attend
