// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/mechanism.h"
#include "catalogue/reason.h"

// Why a structure has no knob `causal`, among its exclusions: an error says it when a document gives that knob.
namespace attend {

constexpr std::string_view causal_switch = "causal";

constexpr Exclusion never_causal(std::string_view reason) {
  return {causal_switch, {}, true, reason};
}
constexpr Exclusion always_causal{causal_switch, {}, false, {}};

}  // namespace attend
