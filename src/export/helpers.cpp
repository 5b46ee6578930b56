// SPDX-License-Identifier: Apache-2.0
// What exported code needs and neither library has as the engine means it.
#include "export/helpers.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>
#include <vector>

#include "export/python_texts.h"

namespace attend {
namespace {

// One function of data/export.
struct Helper {
  std::string name, code;
};

// The functions of a file, in its order: a function may call those before it. Two empty lines are between them.
std::vector<Helper> functions_of(std::string_view file) {
  std::vector<Helper> functions;
  constexpr std::string_view gap = "\n\n\n", def = "def ";
  for (std::size_t at = file.find(def); at != std::string_view::npos;) {
    const std::size_t end = std::min(file.find(gap, at), file.size() - 1);
    std::string code(file.substr(at, end + 1 - at));
    std::string name = code.substr(def.size(), code.find('(') - def.size());
    functions.push_back({std::move(name), std::move(code)});
    at = file.find(def, end);
  }
  return functions;
}

// Whether `body` calls a function of just this name, not `module.name`.
bool calls(const std::string& body, const std::string& name) {
  const std::string call = name + "(";
  for (std::size_t at = body.find(call); at != std::string::npos; at = body.find(call, at + 1)) {
    const char before = at == 0 ? ' ' : body[at - 1];
    if (std::isalnum(static_cast<unsigned char>(before)) == 0 && before != '_' && before != '.') {
      return true;
    }
  }
  return false;
}

}  // namespace

std::vector<std::string> helper_names() {
  std::vector<std::string> names;
  for (const std::string_view file : {torch_helpers, numpy_helpers}) {
    for (Helper& helper : functions_of(file)) names.push_back(std::move(helper.name));
  }
  return names;
}

std::string called_functions(const std::string& body, std::string_view file) {
  std::string text, all = body;
  const std::vector<Helper> helpers = functions_of(file);
  for (std::size_t k = helpers.size(); k-- > 0;) {
    const auto& [name, code] = helpers[k];
    if (!calls(all, name)) continue;
    text.insert(0, code + "\n\n");
    all += code.substr(code.find('\n'));  // without its own name in the first line
  }
  return text;
}

std::string helpers_for(const std::string& body, bool torch) {
  return called_functions(body, torch ? torch_helpers : numpy_helpers);
}

}  // namespace attend
