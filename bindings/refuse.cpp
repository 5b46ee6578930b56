// SPDX-License-Identifier: Apache-2.0
// How the module gives a document up: past all frames, by an exception of JavaScript's, which
// rewind.js answers. It stands for ops/refuse.cpp, so that nothing in the module is thrown in C++.
#include <emscripten/em_js.h>

#include "experiment/service.h"

// `refusal` is rewind.js's.
EM_JS_DEPS(refuse, "$UTF8ToString");
EM_JS(void, give_up, (const char* error), {
  refusal = UTF8ToString(error);
  throw new Error("refused");
});

namespace attend {

void refuse(const std::string& message) { refuse("", message); }

void refuse(const std::string& where, const std::string& message) {
  give_up(error_text(Error(where, message)).c_str());
  __builtin_unreachable();
}

}  // namespace attend
