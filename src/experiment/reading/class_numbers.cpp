// SPDX-License-Identifier: Apache-2.0
#include "experiment/reading/class_numbers.h"

#include "assembly/settle.h"
#include "experiment/text/json_parse.h"
#include "ops/json_pointer.h"

namespace attend {
namespace {

void check(const Leaf& leaf, const Builder::Inputs& inputs, const std::string& path) {
  const auto input = inputs.find(leaf.input);
  if (input != inputs.end())
    check_indices(input->second.tensor, leaf.below, path + "/" + as_pointer_part(leaf.input));
}

}  // namespace

void check_classes(const std::vector<Leaf>& leaves, const Document& document) {
  for (const Leaf& leaf : leaves) {
    if (leaf.kind != Leaf::Kind::input || leaf.below == 0) continue;
    // With examples, an input of the document's own is one that no example fills.
    const auto& examples = document.examples;
    const bool filled = !examples.empty() && examples.front().contains(leaf.input);
    if (!filled) check(leaf, document.inputs, "/inputs");
    for (std::size_t i = 0; i < examples.size(); ++i)
      check(leaf, examples[i], "/examples/" + std::to_string(i));
  }
}

}  // namespace attend
