// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/mechanism.h"
#include "experiment/text/json_parse.h"

namespace attend {

// Every mechanism as data: {"schema", "mechanisms": [{id, kind, title, aliases, formula, sentence,
// note, source, parameters, knobs, roles, slots, differentiable, learns, excludes}]}. Menus,
// sliders, documentation and tests come from it.
Json describe_catalogue();
Json describe_mechanism(const Mechanism& mechanism);
// `words`: those of the mechanism or measure that has it.
Json describe_knob(const Knob& knob, const Json& words);

// Every measure as data: [{id, title, aliases, formula, sentence, tells, source, inputs, knobs,
// better, lowest, highest}].
Json describe_measures();

}  // namespace attend
