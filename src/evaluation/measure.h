// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <limits>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "catalogue/knob.h"
#include "ops/list.h"

// A measure is one file: its words for the reader, its inputs, and the computation of its number. It computes one unit
// for each example (a pair of sentences, an item, a map) and its value from all units. So every choice of units has a
// value too, which an interval needs.
namespace attend {

class Subject;

enum class InputType { map, tokens, references, links, labels, image, numbers, rows, document };
std::string_view type_name(InputType type);

// What a reader of the type must write, for messages and documentation.
std::string_view type_form(InputType type);

// The role of an input in the measure, so that a program with a model need not ask the reader for it.
enum class InputRole {
  given,       // what only a reader can give
  weights,     // the model's map
  answer,      // what it answers: chances, or the class that each row says
  text,        // what it wrote; of a document only where a name says which of its results that is
  truth,       // what weights, answer or text should be
  vocabulary,  // the words that the classes of an answer stand for
  change,      // how another document differs from the first
};

struct MeasureInput {
  std::string_view name;
  InputType type;
  bool required = true;
  InputRole role = InputRole::given;

  // Whether a document gives it if no result of the document is named.
  [[nodiscard]] constexpr bool from_document() const {
    return role == InputRole::weights || role == InputRole::answer;
  }
};

struct Links {
  using Pair = std::array<std::size_t, 2>;  // a row (query) and a key
  std::vector<Pair> sure, possible;         // all sure ones are possible too
};
using GivenValue =
    std::variant<Tensor, std::vector<std::string>, std::vector<std::vector<std::string>>, Links>;
// The inputs of one example, by name.
using Given = std::map<std::string, GivenValue, std::less<>>;

// What one example gives: the numbers of which the value is made.
using Unit = std::vector<double>;
using Units = std::span<const Unit* const>;

// Something beside the value: numbers, words, or both.
struct MeasuredDetail {
  std::string name;
  Tensor numbers;
  std::vector<std::string> words = {};
};
using Details = std::vector<MeasuredDetail>;

struct Measure;

// The knobs of a measure, and what all its examples share.
struct Settings {
  const Measure& measure;
  std::map<std::string, KnobValue, std::less<>> knobs;
  std::vector<std::string> classes = {};  // by index; grows as examples name them
  Subject* subject = nullptr;             // of the input `document`
  Subject* other = nullptr;               // of the input `other`

  [[nodiscard]] double number(std::string_view knob) const;
  [[nodiscard]] std::size_t integer(std::string_view knob) const;
  [[nodiscard]] bool flag(std::string_view knob) const;
  [[nodiscard]] const std::string& text(std::string_view knob) const;
};

struct Finding {
  std::vector<Unit> units;
  Details details;  // of one example
  std::vector<std::string>
      notes;  // what a reader should know: an empty class, a row without weight
};

// What a measure sees of one example.
struct MeasureIn {
  Settings& settings;
  const Given& given;
  std::string path;  // of the example, as JSON pointer

  [[nodiscard]] bool has(std::string_view name) const { return given.contains(name); }
  [[nodiscard]] const Tensor& tensor(std::string_view name) const;
  [[nodiscard]] const std::vector<std::string>& words(std::string_view name) const;
  [[nodiscard]] const std::vector<std::vector<std::string>>& references(
      std::string_view name) const;
  [[nodiscard]] const Links& links(std::string_view name) const;
  // Throws Error that names the input.
  [[noreturn]] void refuse_input(std::string_view name, const std::string& message) const;
  // That two tensors have one shape. Throws Error at the second.
  void need_alike(std::string_view first, std::string_view second) const;
  // The place of a class among those met so far.
  std::size_t class_of(const std::string& name) const;
};

enum class Better { higher, lower, neither };
std::string_view better_name(Better better);
// How its interval is computed: by drawing units again, or by Wilson's formula for a share of yes and no.
enum class IntervalKind { bootstrap, wilson };

struct Measure {
  std::string_view id;
  List<std::string_view> aliases = {};
  List<MeasureInput> inputs = {};
  List<Knob> knobs = {};
  Better better = Better::neither;
  double lowest = -std::numeric_limits<double>::infinity();
  double highest = std::numeric_limits<double>::infinity();
  IntervalKind interval = IntervalKind::bootstrap;
  // Of one example; or, of a model, of all its examples at once.
  void (*examine)(const MeasureIn& in, Finding& found) = nullptr;
  void (*probe)(const MeasureIn& in, Subject& subject, Finding& found) = nullptr;
  // Of all units together. What it was made of goes into `details` where they are wanted. NaN:
  // there is none.
  double (*value)(const Settings& settings, Units units, Details* details) = nullptr;
};

// Every measure: generated from the files below this folder's folders.
std::span<const Measure* const> all_measures();

// By id or alias; null if there is none.
const Measure* find_measure(std::string_view id);

// Adds units up, place by place.
Unit sum_of(Units units);
// The mean of the units' first numbers; those that are none (NaN) do not count. NaN for none.
double mean_of(Units units);
// The value of measures whose units are single numbers.
double mean_value(const Settings& settings, Units units, Details* details);

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();

Tensor vector_of(std::vector<double> numbers);
Tensor matrix_of(std::size_t rows, std::size_t columns, std::vector<double> numbers);

}  // namespace attend
