// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "evaluation/interval.h"
#include "evaluation/measure.h"
#include "experiment/text/json_parse.h"

namespace attend {

class DocumentSubject;

// One measure that a measurement asks for, with its knobs.
struct MeasureChoice {
  const Measure* measure;
  std::map<std::string, KnobValue, std::less<>> knobs;
  std::string path;
};

// The member `measure`: an id, an object with `type` and knobs, or a list of these.
std::vector<MeasureChoice> read_measures(const Json& json);

IntervalWish read_interval(const Json& measurement);

// One value as an input of this type. Throws Error at `path`, saying what the type looks like.
GivenValue read_given(const Json& json, InputType type, const std::string& path);

// Checks the members of a measurement, and those of its examples, against what its measures read.
void check_measurement(const Json& json, const std::vector<MeasureChoice>& choices);

}  // namespace attend
