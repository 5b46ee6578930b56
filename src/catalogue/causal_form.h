// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/mechanism.h"

// What a structure without a knob `causal` says when it is asked for one; it stands among its exclusions.
namespace attend {

constexpr std::string_view causal_switch = "causal";

constexpr Exclusion never_causal(std::string_view reason) {
  return {causal_switch, {}, true, reason};
}
constexpr Exclusion always_causal{causal_switch, {}, false, {}};

}  // namespace attend
