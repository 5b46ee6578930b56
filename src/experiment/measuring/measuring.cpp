// SPDX-License-Identifier: Apache-2.0
#include "experiment/measuring/measuring.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "experiment/measuring/document_inputs.h"
#include "experiment/measuring/read_measurement.h"
#include "experiment/reading/read_tensor.h"

namespace attend {
namespace {

Json number_or_null(double number) { return std::isfinite(number) ? Json(number) : Json(); }

Json describe_detail(const MeasuredDetail& detail) {
  Json json = Json::object();
  if (!detail.words.empty()) json["words"] = detail.words;
  if (detail.numbers.shape.empty()) return json["words"];
  if (detail.numbers.data.size() == 1 && detail.words.empty())
    return number_or_null(detail.numbers.data.front());
  json["shape"] = detail.numbers.shape;
  json["data"] = Json::array();
  for (const double number : detail.numbers.data) json["data"].push_back(number_or_null(number));
  return json;
}

class Measurement {
 public:
  explicit Measurement(const Json& json)
      : json_(json), choices_(read_measures(json)), wish_(read_interval(json)) {
    check_measurement(json, choices_);
    if (member(json, "document") != nullptr) inputs_.emplace(json);
  }

  Json answer() {
    Json list = Json::array();
    for (const MeasureChoice& choice : choices_) list.push_back(answer(choice));
    return json_["measure"].is_array() ? list : list.front();
  }

 private:
  struct Example {
    const Json* json;
    std::string path;
  };

  // What is given by example: the examples, or the measurement itself as one.
  [[nodiscard]] std::vector<Example> examples() const {
    const Json* list = member(json_, "examples");
    const std::size_t of_document = inputs_ ? inputs_->examples() : 1;
    std::vector<Example> all;
    if (list == nullptr) {
      all.assign(of_document, {&json_, ""});
      return all;
    }
    if (of_document > 1 && list->size() != of_document)
      refuse("/examples", "the document has " + std::to_string(of_document) +
                              " examples, but here there are " + std::to_string(list->size()));
    for (std::size_t i = 0; i < list->size(); ++i)
      all.push_back({&(*list)[i], "/examples/" + std::to_string(i)});
    return all;
  }

  // Of an example, or else of the measurement, or else of the document's result.
  [[nodiscard]] std::optional<GivenValue> find(const MeasureInput& input, const Example& example,
                                               std::size_t place) const {
    const Json* value = member(*example.json, input.name);
    std::string path = example.path + "/" + std::string(input.name);
    if (value == nullptr && (value = member(json_, input.name)) != nullptr)
      path = "/" + std::string(input.name);
    const bool named = value != nullptr && value->is_string();
    if (value != nullptr && !named) return read_given(*value, input.type, path);
    if (named && !inputs_)
      refuse(path, "expected " + std::string(type_form(input.type)) +
                       "; a name means a result of `document`, but there is no document");
    if (!inputs_) return std::nullopt;
    return inputs_->value(input, named ? value->get<std::string>() : "", path, place);
  }

  [[nodiscard]] Given given(const Measure& measure, const Example& example,
                            std::size_t place) const {
    Given given;
    for (const MeasureInput& input : measure.inputs) {
      if (input.type == InputType::document) continue;
      if (auto value = find(input, example, place)) {
        given.emplace(input.name, std::move(*value));
      } else if (input.required) {
        refuse(example.path + "/" + std::string(input.name),
               std::string(measure.id) + " reads " + std::string(input.name) + ": expected " +
                   std::string(type_form(input.type)) + "; found nothing" +
                   (input.from_document() ? ", and no document could provide it" : ""));
      }
    }
    return given;
  }

  // What a measure of the model itself reads: words that are named are those of all examples, one after the other.
  [[nodiscard]] Given given_to_probe(const Measure& measure) const {
    Given all = given(measure, {&json_, ""}, 0);
    for (const MeasureInput& input : measure.inputs) {
      const Json* value = member(json_, input.name);
      if (input.type != InputType::labels || value == nullptr || !value->is_string()) continue;
      auto& words = std::get<std::vector<std::string>>(all.find(input.name)->second);
      for (std::size_t place = 1; place < inputs_->examples(); ++place) {
        const auto more = find(input, {&json_, ""}, place);
        std::ranges::copy(std::get<std::vector<std::string>>(*more), std::back_inserter(words));
      }
    }
    return all;
  }

  Finding find_all(const MeasureChoice& choice, Settings& settings) {
    Finding found;
    if (choice.measure->probe != nullptr) {
      if (!inputs_)
        refuse("/document", std::string(choice.measure->id) + " reads a document; found none");
      settings.subject = &inputs_->subject();
      for (const MeasureInput& input : choice.measure->inputs)
        if (input.role == InputRole::change)
          settings.other = &inputs_->other(member(json_, input.name));
      const Given inputs = given_to_probe(*choice.measure);
      choice.measure->probe({settings, inputs, ""}, *settings.subject, found);
      return found;
    }
    const std::vector<Example> all = examples();
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Given inputs = given(*choice.measure, all[i], i);
      Finding one;
      choice.measure->examine({settings, inputs, all[i].path}, one);
      std::ranges::move(one.units, std::back_inserter(found.units));
      if (all.size() == 1) found.details = std::move(one.details);
      for (std::string& note : one.notes)
        if (std::ranges::find(found.notes, note) == found.notes.end())
          found.notes.push_back(std::move(note));
    }
    return found;
  }

  Json answer(const MeasureChoice& choice) {
    const Measure& measure = *choice.measure;
    Settings settings{measure, choice.knobs};
    Finding found = find_all(choice, settings);
    std::vector<const Unit*> units;
    for (const Unit& unit : found.units) units.push_back(&unit);
    if (units.empty())
      refuse(std::string(measure.id) + " found nothing to measure: the inputs are empty");
    Details details;
    const double value = measure.value(settings, units, &details);
    std::ranges::move(found.details, std::back_inserter(details));
    Json json{{"measure", std::string(measure.id)},
              {"value", number_or_null(value)},
              {"better", std::string(better_name(measure.better))},
              {"units", units.size()},
              {"details", Json::object()},
              {"notes", found.notes}};
    if (std::isinf(value)) json["infinite"] = true;
    for (const MeasuredDetail& detail : details)
      json["details"][detail.name] = describe_detail(detail);
    const bool reads_answer =
        measure.probe != nullptr || std::ranges::any_of(measure.inputs, [](const auto& input) {
          return input.role == InputRole::answer;
        });
    if (inputs_ && reads_answer) inputs_->say(json["notes"]);
    std::optional<ConfidenceInterval> interval;
    if (measure.interval == IntervalKind::wilson) {
      const auto count = static_cast<double>(units.size());
      interval = wilson(std::round(value * count), count, wish_.level);
    } else {
      interval = bootstrap(
          units, [&](Units drawn) { return measure.value(settings, drawn, nullptr); }, wish_);
    }
    if (interval && std::isfinite(value))
      json["interval"] = {{"low", number_or_null(interval->low)},
                          {"high", number_or_null(interval->high)},
                          {"level", interval->level},
                          {"method", interval->method}};
    return json;
  }

  const Json& json_;
  std::vector<MeasureChoice> choices_;
  IntervalWish wish_;
  std::optional<DocumentInputs> inputs_;
};

}  // namespace

Json answer_measurement(const Json& measurement) {
  if (!measurement.is_object())
    refuse("expected a measurement, an object with a member \"measure\"; found " +
           describe(measurement));
  return Measurement(measurement).answer();
}

}  // namespace attend
