// SPDX-License-Identifier: Apache-2.0
// Weights of another model, as far as they fit.
#include <algorithm>

#include "experiment/learning/learner.h"

namespace attend {

Learner::Taken Learner::take(const TensorFile& file) {
  Taken taken;
  std::vector<std::vector<real>> found(weights_.size());
  for (std::size_t k = 0; k < weights_.size(); ++k) {
    const auto tensor = file.tensors.find(weights_[k].name);
    const bool fits = tensor != file.tensors.end() && tensor->second.shape == weights_[k].shape;
    (fits ? taken.taken : taken.own).push_back(weights_[k].name);
    if (fits) found[k].assign(tensor->second.data.begin(), tensor->second.data.end());
  }
  for (const auto& [name, tensor] : file.tensors) {
    const bool used = std::find(taken.taken.begin(), taken.taken.end(), name) != taken.taken.end();
    if (!used && !name.starts_with("optimiser.")) taken.left.push_back(name);
  }
  if (taken.taken.empty())
    refuse("", "no weight in the file has the name and shape of one in this model");
  for (std::size_t k = 0; k < weights_.size(); ++k) {
    if (!found[k].empty()) weights_[k].numbers = std::move(found[k]);
    std::fill(weights_[k].moments.first.begin(), weights_[k].moments.first.end(), 0);
    std::fill(weights_[k].moments.second.begin(), weights_[k].moments.second.end(), 0);
  }
  step_ = epoch_ = batch_ = fresh_ = 0;
  baseline_.reset();
  epoch_made_ = false;
  failure_.clear();
  good_ = {weights_, 0, 0, 0};
  kept_.reset();
  worst_.reset();
  return taken;
}

}  // namespace attend
