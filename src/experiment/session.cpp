// SPDX-License-Identifier: Apache-2.0
#include "experiment/session.h"

#include <algorithm>
#include <utility>

#include "experiment/exporting/programs.h"
#include "experiment/recording/normalise.h"
#include "experiment/running/explain.h"
#include "experiment/service.h"

namespace attend {

Session::Held* Session::find(std::string_view text, std::optional<Document>& document) {
  auto found =
      std::find_if(held_.begin(), held_.end(), [&](const auto& one) { return one->text == text; });
  if (found == held_.end()) {
    document = read_document(text);
    found = std::find_if(held_.begin(), held_.end(),
                         [&](const auto& one) { return one->compiled.take_numbers(*document); });
    if (found == held_.end()) return nullptr;
    (*found)->text = text;
    (*found)->current = false;
  }
  std::rotate(held_.begin(), found, found + 1);
  return held_.front().get();
}

template <class Answer>
auto Session::with(std::string_view text, Answer answer) {
  std::optional<Document> document;
  if (Held* held = find(text, document)) return answer(*held);
  auto fresh = std::make_unique<Held>(
      Held{std::string(text), compile(std::move(*document)), std::nullopt, false});
  auto result = answer(*fresh);
  if (held_.size() == most_held) held_.pop_back();
  held_.insert(held_.begin(), std::move(fresh));
  return result;
}

Packed Session::run(std::string_view document) {
  return with(document, [this](Held& held) {
    if (!held.runner) {
      held.runner.emplace(held.compiled, Detail::everything, true);
      if (listener_) held.runner->watch(listener_);
    }
    held.current = false;
    Packed packed = pack(held.compiled, held.runner->run(held.compiled));
    held.current = true;
    if (held.runner->numbers().bytes() > max_kept_bytes) held.runner.reset();
    return packed;
  });
}

std::string Session::explain(std::string_view document, const std::string& tensor,
                             std::string_view index) {
  const std::vector<std::size_t> cell = read_cell(index);
  return with(document, [&](Held& held) {
    if (held.runner && !held.current) {
      held.runner->evaluate(held.compiled);
      held.current = true;
    }
    const Workspace* at_hand = held.runner ? held.runner->at_hand() : nullptr;
    return explain_cell(held.compiled, tensor, cell, at_hand).dump();
  });
}

std::string Session::normalise(std::string_view document) {
  return with(document, [](Held& held) { return attend::normalise(held.compiled).dump(); });
}

std::string Session::code(std::string_view document, const std::string& format,
                          std::string_view heading) {
  const Heading words = read_heading(heading);
  return with(document, [&](Held& held) {
    return Json{{"code", export_program(held.compiled, format, words)}}.dump();
  });
}

}  // namespace attend
