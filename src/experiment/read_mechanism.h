// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "experiment/json_parse.h"
#include "catalogue/choice.h"

namespace attend {

// The tree of choices that `mechanism` names, with default ids filled in. Throws Error for an
// unknown id, an unknown knob, a slot that does not exist, and for choices that cannot stand beside
// each other (with the reason that the mechanism's file gives). `inputs` of the mechanism (roles to
// input names) is left to the caller.
Choice read_mechanism(const Json& json, const std::string& path);

}  // namespace attend
