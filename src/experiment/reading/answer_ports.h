// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace attend {

// The ports of a loss that compares classes with words.
struct AnswerPorts {
  std::string_view logits, words;
};
// Those of the module type with this id; nothing where it is none of these losses.
std::optional<AnswerPorts> ports_of_answers(std::string_view type);

}  // namespace attend
