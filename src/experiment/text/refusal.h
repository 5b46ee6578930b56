// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <new>
#include <optional>
#include <string>

#include "ops/error.h"

// Errors as answers: no error passes from the engine to what calls it as text.
namespace attend {

// {"error": {"path", "message"}}.
std::string error_text(const Error& error);
Error out_of_memory();

// Does the work; what went wrong, if anything did. Nothing is thrown, whatever the document.
template <class Work>
std::optional<Error> refusal_of(Work work) {
  try {
    work();
    return std::nullopt;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const std::exception& error) {
    return Error("", std::string("the engine failed: ") + error.what());
  }
}

// The answer, or the error as JSON.
template <class Function>
std::string answer(Function function) {
  std::string text;
  const std::optional<Error> refused = refusal_of([&] { text = function(); });
  return refused ? error_text(*refused) : text;
}

}  // namespace attend
