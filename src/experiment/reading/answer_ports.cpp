// SPDX-License-Identifier: Apache-2.0
#include "experiment/reading/answer_ports.h"

#include "catalogue/mechanism.h"

namespace attend {

std::optional<AnswerPorts> ports_of_answers(std::string_view type) {
  const Mechanism* mechanism = find_mechanism(Kind::structure, type);
  if (mechanism == nullptr) return std::nullopt;
  const std::string_view logits = std::get<Structure>(mechanism->behaviour).logits;
  const Role* words = role_of_words(*mechanism);
  if (logits.empty() || words == nullptr) return std::nullopt;
  return AnswerPorts{logits, words->name};
}

}  // namespace attend
