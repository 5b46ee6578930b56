// SPDX-License-Identifier: Apache-2.0
// Positions in a tree: the way up to the root as a stack of one-hot child numbers, the node's own
// step first; a step down pushes, x -> [e_c; p x], a step up pops, and what falls off the end is
// lost
// Shiv, Quirk 2019, section 3, NeurIPS 32
#include "catalogue/entry.h"
#include "ops/text.h"

namespace attend::pos_tree_entry {
namespace {

constexpr long root = -1;

// The parent of each node, root where it has none. Without data: a full tree in level order.
std::vector<long> parents_of(const PositionIn& in, std::size_t count) {
  std::vector<long> parents;
  const auto given = in.knobs.find("parents");
  if (given == in.knobs.end()) {
    const auto children = static_cast<long>(in.integer("branching"));
    for (long i = 0; i < static_cast<long>(count); ++i)
      parents.push_back(i == 0 ? root : (i - 1) / children);
    return parents;
  }
  const Tensor& row = std::get<Tensor>(given->second);
  const std::string path = in.choice.path + "/parents";
  const auto nodes = static_cast<double>(row.data.size());
  if (row.shape.size() != 2 || row.shape[0] != 1 || row.data.size() < count) {
    refuse(path, "expected a list with the parent of each of " + std::to_string(count) +
                     " tokens, found shape " + to_text(row.shape));
  }
  for (const double parent : row.data) {
    if (parent < root || parent >= nodes ||
        parent != static_cast<double>(static_cast<long>(parent)))
      refuse(path, "a parent is the number of a token, or -1 for the root; found " +
                       number_exact(parent));
    parents.push_back(static_cast<long>(parent));
  }
  return parents;
}

// For each node its number among its parent's children, in the order of the tokens.
std::vector<std::size_t> child_numbers(const std::vector<long>& parents) {
  std::vector<std::size_t> number(parents.size()), next(parents.size(), 0);
  for (std::size_t i = 0; i < parents.size(); ++i) {
    if (parents[i] != root) number[i] = next[static_cast<std::size_t>(parents[i])]++;
  }
  return number;
}

Var encode(const PositionIn& in, Var rows) {  // rows [n d]
  const std::size_t count = rows.extent(-2), d = rows.extent(-1), b = in.integer("branching");
  const std::size_t levels = std::min(in.integer("depth"), d / b);
  if (levels == 0) {
    refuse("each step must distinguish " + std::to_string(b) +
           " children, which is more than the width " + std::to_string(d) + " of the rows");
  }
  const std::vector<long> parents = parents_of(in, count);
  const std::vector<std::size_t> number = child_numbers(parents);
  Tensor stack{{count, d}, std::vector<double>(count * d, 0)};
  for (std::size_t i = 0; i < count; ++i) {
    auto node = static_cast<long>(i);
    for (std::size_t level = 0; parents[static_cast<std::size_t>(node)] != root; ++level) {
      const std::size_t c = number[static_cast<std::size_t>(node)];
      if (c >= b) {
        refuse(in.choice.path + "/branching",
               "token " + std::to_string(node) + " is child " + std::to_string(c + 1) +
                   " of its parent, but only " + std::to_string(b) + " children are distinguished");
      }
      if (level > parents.size())
        refuse(in.choice.path + "/parents",
               "token " + std::to_string(i) + " never reaches the root");
      if (level < levels) stack.data[i * d + level * b + c] = 1;
      node = parents[static_cast<std::size_t>(node)];
    }
  }
  const Var p = in.param("p");  // [1 1]
  std::vector<Var> decay{ones(in.graph(), {1, b})};
  while (decay.size() < levels) decay.push_back(decay.back() * p);
  if (d > levels * b) decay.push_back(zeros(in.graph(), {1, d - levels * b}));
  const std::string name = "tree" + std::to_string(count) + "x" + std::to_string(d);
  return let("PE", in.constant(name, stack) * let("p^l", concat(decay, -1)));
}

// Steps down from the root, one push each: everything moves on by b places and shrinks by p.
Row pushed(const ReferenceIn& in, const Tensor& parents, std::size_t node, std::size_t d) {
  const std::size_t b = in.integer("branching");
  const std::size_t used = std::min(in.integer("depth"), d / b) * b;
  if (parents.data[node] < 0) return Row(d, 0);
  const Row above = pushed(in, parents, static_cast<std::size_t>(parents.data[node]), d);
  Row x(d, 0);
  for (std::size_t c = b; c < used; ++c) x[c] = in.parameter("p")() * above[c - b];
  const auto before = std::count(
      parents.data.begin(), parents.data.begin() + static_cast<long>(node), parents.data[node]);
  x[static_cast<std::size_t>(before)] = 1;
  return x;
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  Array table(in["key"].shape);
  Tensor parents{{table.rows()}, {-1}};
  const auto given = in.knobs.find("parents");
  if (given != in.knobs.end()) {
    parents = std::get<Tensor>(given->second);
  } else {
    while (parents.data.size() < table.rows())  // the next parent once the last has all children
      parents.data.push_back(
          std::floor(static_cast<double>(parents.data.size() - 1) / in.number("branching")));
  }
  for (std::size_t i = 0; i < table.rows(); ++i) {
    table.set(pushed(in, parents, i, table.cols()), i);
  }
  return {{"position", table}};
}

extern const Mechanism record{
    .id = "pos-tree",
    .parameters = {{"p", "", Distribution::one}},
    .knobs = {matrix_knob("parents").optionally(), integer_knob("branching", 2., 1, 8).at_least(1),
              integer_knob("depth", 8., 1, 16).at_least(1)},
    .laws = {.permutation = false},
    .example = R"("parents": [-1, 0, 0, 1, 1])",
    .extents = {{"dq", 16}, {"dk", 16}},
    .behaviour = Position{.encode = encode}};
}  // namespace attend::pos_tree_entry
