// SPDX-License-Identifier: Apache-2.0
#include "import/example_text.h"

#include <algorithm>
#include <numeric>

#include "ops/error.h"

namespace attend {
namespace {

// A tokenizer is quoted once more in the header of the weights, which is read like a document and has 8 MB at most.
constexpr std::size_t most_quoted = std::size_t{7} << 20U;

std::size_t quoted_size(const std::string& text) {
  return text.size() + static_cast<std::size_t>(std::ranges::count_if(
                           text, [](char c) { return c == '"' || c == '\\'; }));
}

// Newer files have merges as pairs, which take twice the room; texts say the same where no piece has a space.
void join_merges(Json& model) {
  if (!model.is_object() || !model.contains("merges") || !model["merges"].is_array()) return;
  Json texts = Json::array();
  for (const Json& merge : model["merges"]) {
    const bool pair =
        merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string();
    if (!pair) return;
    const auto left = merge[0].get<std::string>(), right = merge[1].get<std::string>();
    if ((left + right).find(' ') != std::string::npos || left.empty()) return;
    texts.push_back(left + " " + right);
  }
  model["merges"] = std::move(texts);
}

// Without its last word, or without its last character where it is one word.
void shorten(std::string& text) {
  std::size_t at = text.find_last_of(' ');
  if (at == std::string::npos) at = text.size() - 1;
  while (at > 0 && (static_cast<unsigned char>(text[at]) & 0xc0U) == 0x80) --at;
  text.resize(at);
}

// A model may have rows that no piece uses, to round the number up; never too few.
void check_vocabulary(const Checkpoint& checkpoint, std::size_t rows) {
  const std::size_t pieces = checkpoint.tokenizer_read->size();
  if (rows == 0 || pieces <= rows) return;
  refuse("", "\"" + checkpoint.tokenizer_name + "\" has " + std::to_string(pieces) +
                 " pieces, but the model has " + std::to_string(rows) +
                 ": this tokenizer belongs to another model");
}

}  // namespace

void settle_tokenizer(Checkpoint& into) {
  if (into.tokenizer.is_null()) return;
  into.tokenizer_left.clear();  // another file has one that is known
  try {
    join_merges(into.tokenizer["model"]);
    into.tokenizer_read = std::make_shared<const Tokenizer>(into.tokenizer);
  } catch (const UnknownTokenizer& unknown) {
    into.tokenizer = nullptr;
    into.tokenizer_left = unknown.what();
    return;
  } catch (const Error& error) {
    refuse("", "\"" + into.tokenizer_name + "\": " + error.what());
  } catch (const Json::exception& error) {
    refuse("", "\"" + into.tokenizer_name + "\" is not a tokenizer.json: " + error.what());
  }
  into.tokenizer_text = into.tokenizer.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::size_t bytes = quoted_size(into.tokenizer_text);
  if (bytes <= most_quoted) return;
  into.tokenizer_text.clear();
  into.tokenizer_left = "the tokenizer takes " + std::to_string(bytes) +
                        " bytes in the header of the weights, but only " +
                        std::to_string(most_quoted) + " fit";
}

ExampleText example_text(const Checkpoint& checkpoint, std::string text, std::size_t rows,
                         std::size_t positions) {
  constexpr std::size_t first_numbers = 4;
  ExampleText example;
  if (checkpoint.tokenizer_read != nullptr) {
    const Tokenizer& tokenizer = *checkpoint.tokenizer_read;
    check_vocabulary(checkpoint, rows);
    example.ids = tokenizer.encode(text);
    while (positions != 0 && example.ids.size() > positions && !text.empty()) {
      shorten(text);
      example.ids = tokenizer.encode(text);
    }
  }
  if (example.ids.empty()) {
    example.ids.resize(rows == 0 ? first_numbers : std::min(rows, first_numbers));
    std::iota(example.ids.begin(), example.ids.end(), std::size_t{0});
  }
  if (positions != 0 && example.ids.size() > positions) example.ids.resize(positions);
  if (checkpoint.tokenizer_read == nullptr) return example;
  example.labels = Json::array();
  for (const std::size_t id : example.ids)
    example.labels.push_back(checkpoint.tokenizer_read->shown(id));
  return example;
}

}  // namespace attend
