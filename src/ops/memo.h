// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "ops/values.h"

namespace attend {

// The numbers of earlier evaluations, found again by how they come about: two nodes are the same
// when primitive, attributes, shape and operands are, down to the numbers of the leaves. Nothing is
// guessed from a hash: the whole description is compared.
class Memo {
 public:
  // Larger results are not remembered.
  static constexpr std::size_t max_bytes = std::size_t{64} << 20U;

  // What two equal leaves share: where their numbers come from, or the numbers themselves.
  using Describe = std::function<std::string(NodeId leaf)>;

  // The next evaluation is of this graph: nodes are looked up by their ids, what belongs to none of
  // them is forgotten, and its memory kept for `room`.
  void look_at(const Graph& graph, const Describe& describe_leaf);

  // The numbers of a node, if they are known.
  [[nodiscard]] Numbers find(NodeId node) const;
  void remember(NodeId node, const Numbers& numbers);

  // Memory for `size` zeros; that of a forgotten node if one was as large.
  [[nodiscard]] Numbers room(std::size_t size);
  // Gives back memory that nobody else holds.
  void recycle(Numbers numbers);
  // After an evaluation: drops spare memory, and everything when it is too much.
  void settle();

  [[nodiscard]] std::size_t remembered() const { return known_.size(); }

 private:
  void forget_others();

  std::map<std::string, std::uint64_t> identity_;  // by description, of the last graph
  std::vector<std::uint64_t> of_node_;             // identity of each node looked at
  std::map<std::uint64_t, Numbers> known_;         // by identity
  std::multimap<std::size_t, Numbers> spare_;      // by size
  std::uint64_t next_ = 0;
};

}  // namespace attend
