// SPDX-License-Identifier: Apache-2.0
#include "experiment/text/json_parse.h"

#include <cmath>
#include <utility>
#include <vector>

#include "experiment/text/overlong.h"
#include "ops/error.h"
#include "ops/json_pointer.h"

namespace attend {
namespace {

// Builds the value while watching what the library's own builder lets pass: names twice, depth,
// forbidden names.
class JsonReader : public nlohmann::json_sax<Json> {
 public:
  Json root;

  bool null() override { return put(nullptr); }
  bool boolean(bool value) override { return put(value); }
  bool number_integer(number_integer_t value) override { return put(value); }
  bool number_unsigned(number_unsigned_t value) override { return put(value); }
  bool number_float(number_float_t value, const string_t&) override { return put(value); }
  bool string(string_t& value) override { return put(std::move(value)); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return open(Json::object()); }
  bool start_array(std::size_t) override { return open(Json::array()); }
  bool end_object() override { return close(); }
  bool end_array() override { return close(); }

  bool key(string_t& name) override {
    if (name == "__proto__" || name == "constructor" || name == "prototype") {
      refuse(path() + "/" + name, "the name \"" + name + "\" is not allowed");
    }
    if (levels_.back().value.contains(name)) {
      refuse(path() + "/" + as_pointer_part(name),
             "the name \"" + name + "\" appears twice in one object");
    }
    levels_.back().key = name;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    std::string reason = error.what();
    const std::size_t colon = reason.find("] ");
    if (colon != std::string::npos) reason = reason.substr(colon + 2);
    refuse(path(), "this is not JSON at character " + std::to_string(position) + ": " + reason);
  }

 private:
  struct Level {
    Json value;
    std::string key;
  };

  [[nodiscard]] std::string path() const {
    std::string text;
    for (std::size_t i = 0; i < levels_.size(); ++i) {
      const Level& level = levels_[i];
      if (level.value.is_array()) {
        text += "/" + std::to_string(level.value.size());
      } else if (i + 1 < levels_.size()) {
        text += "/" + as_pointer_part(level.key);
      }
    }
    return text;
  }

  bool put(Json value) {
    if (levels_.empty()) {
      root = std::move(value);
    } else if (levels_.back().value.is_array()) {
      levels_.back().value.push_back(std::move(value));
    } else {
      levels_.back().value[levels_.back().key] = std::move(value);
    }
    return true;
  }

  bool open(Json empty) {
    if (levels_.size() >= max_nesting) {
      refuse(path(),
             "lists and objects are nested more than " + std::to_string(max_nesting) + " deep");
    }
    levels_.push_back({std::move(empty), {}});
    return true;
  }

  bool close() {
    Json value = std::move(levels_.back().value);
    levels_.pop_back();
    return put(std::move(value));
  }

  std::vector<Level> levels_;
};

}  // namespace

Json parse_json(std::string_view text) {
  if (text.size() > max_document_bytes) {
    const LongestValue most = longest_value(text);
    refuse(most.path,
           "expected a document of at most " + std::to_string(max_document_bytes) +
               " bytes, found " + std::to_string(text.size()) +
               (most.path.empty() ? "" : ", of which " + std::to_string(most.bytes) + " are here"));
  }
  JsonReader reader;
  if (!Json::sax_parse(text, &reader)) refuse("this is not JSON");
  return std::move(reader.root);
}

std::string describe(const Json& value) {
  constexpr std::size_t longest = 40;
  switch (value.type()) {
    case Json::value_t::null:
      return "null";
    case Json::value_t::boolean:
      return value.get<bool>() ? "true" : "false";
    case Json::value_t::string: {
      const auto& text = value.get_ref<const std::string&>();
      return text.size() <= longest ? "\"" + text + "\""
                                    : "a string of " + std::to_string(text.size()) + " bytes";
    }
    case Json::value_t::array:
      return "a list of " + std::to_string(value.size());
    case Json::value_t::object:
      return "an object";
    case Json::value_t::number_float: {
      const auto number = value.get<double>();
      // A whole number without the ".0" that JSON writes behind it.
      if (number == std::floor(number) && std::abs(number) < 1e15)
        return std::to_string(static_cast<long long>(number));
      return value.dump();
    }
    default:
      return value.dump();
  }
}

}  // namespace attend
