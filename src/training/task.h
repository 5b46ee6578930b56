// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "ops/list.h"
#include "ops/random.h"
#include "ops/shape.h"

// A task: any number of examples whose truth is known, including the alignment.
namespace attend {

// Why a place of the answer is linked to a place of the source: it has the same meaning, or its form depends on it
// (French adjectives agree with their noun).
enum class LinkKind { means, agrees };

// The column is a place in the task's first field: a word, or a pixel of an image, counted row by row.
struct Link {
  std::size_t row, column;  // place in the answer, place in the source
  LinkKind kind = LinkKind::means;
  bool operator==(const Link&) const = default;
};

// What an example puts into one field: words by their places in the field's vocabulary, or numbers.
struct Filling {
  std::vector<std::uint16_t> words = {};
  Shape shape = {};
  std::vector<float> numbers = {};
  bool operator==(const Filling&) const = default;
};

struct Example {
  std::vector<Filling> fields;  // in the order of the task's
  std::vector<Link> links;
  // Where a second field is compared with the first: the row is a place in the second.
  std::vector<Link> matches = {};
  // The positions of the answer that are asked, where the source has the others; empty where all are.
  std::vector<std::size_t> asked = {};
};

// Random numbers one after the other.
class Draws {
 public:
  explicit Draws(RandomStream stream) : stream_(stream) {}
  std::size_t below(std::size_t bound) {
    return static_cast<std::size_t>(stream_.below(next_++, bound));
  }
  double uniform() { return stream_.uniform(next_++); }
  double normal() { return stream_.normal(next_++); }
  // A list in another order.
  template <class T>
  void shuffle(std::vector<T>& list) {
    for (std::size_t i = list.size(); i > 1; --i) std::swap(list[i - 1], list[below(i)]);
  }

 private:
  RandomStream stream_;
  std::uint64_t next_ = 0;
};

// A task with its settings: where examples come from.
class TaskSource {
 public:
  TaskSource() = default;
  TaskSource(const TaskSource&) = delete;
  TaskSource& operator=(const TaskSource&) = delete;
  virtual ~TaskSource() = default;

  // The words of a field by index: <start>, <end>, <unknown> come first. Empty for a field of numbers.
  [[nodiscard]] virtual const std::vector<std::string>& words(std::size_t field) const = 0;
  [[nodiscard]] virtual Example draw(Draws& draws) const = 0;
  // How many different examples there are.
  [[nodiscard]] virtual double space() const = 0;
  // All examples where somebody listed them; empty where they are drawn.
  [[nodiscard]] virtual std::span<const Example> listed() const { return {}; }
  // The example whose source a reader wrote, with the truth; nothing where the task knows none.
  [[nodiscard]] virtual std::optional<Example> answer(const std::vector<std::string>&) const {
    return std::nullopt;
  }
  // The same by all fields but the answer, where there are several.
  [[nodiscard]] virtual std::optional<Example> answer_to(
      const std::vector<std::vector<std::string>>& sources) const {
    return sources.size() == 1 ? answer(sources.front()) : std::nullopt;
  }
};

struct TaskField {
  std::string_view name;
  bool answer = false;  // what is to be found: all other fields are its source
  bool numbers = false;
};

// A setting of a task: a number from `least` to `most`, or a text.
struct TaskKnob {
  std::string_view name;
  double fallback = 0, least = 0, most = 0;
  bool whole = true;  // of a number
  bool text = false;
  bool words = false;  // it decides which words there are
};

using TaskValue = std::variant<double, std::string>;

// The settings of a task, defaults filled in.
struct TaskSettings {
  std::map<std::string, TaskValue, std::less<>> values;
  [[nodiscard]] std::size_t count(std::string_view name) const;
  [[nodiscard]] const std::string& text(std::string_view name) const;
};

// One task: all that a machine needs to know of it, in one file of src/training/tasks. Its words are in
// data/catalogue/LANGUAGE/tasks.json.
struct Task {
  std::string_view id;
  List<TaskField> fields;
  List<TaskKnob> knobs;
  // A source of each kind that it makes, where few words describe the kinds: it knows no answer to any other source.
  List<std::string_view> forms = {};
  // Throws Error at the setting's name when they do not go together.
  std::unique_ptr<TaskSource> (*open)(const TaskSettings& settings) = nullptr;

  // The place of the field that is the answer, and of the one that links lead to.
  [[nodiscard]] std::size_t answer() const;
  [[nodiscard]] std::size_t aligned() const { return answer() == 0 ? 1 : 0; }
  // A text of the reader's own shows examples only: what is not in it may be right as well.
  [[nodiscard]] bool knows_every_source() const;
};

// The `open` of a task whose source is made of its settings.
template <class Source>
std::unique_ptr<TaskSource> opened(const TaskSettings& settings) {
  return std::make_unique<Source>(settings);
}

std::span<const Task* const> all_tasks();
// By its id. Throws Error listing them.
const Task& task_named(std::string_view id);

// All fields but the answer: two examples are different if these differ.
std::string key_of(const Task& task, const Example& example);
// The words of a filling.
std::vector<std::string> tokens_of(const TaskSource& source, std::size_t field,
                                   const Filling& filling);
// The other way: nothing where a token is none of the field's words, the special ones apart.
std::optional<Filling> filling_of(const TaskSource& source, std::size_t field,
                                  const std::vector<std::string>& tokens);

// <start>, <end>, <unknown>, and then the words.
std::vector<std::string> vocabulary_of(std::vector<std::string> words);
inline constexpr std::uint16_t start_word = 0, end_word = 1, unknown_word = 2;

}  // namespace attend
