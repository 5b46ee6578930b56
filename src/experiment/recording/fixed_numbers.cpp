// SPDX-License-Identifier: Apache-2.0
#include "experiment/recording/fixed_numbers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "ops/needed.h"
#include "ops/plan.h"
#include "ops/primitive.h"
#include "ops/primitives/records.h"

namespace attend {
namespace {
namespace p = primitives;

// Products of another length may add their terms in another order.
constexpr double rounding = 64 * static_cast<double>(std::numeric_limits<real>::epsilon());

// Where the cell `at` of the smaller tensor is in the larger one; nothing where it is in none of its cells.
std::optional<std::size_t> place_in(const Shape& shape, const Shape& smaller, std::size_t at) {
  const Strides from = strides_of(shape), to = strides_of(smaller);
  std::size_t place = 0;
  for (std::size_t axis = 0; axis < smaller.size(); ++axis) {
    const std::size_t index = at / to[axis] % smaller[axis];
    if (index >= shape[axis]) return std::nullopt;
    place += index * from[axis];
  }
  return place;
}

bool is_near(real a, real b, double tolerance) {
  return a == b || std::abs(static_cast<double>(a) - static_cast<double>(b)) <=
                       tolerance * (1 + std::abs(static_cast<double>(b)));
}

bool contains(const std::vector<NodeId>& list, NodeId id) {
  return std::ranges::find(list, id) != list.end();
}

class RowComparison {
 public:
  RowComparison(const Compiled& here, const Compiled& more, const std::string& input,
                const std::vector<NodeId>& wanted)
      : here_(here), more_(more), wanted_(wanted), needed_(needed_for(here.graph(), wanted)) {
    depends_.resize(here.graph().size(), false);
    moved_.resize(here.graph().size(), false);
    for (const Leaf& leaf : here.leaves()) {
      const auto words = here.words().find(leaf.node);
      depends_[leaf.node] = (leaf.kind == Leaf::Kind::input && leaf.name() == input) ||
                            (words != here.words().end() && words->second.input == input);
    }
  }

  const Node* first_difference() {
    const Graph &x = here_.graph(), &y = more_.graph();
    for (NodeId id = 0; id < x.size(); ++id) {
      if (!needed_[id]) continue;
      for (const NodeId in : x[id].inputs) {
        depends_[id] = depends_[id] || depends_[in];
        moved_[id] = moved_[id] || (moved_[in] && !depends_[in]);
      }
      const bool other = x[id].attributes.number != y[id].attributes.number;
      if (x[id].inputs != y[id].inputs || (depends_[id] && other)) return &x[id];
      moved_[id] = moved_[id] || other;
    }
    const Workspace one = computed(here_), two = computed(more_);
    for (NodeId id = 0; id < x.size(); ++id) {
      if (!needed_[id] || !depends_[id]) continue;
      const bool listed = reads_by_list(id);
      if (!moved_[id] && !(listed && moved_[node(id).inputs[0]])) continue;
      if (listed && !picks_the_same(id, one, two)) return &x[id];
      const bool by_list = listed || is_only_listed(id);
      for (const NodeId in : x[id].inputs) {
        if (!depends_[in] && moved_[in] && !by_list && !has_same(in, one, two)) return &x[id];
      }
    }
    for (const NodeId id : wanted_) {
      if (!depends_[id] && moved_[id] && !has_same(id, one, two)) return &x[id];
    }
    return nullptr;
  }

 private:
  [[nodiscard]] const Node& node(NodeId id) const { return here_.graph()[id]; }

  // What depends on no row and is read by what does.
  [[nodiscard]] Workspace computed(const Compiled& compiled) const {
    std::vector<Var> fixed;
    for (NodeId id = 0; id < node_count(); ++id) {
      if (!needed_[id] || !depends_[id]) continue;
      for (const NodeId in : node(id).inputs) {
        if (!depends_[in]) fixed.push_back(compiled.graph().var(in));
      }
    }
    for (const NodeId id : wanted_) {
      if (!depends_[id]) fixed.push_back(compiled.graph().var(id));
    }
    Workspace work(compiled.program().shared_graph(), plan(compiled.graph(), fixed));
    fill(compiled, work);
    work.evaluate();
    return work;
  }
  [[nodiscard]] NodeId node_count() const { return static_cast<NodeId>(here_.graph().size()); }

  [[nodiscard]] bool has_same(NodeId id, const Workspace& one, const Workspace& two) const {
    return has_corner(more_.graph()[id].shape, two[id], node(id).shape, one[id], rounding);
  }

  // A product of rows with each row of a fixed table.
  [[nodiscard]] bool is_by_table(NodeId id) const {
    const Node& one = node(id);
    return one.primitive == &p::matmul && one.attributes[1] != 0 && !depends_[one.inputs[1]];
  }
  // A fixed list picks for each pair one of the numbers that the product has for its row.
  [[nodiscard]] bool reads_by_list(NodeId id) const {
    const Node& one = node(id);
    return one.primitive == &p::take && !depends_[one.inputs[1]] && is_by_table(one.inputs[0]);
  }
  // The table is read only where a list picks from it.
  [[nodiscard]] bool is_only_listed(NodeId id) const {
    if (!is_by_table(id) || contains(wanted_, id)) return false;
    for (NodeId reader = id + 1; reader < node_count(); ++reader) {
      const bool reads = needed_[reader] && contains(node(reader).inputs, id);
      if (reads && !reads_by_list(reader)) return false;
    }
    return true;
  }

  // The rows of the table that the list names, for each pair of the smaller document.
  [[nodiscard]] bool picks_the_same(NodeId id, const Workspace& one, const Workspace& two) const {
    const NodeId list = node(id).inputs[1], table = node(node(id).inputs[0]).inputs[1];
    const Shape &few = node(list).shape, &many = more_.graph()[list].shape;
    const Shape &low = node(table).shape, &high = more_.graph()[table].shape;
    const std::size_t width = low.back(), last = low.size() - 2;
    const std::size_t leads =
        element_count(Shape(low.begin(), low.begin() + static_cast<long>(last)));
    const Numbers first = one[table], second = two[table];
    for (std::size_t at = 0; at < one[list].size(); ++at) {
      const auto place = place_in(many, few, at);
      if (!place) return false;
      const auto r = static_cast<std::size_t>(one[list][at]),
                 s = static_cast<std::size_t>(two[list][*place]);
      if (r >= low[last] || s >= high[last]) return false;
      for (std::size_t lead = 0; lead < leads; ++lead) {
        for (std::size_t c = 0; c < width; ++c) {
          if (!is_near(first[(lead * low[last] + r) * width + c],
                       second[(lead * high[last] + s) * width + c], rounding))
            return false;
        }
      }
    }
    return true;
  }

  const Compiled &here_, &more_;
  const std::vector<NodeId>& wanted_;
  std::vector<bool> needed_, depends_, moved_;
};

}  // namespace

void fill(const Compiled& compiled, Workspace& work) {
  for (const Leaf& leaf : compiled.leaves()) {
    if (!compiled.graph()[leaf.node].lies_elsewhere())
      compiled.write_leaf(leaf, work.write(leaf.node));
  }
}

bool has_corner(const Shape& shape, Numbers numbers, const Shape& smaller, Numbers corner,
                double tolerance) {
  if (shape.size() != smaller.size()) return false;
  for (std::size_t at = 0; at < corner.size(); ++at) {
    const auto place = place_in(shape, smaller, at);
    if (!place || !is_near(numbers[*place], corner[at], tolerance)) return false;
  }
  return true;
}

const Node* computes_other_numbers(const Compiled& here, const Compiled& more,
                                   const std::string& input, const std::vector<NodeId>& wanted) {
  return RowComparison(here, more, input, wanted).first_difference();
}

}  // namespace attend
