// SPDX-License-Identifier: Apache-2.0
#include "import/source_text.h"

#include <algorithm>
#include <cmath>

#include "ops/error.h"
#include "ops/text.h"

namespace attend {
namespace {

// Larger numbers are not exact in float32, of which inputs are.
constexpr double most_ids = 1 << 24;

// A number or a list of numbers, as configs have it.
PieceIds pieces_of(const Json& writes, const char* member) {
  PieceIds ids;
  const Json list = writes.is_object() ? writes.value(member, Json()) : Json();
  const auto take = [&](const Json& id) {
    if (id.is_number_integer() && id.get<std::int64_t>() >= 0) ids.push_back(id);
  };
  if (!list.is_array()) take(list);
  for (const Json& one : list.is_array() ? list : Json::array()) {
    if (!one.is_array()) take(one);
    for (const Json& id : one.is_array() ? one : Json::array()) take(id);
  }
  return ids;
}

}  // namespace

TwoTexts::TwoTexts(const Json& writes)
    : start(pieces_of(writes, "start")),
      ends(pieces_of(writes, "end")),
      never(pieces_of(writes, "never")) {
  if (!writes.is_object() || !writes.contains("source")) return;
  source = writes["source"];
  length = writes.value("source_length", std::size_t{0});
}

void TwoTexts::check_source(const PieceIds& ids, const std::string& path) const {
  if (ids.empty()) refuse(path, "the source has no tokens; begin with a word");
  if (length != 0 && ids.size() > length)
    refuse(path, "the source has " + std::to_string(ids.size()) +
                     " tokens, but the encoder reads at most " + std::to_string(length));
}

bool is_end(const TwoTexts& texts, const std::optional<Tokenizer>& tokenizer, std::size_t id) {
  if (!texts.ends.empty()) return std::ranges::find(texts.ends, id) != texts.ends.end();
  return tokenizer && tokenizer->is_end(id);
}

PieceIds pieces_in(const Document& document, const std::string& input) {
  const auto found = document.inputs.find(input);
  if (found == document.inputs.end()) refuse("/inputs", "there is no input \"" + input + "\"");
  PieceIds ids;
  for (const double id : found->second.tensor.data) {
    if (id < 0 || id > most_ids || std::floor(id) != id)
      refuse("/inputs/" + input, "expected the ids of tokens, whole numbers from 0; found " +
                                     number_exact(id) + " at " + std::to_string(ids.size()));
    ids.push_back(static_cast<std::size_t>(id));
  }
  return ids;
}

void put_pieces(Document& document, const std::string& input, const PieceIds& ids,
                std::vector<std::string> labels) {
  document.inputs[input] = {{{ids.size(), 1}, {ids.begin(), ids.end()}}, std::move(labels)};
}

}  // namespace attend
