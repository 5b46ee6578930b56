// SPDX-License-Identifier: Apache-2.0
// The words of data/catalogue/en and the records belong together, down to each knob, slot, input and form.
#include "experiment/text/words.h"

#include <algorithm>
#include <doctest/doctest.h>
#include <set>
#include <string>

#include "catalogue/parts/layers/causal_form.h"
#include "evaluation/measure.h"
#include "experiment/learning/answer.h"
#include "experiment/text/text_files.h"
#include "tests/each.h"
#include "training/task.h"

namespace attend::testing::words_test {
namespace {

using Names = std::set<std::string>;

template <class List>
Names names_of(const List& list) {
  Names names;
  for (const auto& one : list) names.emplace(one.name);
  return names;
}

Names names_in(const Json& words, const char* part) {
  Names names;
  if (!words.contains(part)) return names;
  for (const auto& [name, text] : words.at(part).items()) names.insert(name);
  return names;
}

bool is_sentence(const Json& text) {
  const auto& said = text.get_ref<const std::string&>();
  return said.size() > 1 && said.ends_with(".");
}

const Each own_words("has words for each of its knobs and slots, and for no others",
                     every_mechanism, [](const Mechanism& mechanism) {
                       const Json& words = words_of(mechanism.id);
                       CHECK(!words.at("title").get<std::string>().empty());
                       CHECK(is_sentence(words.at("sentence")));
                       CHECK(names_in(words, "knobs") == names_of(mechanism.knobs));
                       CHECK(names_in(words, "slots") == names_of(mechanism.slots));
                       CHECK((mechanism.differentiable || words.contains("learns")));
                     });

Names used_reasons() {
  Names used;
  for (const Mechanism* mechanism : all_mechanisms()) {
    for (const Ban& ban : exclusions_of(*mechanism)) used.emplace(ban.reason);
    for (const Exclusion& e : mechanism->excludes) used.emplace(e.reason);
    const auto* core = std::get_if<Core>(&mechanism->behaviour);
    if (core == nullptr) continue;
    used.emplace(core->never_causal);
    used.emplace(core->peeks);
  }
  used.erase("");  // of what is always causal
  return used;
}

Json english(std::string_view name) {
  for (const TextFile& file : engine_word_files()) {
    if (file.name == name) return Json::parse(file.text);
  }
  return Json();
}

}  // namespace

TEST_CASE("every reason has a sentence, and every sentence is the reason for something") {
  Names written;
  const Json reasons = english("reasons");
  for (const auto& [id, words] : reasons.items()) {
    CAPTURE(id);
    CHECK(is_sentence(words.at("sentence")));
    written.insert(id);
  }
  CHECK(written == used_reasons());
  CHECK(sentence_of_reason("no-query") == "It reads the query, and there is no query here.");
}

TEST_CASE("every task has words for itself, its knobs and its forms, and for no others") {
  for (const Task* task : all_tasks()) {
    CAPTURE(task->id);
    const Json& words = words_of_task(task->id);
    CHECK(!words.at("title").get<std::string>().empty());
    CHECK(is_sentence(words.at("sentence")));
    CHECK(is_sentence(words.at("shows")));
    CHECK(names_in(words, "knobs") == names_of(task->knobs));
    CHECK(names_in(words, "forms") == Names(task->forms.begin(), task->forms.end()));
    for (const Json& form : forms_of(*task)) CHECK(is_sentence(form.at("says")));
  }
}

TEST_CASE("every measure has words for its knobs and inputs, and for no others") {
  for (const Measure* measure : all_measures()) {
    CAPTURE(measure->id);
    const Json& words = words_of_measure(measure->id);
    CHECK(names_in(words, "knobs") == names_of(measure->knobs));
    CHECK(names_in(words, "inputs") == names_of(measure->inputs));
  }
}

TEST_CASE("what has no words is named, with the file") {
  CHECK_THROWS_WITH_AS((void)sentence_of_reason("no-such"),
                       "data/catalogue/en has no words for no-such", std::logic_error);
  CHECK_THROWS_WITH_AS((void)title_of_knob(words_of("gla"), "no-such"),
                       "data/catalogue/en has no title for the setting \"no-such\" of "
                       "\"Gated linear attention\"",
                       std::logic_error);
}

}  // namespace attend::testing::words_test
