// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "catalogue/knob.h"

namespace attend {

// That a value is of the knob's type and within what the mathematics allows. Throws Error at `path`.
void check_knob(const Knob& knob, const KnobValue& value, const std::string& path);

}  // namespace attend
