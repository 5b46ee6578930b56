// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "catalogue/choice.h"
#include "experiment/text/json_parse.h"

namespace attend {

// The tree of choices that `mechanism` names, with default ids filled in. Throws Error for an
// unknown id, an unknown knob, a slot that does not exist, and for choices that cannot stand beside
// each other (with the reason that the mechanism's file gives). `inputs` of the mechanism (roles to
// input names) is left to the caller.
Choice read_mechanism(const Json& json, const std::string& path);

// The same for a module of a model, whose parameters stand below its name.
Choice read_module(const Json& json, const std::string& path, const std::string& name);

// Where the parameters of a document's `mechanism` stand: those of the general module by their slots alone, those of
// another module or of a core below `structure.`.
std::string prefix_of_mechanism(const Mechanism& mechanism);

}  // namespace attend
