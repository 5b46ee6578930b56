// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiment/recording/compile.h"

namespace attend {

// The recording's document with every default filled in: seed, features, every slot as an object
// with its type and its knobs. The same document always gives the same text, and normalising twice
// changes nothing.
Json normalise(const Compiled& compiled);
// The value of a knob as it is written there.
Json describe_value(const KnobValue& value);

}  // namespace attend
