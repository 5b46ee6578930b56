// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "ops/tensor_record.h"

// How modules name their results, and what they say of them.
namespace attend {

// The role that the vocabulary (axis_vocabulary.h) gives a symbol; feature, the role of widths, if the symbol is not in
// the vocabulary.
AxisRole axis_role(std::string_view symbol);

// How a module names one of its results, and what that is.
struct OutputKind {
  std::string_view name;
  TensorRole role = TensorRole::output;
  NumberKind numbers = NumberKind::real_number;
  bool when_asked = false;  // given only to those who ask for it by name
  MainResult main = MainResult::none;

  // The same under another name: the weights of one hop. It no longer stands for the module.
  [[nodiscard]] constexpr OutputKind as(std::string_view other) const {
    return {other, role, numbers, when_asked};
  }
};

namespace out {
inline constexpr OutputKind query{"query", TensorRole::query}, key{"key", TensorRole::key},
    value{"value", TensorRole::value}, scores{"scores", TensorRole::scores},
    mask{"mask", TensorRole::mask, NumberKind::zero_one},
    weights{"weights", TensorRole::weights, NumberKind::probability},
    implied{"implied", TensorRole::weights},
    context{"context", TensorRole::context, NumberKind::real_number, false, MainResult::context},
    output{"output", TensorRole::output, NumberKind::real_number, false, MainResult::output},
    state{"state", TensorRole::state},
    loss{"loss", TensorRole::loss, NumberKind::real_number, false, MainResult::loss},
    remainder{"remainder", TensorRole::state, NumberKind::probability},
    penalty{"penalty", TensorRole::loss}, position{"position", TensorRole::key},
    heads{"heads", TensorRole::context}, gate{"gate", TensorRole::weights, NumberKind::probability};

// The one result of an efficient or a vision mechanism, which answers to `context` and to `output` alike.
struct ContextAndOutput {};
inline constexpr ContextAndOutput result{};
}  // namespace out

// The axis that a word means in the shape of a result or an input: a symbol of the vocabulary, or a symbol with the
// role that it has here, "L:feature". Throws Error for any other word.
NamedAxis axis_of(std::string_view word);

}  // namespace attend
