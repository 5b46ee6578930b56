// SPDX-License-Identifier: Apache-2.0
#include "experiment/reading/read_examples.h"

#include "experiment/reading/read_inputs.h"
#include "ops/error.h"
#include "ops/json_pointer.h"

namespace attend {
namespace {

void check_like_first(const Builder::Inputs& first, const Builder::Inputs& other,
                      const std::string& path) {
  for (const auto& [name, input] : first) {
    const auto found = other.find(name);
    if (found == other.end())
      refuse(path, "expected an input \"" + name + "\", as in the first example; it is missing");
    if (found->second.tensor.shape == input.tensor.shape) continue;
    refuse(path + "/" + as_pointer_part(name), "expected shape " + to_text(input.tensor.shape) +
                                                   ", as in the first example; found " +
                                                   to_text(found->second.tensor.shape));
  }
  for (const auto& [name, input] : other) {
    if (!first.contains(name))
      refuse(path + "/" + as_pointer_part(name), "the first example has no input \"" + name + "\"");
  }
}

}  // namespace

void read_examples(Json& json, Document& document) {
  if (!json.is_array() || json.empty()) {
    refuse("/examples", "expected a list of at least one example, found " +
                            (json.is_array() ? "none" : describe(json)));
  }
  for (std::size_t i = 0; i < json.size(); ++i) {
    const std::string path = "/examples/" + std::to_string(i);
    document.examples.push_back(read_inputs(json[i], document.seed, path, document.warnings));
    if (i > 0) check_like_first(document.examples.front(), document.examples.back(), path);
  }
  for (const auto& [name, input] : document.examples.front()) document.inputs[name] = input;
}

}  // namespace attend
