// SPDX-License-Identifier: Apache-2.0
#include "experiment/measuring/document_inputs.h"

#include <algorithm>

#include "evaluation/rows.h"
#include "experiment/measuring/read_measurement.h"
#include "experiment/reading/read_tensor.h"
#include "ops/text.h"

namespace attend {
namespace {

std::string name_of(const Json& json, const char* member_name) {
  const Json* value = member(json, member_name);
  return value != nullptr && value->is_string() ? value->get<std::string>() : "";
}

bool has_output(const Compiled& compiled, const std::string& name) {
  return compiled.directory().output(name) != nullptr;
}

// Whether the columns of an output are keys, of which none is a word of an answer.
bool ends_in_keys(const TensorRecord& output) {
  return output.axes.size() > 1 && output.axes.back().role == AxisRole::key;
}

}  // namespace

DocumentInputs::DocumentInputs(const Json& measurement)
    : json_(measurement), wish_{name_of(measurement, "map"), name_of(measurement, "output")} {
  const Json& document = *member(measurement, "document");
  subject_ = std::make_unique<DocumentSubject>(
      below("/document", [&] { return read_document(document); }), wish_, "/document");
}

Subject& DocumentInputs::other(const Json* patch) {
  if (patch == nullptr)
    refuse("/other",
           "expected what to change in the document, such as "
           R"({"mechanism": {"alignment": "sparsemax"}}; found nothing)");
  if (!patch->is_object())
    refuse("/other",
           "expected an object that is merged into the document, found " + describe(*patch));
  Json document = *member(json_, "document");
  document.erase("parameters");  // taken over where they fit
  document.merge_patch(*patch);
  other_ = std::make_unique<DocumentSubject>(
      below("/other", [&] { return read_document(document); }), wish_, "/other", subject_.get());
  return *other_;
}

Tensor DocumentInputs::part(Tensor tensor, std::size_t example) const {
  if (subject_->compiled().examples() == 0) return tensor;
  const std::size_t size = tensor.data.size() / tensor.shape.front();
  const auto first = tensor.data.begin() + static_cast<long>(example * size);
  return {{tensor.shape.begin() + 1, tensor.shape.end()}, {first, first + static_cast<long>(size)}};
}

// Of a map [h m n] one head, or the mean of all.
Tensor DocumentInputs::one_head(Tensor map) const {
  const Json* head = member(json_, "head");
  if (map.shape.size() < 3 || head == nullptr) return map;
  const std::size_t heads = map.shape[0], size = map.data.size() / heads;
  Tensor one{{map.shape.begin() + 1, map.shape.end()}, std::vector<double>(size)};
  const bool mean = head->is_string() && head->get<std::string>() == "mean";
  if (!head->is_string() || mean) {
    const std::size_t first = mean ? 0 : read_count(*head, "/head", 0);
    if (first >= heads)
      refuse("/head", "there are " + std::to_string(heads) + " heads, counted from 0");
    for (std::size_t h = first; h < (mean ? heads : first + 1); ++h) {
      for (std::size_t i = 0; i < size; ++i)
        one.data[i] += map.data[h * size + i] / static_cast<double>(mean ? heads : 1);
    }
    return one;
  }
  refuse("/head", "expected the number of a head, or \"mean\"; found " + describe(*head));
}

Tensor DocumentInputs::numbers(const MeasureInput& input, const std::string& name,
                               const std::string& path, std::size_t example) const {
  if (input.role == InputRole::weights) {
    const std::string& map =
        subject_->weights_output().record->name;  // refuses a name that is no map
    return one_head(part(subject_->numbers(map), example));
  }
  if (input.role == InputRole::answer) return part(subject_->answers(), example);
  if (!has_output(subject_->compiled(), name))
    refuse(path, "there is no output \"" + name + "\"; there are " +
                     subject_->compiled().directory().output_names());
  Tensor found = part(subject_->numbers(name), example);
  return input.type == InputType::map ? one_head(std::move(found)) : found;
}

// The words of the answer's classes; empty if the document does not give them.
std::vector<std::string> DocumentInputs::vocabulary() const {
  if (const Json* given = member(json_, "vocabulary"); given != nullptr && given->is_array())
    return std::get<std::vector<std::string>>(read_given(*given, InputType::tokens, "/vocabulary"));
  return subject_->answer_words();
}

GivenValue DocumentInputs::words(const MeasureInput& input, const std::string& name,
                                 const std::string& path, std::size_t example) const {
  const Document& document = subject_->compiled().document();
  const auto* inputs = document.examples.empty() ? &document.inputs : &document.examples[example];
  if (!inputs->contains(name)) inputs = &document.inputs;
  if (const auto found = inputs->find(name);
      found != inputs->end() && !found->second.labels.empty())
    return found->second.labels;
  Tensor answer;
  if (name.empty() || name == subject_->answer_output().record->name) {
    answer = part(subject_->answers(), example);
  } else if (const KnownTensor* output = subject_->compiled().directory().output(name)) {
    if (ends_in_keys(*output->record))
      refuse(path, "\"" + name +
                       "\" is a map over keys and has no words; name an output of classes" +
                       ", or an input with tokens");
    answer = part(subject_->numbers(name), example);
  } else {
    refuse(path, "there is no input with tokens and no output \"" + name + "\"; the outputs are " +
                     subject_->compiled().directory().output_names());
  }
  const std::vector<std::string> words = vocabulary();
  const bool indices = answer.shape.size() < 2;
  const RowsOf rows(answer);
  std::vector<std::string> said;
  for (std::size_t i = 0; i < (indices ? answer.data.size() : rows.count()); ++i) {
    const std::size_t place =
        indices ? static_cast<std::size_t>(answer.data[i]) : largest_of(rows[i]);
    const std::string word = place < words.size() ? words[place] : std::to_string(place);
    if (input.type == InputType::tokens && word == "<end>")
      break;  // what a decoder writes ends here
    said.push_back(word);
  }
  return said;
}

std::optional<GivenValue> DocumentInputs::value(const MeasureInput& input, const std::string& name,
                                                const std::string& path,
                                                std::size_t example) const {
  if (name.empty() && input.role == InputRole::vocabulary) {
    std::vector<std::string> words = vocabulary();
    return words.empty() ? std::nullopt : std::optional<GivenValue>(std::move(words));
  }
  if (name.empty() && !input.from_document()) return std::nullopt;
  switch (input.type) {
    case InputType::tokens:
    case InputType::labels:
      return words(input, name, path, example);
    case InputType::references:
      return std::vector<std::vector<std::string>>{std::get<std::vector<std::string>>(
          words({input.name, InputType::tokens}, name, path, example))};
    case InputType::links:
      refuse(path, "expected " + std::string(type_form(input.type)) + "; found a name");
    default:
      return numbers(input, name, path, example);
  }
}

void DocumentInputs::say(Json& notes) const {
  if (subject_->softmaxed())
    notes.push_back("the answers are the softmax of " + subject_->answer_output().record->name);
}

}  // namespace attend
