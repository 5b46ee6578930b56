// SPDX-License-Identifier: Apache-2.0
// Checkpoints: what a training writes to a file, and how it continues from one.
#include <algorithm>
#include <bit>
#include <cmath>

#include "experiment/learning/learner.h"

namespace attend {
namespace {
std::uint64_t counter(const TensorFile& file, const std::string& name) {
  const auto found = file.metadata.find(name);
  const bool whole = found != file.metadata.end() && !found->second.empty() &&
                     found->second.size() < 16 &&
                     found->second.find_first_not_of("0123456789") == std::string::npos;
  if (!whole) refuse("", "this is not a checkpoint: its metadata has no number \"" + name + "\"");
  return std::stoull(found->second);
}
// Sixteen digits of its bits, so that reading them gives exactly the same number.
std::string exact_text(double number) {
  std::string text;
  const auto bits = std::bit_cast<std::uint64_t>(number);
  for (int k = 60; k >= 0; k -= 4) text += "0123456789abcdef"[(bits >> k) & 15U];
  return text;
}
double exact_number(const TensorFile& file, const std::string& name) {
  const std::string& text = file.metadata.at(name);
  const bool good =
      text.size() == 16 && text.find_first_not_of("0123456789abcdef") == std::string::npos;
  const double number =
      good ? std::bit_cast<double>(std::uint64_t{std::stoull(text, nullptr, 16)}) : std::nan("");
  if (!std::isfinite(number))
    refuse("", "this is not a checkpoint: its \"" + name + "\" is not a number");
  return number;
}
// Whether a checkpoint has exactly the moments of an optimiser with so many lists of them.
bool remembers_for(const TensorFile& file, std::size_t lists) {
  const auto has = [&](std::string_view prefix) {
    return std::any_of(file.tensors.begin(), file.tensors.end(),
                       [&](const auto& one) { return one.first.starts_with(prefix); });
  };
  return has("optimiser.first.") == (lists > 0) && has("optimiser.second.") == (lists > 1);
}
Tensor tensor_of(const Shape& shape, const std::vector<real>& numbers) {
  return {shape, {numbers.begin(), numbers.end()}};
}
}  // namespace

TensorFile Learner::shipped() const {
  TensorFile file;
  for (const Weight& weight : weights_)
    file.tensors[weight.name] = tensor_of(weight.shape, weight.numbers);
  Json document = lesson_.document;
  document.erase("parameters");
  // A reader's own text is private, so it is left out.
  if (document["training"]["task"].is_object()) document["training"]["task"].erase("text");
  file.metadata = {{"format", "attention-playground/weights/1"}, {"document", document.dump()}};
  return file;
}

TensorFile Learner::checkpoint() const {
  TensorFile file = shipped();
  for (const Weight& weight : weights_) {
    if (!weight.moments.first.empty())
      file.tensors["optimiser.first." + weight.name] =
          tensor_of(weight.shape, weight.moments.first);
    if (!weight.moments.second.empty())
      file.tensors["optimiser.second." + weight.name] =
          tensor_of(weight.shape, weight.moments.second);
  }
  Json document = lesson_.document;
  document.erase("parameters");
  file.metadata["document"] = document.dump();
  file.metadata["format"] = "attention-playground/checkpoint/1";
  file.metadata["step"] = std::to_string(step_);
  if (baseline_) file.metadata["baseline"] = exact_text(*baseline_);
  if (fresh_ != 0) file.metadata["optimiser"] = std::to_string(fresh_);
  file.metadata["epoch"] = std::to_string(epoch_);
  file.metadata["batch"] = std::to_string(batch_);
  return file;
}

void Learner::restore(const TensorFile& file) {
  const bool goes_on = file.metadata.contains("step");
  State state{weights_, goes_on ? counter(file, "step") : 0, goes_on ? counter(file, "epoch") : 0,
              goes_on ? counter(file, "batch") : 0};
  // The moments of another optimiser are of no use to this one, and a file of weights alone has none.
  const bool remembers = goes_on && remembers_for(file, moments_of(lesson_.settings.optimiser));
  state.fresh = !remembers                            ? state.step
                : file.metadata.contains("optimiser") ? counter(file, "optimiser")
                                                      : 0;
  if (state.fresh > state.step)
    refuse("", "this is not a checkpoint: its optimiser started after its last step");
  if (file.metadata.contains("baseline")) state.baseline = exact_number(file, "baseline");
  const auto take = [&](const std::string& name, const Shape& shape, std::vector<real>& into) {
    const auto found = file.tensors.find(name);
    if (found == file.tensors.end())
      refuse("", "this file belongs to another model: it has no \"" + name + "\"");
    if (found->second.shape != shape)
      refuse("", "this file belongs to another model: \"" + name + "\" has the shape " +
                     to_text(found->second.shape) + ", expected " + to_text(shape));
    std::transform(found->second.data.begin(), found->second.data.end(), into.begin(),
                   [](double x) { return static_cast<real>(x); });
  };
  for (Weight& weight : state.weights) {
    take(weight.name, weight.shape, weight.numbers);
    std::fill(weight.moments.first.begin(), weight.moments.first.end(), real{0});
    std::fill(weight.moments.second.begin(), weight.moments.second.end(), real{0});
    if (remembers && !weight.moments.first.empty())
      take("optimiser.first." + weight.name, weight.shape, weight.moments.first);
    if (remembers && !weight.moments.second.empty())
      take("optimiser.second." + weight.name, weight.shape, weight.moments.second);
  }
  for (const auto& [name, tensor] : file.tensors) {
    // Files of 1.0.0 have numbers that were learned there.
    const bool own = name.starts_with("optimiser.") || starts_.contains(name) ||
                     std::ranges::find(weights_, name, &Weight::name) != weights_.end();
    if (!own)
      refuse("", "this file belongs to another model: this model has no weight \"" + name + "\"");
  }
  weights_ = state.weights;
  step_ = state.step;
  baseline_ = state.baseline;
  fresh_ = state.fresh;
  epoch_ = state.epoch;
  batch_ = state.batch;
  epoch_made_ = false;
  if (epoch_ != 0 || batch_ != 0) {
    now_ = data_->epoch(epoch_);
    epoch_made_ = true;
  }
  failure_.clear();
  good_ = std::move(state);
  kept_.reset();
  worst_.reset();
}

}  // namespace attend
