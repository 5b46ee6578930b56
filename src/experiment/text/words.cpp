// SPDX-License-Identifier: Apache-2.0
#include "experiment/text/words.h"

#include <map>
#include <span>
#include <stdexcept>
#include <string>

#include "experiment/text/text_files.h"

namespace attend {
namespace {

using Records = std::map<std::string, Json, std::less<>>;

constexpr std::string_view measures = "measures", tasks = "tasks", reasons = "reasons";

void add_words(Records& words, const TextFile& file) {
  const Json records = Json::parse(file.text);
  for (const auto& [id, record] : records.items()) words.emplace(id, record);
}

Records words_in(std::span<const TextFile> files, std::string_view name) {
  Records words;
  for (const TextFile& file : files) {
    if (file.name == name) add_words(words, file);
  }
  return words;
}

Records words_of_mechanisms() {
  Records words;
  for (const TextFile& file : catalogue_word_files()) {
    if (file.name != measures) add_words(words, file);
  }
  return words;
}

const Json& found_in(const Records& words, std::string_view id) {
  const auto found = words.find(id);
  if (found == words.end())
    throw std::logic_error("data/catalogue/en has no words for " + std::string(id));
  return found->second;
}

}  // namespace

const Json& words_of(std::string_view id) {
  static const Records words = words_of_mechanisms();
  return found_in(words, id);
}

const Json& words_of_measure(std::string_view id) {
  static const Records words = words_in(catalogue_word_files(), measures);
  return found_in(words, id);
}

const Json& words_of_task(std::string_view id) {
  static const Records words = words_in(engine_word_files(), tasks);
  return found_in(words, id);
}

const std::string& title_of_knob(const Json& words, std::string_view knob) {
  const Json& titles = words.at("knobs");
  const auto found = titles.find(knob);
  if (found == titles.end())
    throw std::logic_error("data/catalogue/en has no title for the setting \"" + std::string(knob) +
                           "\" of \"" + words.at("title").get<std::string>() + "\"");
  return found->get_ref<const std::string&>();
}

const std::string& sentence_of_reason(std::string_view id) {
  static const Records words = words_in(engine_word_files(), reasons);
  return found_in(words, id).at("sentence").get_ref<const std::string&>();
}

Json source_of(const Json& words) {
  Json source{{"authors", ""}, {"year", 0}, {"where", ""}, {"link", ""}};
  source.update(words.at("source"));
  return source;
}

Json optional_words(const Json& words, std::string_view name) {
  const auto found = words.find(name);
  return found == words.end() ? Json() : *found;
}

}  // namespace attend
