// SPDX-License-Identifier: Apache-2.0
#include "ops/module_places.h"

#include <utility>

#include "ops/error.h"

namespace attend {
namespace {

thread_local const ModulePlaces* innermost_places = nullptr;

}  // namespace

ModulePlaces::ModulePlaces(std::vector<ModulePlace> places)
    : places_(std::move(places)), outer_(innermost_places) {
  innermost_places = this;
}

ModulePlaces::~ModulePlaces() { innermost_places = outer_; }

Error error_of_numbers(const Node& node, const std::string& message) {
  if (innermost_places == nullptr || innermost_places->places_.empty()) return Error(message);
  innermost_places->refused_ = &node;
  if (node.module >= innermost_places->places_.size()) {
    // No module recorded it, so it concerns the whole: "/model" of "/model/0".
    const std::string& first = innermost_places->places_.front().path;
    return {first.substr(0, first.find('/', 1)), message};
  }
  const ModulePlace& place = innermost_places->places_[node.module];
  const ErrorScope scope(place.path, place.id);
  return Error(message);
}

void refuse_numbers(const Node& node, const std::string& message) {
  throw error_of_numbers(node, message);
}

}  // namespace attend
