// SPDX-License-Identifier: Apache-2.0
#include "experiment/learning/evaluate_learner.h"

#include <algorithm>

#include "evaluation/measure.h"
#include "experiment/measuring/measuring.h"
#include "experiment/reading/read_tensor.h"

namespace attend {
namespace {

constexpr std::size_t most_measured = 1000;

Json pairs_of(const std::vector<Link>& links, bool means_only) {
  Json pairs = Json::array();
  for (const Link& link : links) {
    if (!means_only || link.kind == LinkKind::means) pairs.push_back({link.row, link.column});
  }
  return pairs;
}

// The true map: each row's weight shared by what it may look at.
Json true_map(const Learner::Seen& one) {
  const std::size_t rows = one.map.shape[0], columns = one.map.shape[1];
  std::vector<double> data(rows * columns, 0);
  for (const Link& link : one.links) {
    if (link.row >= rows || link.column >= columns) continue;
    const auto of_row = std::count_if(one.links.begin(), one.links.end(),
                                      [&](const Link& other) { return other.row == link.row; });
    data[link.row * columns + link.column] = 1.0 / static_cast<double>(of_row);
  }
  return {{"shape", one.map.shape}, {"data", data}};
}

// What should be, in the form that the input has; null: the example does not say.
Json truth_of(const Learner::Seen& one, InputType type) {
  const bool known = !one.map.shape.empty() && !one.links.empty(), wrote = !one.written.empty();
  switch (type) {
    case InputType::links:
      if (!known) return {};
      return {{"sure", pairs_of(one.links, true)}, {"possible", pairs_of(one.links, false)}};
    case InputType::map:
      return known ? true_map(one) : Json();
    case InputType::references:
      return wrote ? Json::array({one.truth}) : Json();
    case InputType::tokens:
    case InputType::labels:
      return wrote ? Json(one.truth) : Json();
    default:
      return {};
  }
}

// What an example gives for an input of a measure; null: nothing.
Json given(const Learner::Seen& one, const MeasureInput& input) {
  const bool wrote = !one.written.empty();
  switch (input.role) {
    case InputRole::weights:
      if (one.map.shape.empty()) return {};
      return {{"shape", one.map.shape}, {"data", one.map.data}};
    case InputRole::answer:
      if (wrote && input.type == InputType::labels) return one.written;
      if (wrote && input.type == InputType::numbers) return one.chance;
      return {};
    case InputRole::text:
      return wrote ? Json(one.written) : Json();
    case InputRole::truth:
      return truth_of(one, input.type);
    default:
      return {};
  }
}

// The inputs of a measure for one example; null where a needed one is missing.
Json inputs_for(const Measure& measure, const Learner::Seen& one) {
  Json inputs = Json::object();
  for (const MeasureInput& input : measure.inputs) {
    // What is not needed is left out: chances are those of the right words already.
    Json value = input.required ? given(one, input) : Json();
    if (!value.is_null())
      inputs[std::string(input.name)] = std::move(value);
    else if (input.required)
      return {};
  }
  return inputs;
}

Json of_examples(const Measure& measure, const std::vector<Learner::Seen>& seen) {
  Json examples = Json::array();
  for (const Learner::Seen& one : seen) {
    Json inputs = inputs_for(measure, one);
    if (!inputs.is_null()) examples.push_back(std::move(inputs));
  }
  if (examples.empty()) return {};
  return answer_measurement({{"measure", std::string(measure.id)}, {"examples", examples}});
}

// The document of the pinned example with the weights as they are now.
Json trained_document(const Learner& learner) {
  const TensorFile file = learner.shipped();
  Json document = Json::parse(file.metadata.at("document"));
  document.erase("training");
  for (const auto& [name, tensor] : file.tensors)
    document["parameters"][name] = {{"shape", tensor.shape}, {"data", tensor.data}};
  return document;
}

}  // namespace

Json evaluate_learner(Learner& learner, const Json& request) {
  if (!request.is_object())
    refuse("", "expected an object with examples and measures, found " + describe(request));
  check_members(request, "", {"examples", "measures"});
  std::size_t count = 200;
  if (const Json* examples = member(request, "examples"))
    count = read_count(*examples, "/examples", 1);
  std::vector<const Measure*> chosen;
  const Json* names = member(request, "measures");
  if (names == nullptr) {
    for (const Measure* measure : all_measures()) {
      if (measure->examine != nullptr && measure->probe == nullptr) chosen.push_back(measure);
    }
  } else {
    if (!names->is_array())
      refuse("/measures", "expected a list of ids, found " + describe(*names));
    for (std::size_t i = 0; i < names->size(); ++i) {
      const Json& name = (*names)[i];
      const Measure* measure = name.is_string() ? find_measure(name.get<std::string>()) : nullptr;
      if (measure == nullptr)
        refuse("/measures/" + std::to_string(i),
               "expected the id of a measure, found " + name.dump());
      chosen.push_back(measure);
    }
  }
  std::vector<Learner::Seen> seen;
  Json answers = Json::array();
  for (const Measure* measure : chosen) {
    Json answer;
    if (measure->probe != nullptr) {
      answer = answer_measurement(
          {{"measure", std::string(measure->id)}, {"document", trained_document(learner)}});
    } else {
      if (seen.empty()) seen = learner.seen(std::min(count, most_measured));
      answer = of_examples(*measure, seen);
    }
    if (answer.is_null() && names != nullptr)
      refuse("/measures",
             "the held-out examples contain nothing that " + std::string(measure->id) + " reads");
    if (!answer.is_null()) answers.push_back(std::move(answer));
  }
  return {{"step", learner.steps_taken()}, {"measures", std::move(answers)}};
}

}  // namespace attend
