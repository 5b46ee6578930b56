// SPDX-License-Identifier: Apache-2.0
#include "ops/module_places.h"

#include <utility>

#include "ops/error.h"

namespace attend {
namespace {

thread_local const ModulePlaces* innermost = nullptr;

}  // namespace

ModulePlaces::ModulePlaces(std::vector<ModulePlace> places)
    : places_(std::move(places)), outer_(innermost) {
  innermost = this;
}

ModulePlaces::~ModulePlaces() { innermost = outer_; }

void refuse_numbers(const Node& node, const std::string& message) {
  if (innermost == nullptr || node.module >= innermost->places_.size()) refuse(message);
  innermost->refused_ = &node;
  const ModulePlace& place = innermost->places_[node.module];
  const ErrorScope scope(place.path, place.id);
  refuse(message);
}

}  // namespace attend
