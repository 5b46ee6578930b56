// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/heads/shared_keys.h"

#include <algorithm>

#include "ops/primitives/records.h"

namespace attend {

Var in_groups(Var x, const Family& family, std::size_t at) {
  if (!family.shares_keys()) return x;
  Shape shape = x.shape();
  const std::size_t each = shape.at(at) / family.key_heads;
  shape[at] = family.key_heads;
  shape.insert(shape.begin() + static_cast<long>(at) + 1, each);
  return reshape(x, shape);
}

Var in_one_row(Var x, const Family& family, std::size_t at) {
  if (!family.shares_keys()) return x;
  Shape shape = x.shape();
  shape.at(at) *= shape.at(at + 1);
  shape.erase(shape.begin() + static_cast<long>(at) + 1);
  // What was only split is there already.
  const Node& node = x.node();
  if (node.primitive == &primitives::reshape && x.graph()[node.inputs[0]].shape == shape)
    return x.graph().var(node.inputs[0]);
  return reshape(x, shape);
}

Named as_named(Var x, const Family& family, std::string_view axes) {
  const std::vector<std::string_view> words = symbols_in(axes);
  Named named{x, std::string(axes)};
  if (!family.shares_keys() || x.rank() <= words.size()) return named;
  const auto head = std::find(words.begin(), words.end(), "h");
  const std::size_t at = head == words.end() ? 0 : static_cast<std::size_t>(head - words.begin());
  named.var = in_one_row(x, family, at);
  if (head == words.end() || named.var.extent(static_cast<long>(at)) == family.heads) return named;
  named.axes.clear();
  for (const std::string_view word : words)
    named.axes += (named.axes.empty() ? "" : " ") + std::string(word == "h" ? "G" : word);
  return named;
}

}  // namespace attend
