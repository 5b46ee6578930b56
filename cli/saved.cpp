// SPDX-License-Identifier: Apache-2.0
#include "cli/saved.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <map>
#include <string_view>

#include "experiment/text/json_parse.h"
#include "ops/error.h"
#include "ops/json_pointer.h"

namespace {

std::map<std::string, std::string, std::less<>>& files() {
  static std::map<std::string, std::string, std::less<>> kept;
  return kept;
}

constexpr std::string_view alphabet =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// Four letters are three bytes; `=` fills up the last four.
std::string bytes_of_base64(std::string_view text, const std::string& path) {
  const std::size_t end = text.find_last_not_of('=') + 1;
  if (text.size() % 4 != 0 || text.size() - end > 2)
    attend::refuse(path, "expected base64, whose length is a multiple of 4; found " +
                             std::to_string(text.size()) + " characters");
  std::string bytes;
  std::uint32_t held = 0;
  for (std::size_t i = 0; i < end; ++i) {
    const std::size_t digit = alphabet.find(text[i]);
    if (digit == std::string_view::npos)
      attend::refuse(path, "expected base64; character " + std::to_string(i) + " is not base64");
    held = held << 6 | static_cast<std::uint32_t>(digit);
    // Bits that are not yet a whole byte wait: none, 6, 4 or 2 of them.
    if (i % 4 != 0) bytes += static_cast<char>(held >> (6 - 2 * (i % 4)) & 255);
  }
  return bytes;
}

}  // namespace

std::string document_in(const std::string& text) {
  files().clear();
  attend::Json json = attend::parse_json(text);
  constexpr std::array members = {"compare", "seen", "weights"};
  if (!json.is_object() || !json.contains("schema")) return text;
  if (std::none_of(members.begin(), members.end(),
                   [&](const char* one) { return json.contains(one); }))
    return text;
  if (const auto weights = json.find("weights"); weights != json.end()) {
    if (!weights->is_object())
      attend::refuse("/weights", "expected an object of files, each as base64");
    for (const auto& [name, file] : weights->items()) {
      const std::string path = "/weights/" + attend::as_pointer_part(name);
      if (!file.is_string()) attend::refuse(path, "expected the file's bytes as base64");
      files()[name] = bytes_of_base64(file.get_ref<const std::string&>(), path);
    }
  }
  for (const char* member : members) json.erase(member);
  return json.dump();
}

const std::string* saved_weights(const std::string& name) {
  const auto found = files().find(name);
  return found == files().end() ? nullptr : &found->second;
}
