// SPDX-License-Identifier: Apache-2.0
#include "fused/pattern.h"

#include <cmath>

#include "fused/band.h"
#include "fused/reader.h"
#include "ops/primitives/records.h"

namespace attend::fused {
namespace {

using namespace attend::primitives;

constexpr double most = 1U << 28U;

bool is_whole(double x) { return x >= 1 && x <= most && x == std::floor(x); }

// What the recordings of patterns say.
class PatternReader : public Reader {
 public:
  using Reader::Reader;

  // floor(x / l), where same(x)
  template <class Same>
  bool blocks(NodeId id, double& l, Same same) const {
    const Node& node = (*this)[id];
    if (!is(node, attend::primitives::floor)) return false;
    const Node& ratio = (*this)[node.inputs[0]];
    return is(ratio, divide) && same(ratio.inputs[0]) && number(ratio.inputs[1], l) && is_whole(l);
  }
  // floor(x / l) l, where same(x)
  template <class Same>
  bool starts(NodeId id, double& l, Same same) const {
    const Node& node = (*this)[id];
    double again = 0;
    return is(node, multiply) && blocks(node.inputs[0], l, same) && number(node.inputs[1], again) &&
           again == l;
  }
  // (i - j) mod l = 0
  bool every(NodeId id, double& l) const {
    const Node& node = (*this)[id];
    const auto same = [this](NodeId x) { return gap(x); };
    return is(node, equal) && gap(node.inputs[0]) && starts(node.inputs[1], l, same);
  }
  // j mod l > least, made as wide as the rows by adding 0 i
  bool last_of_block(NodeId id, double& l, double& least) const {
    const Node& node = (*this)[id];
    if (!is(node, greater) || !number(node.inputs[1], least)) return false;
    const Node& sum = (*this)[node.inputs[0]];
    if (!is(sum, add) || !nothing(sum.inputs[1])) return false;
    const Node& place = (*this)[sum.inputs[0]];
    const auto key = [this](NodeId x) { return index(x, false); };
    return is(place, subtract) && key(place.inputs[0]) && starts(place.inputs[1], l, key);
  }

 private:
  bool nothing(NodeId id) const {
    const Node& node = (*this)[id];
    double by = 1;
    if (!is(node, multiply)) return false;
    return (number(node.inputs[0], by) && by == 0 && index(node.inputs[1], true)) ||
           (number(node.inputs[1], by) && by == 0 && index(node.inputs[0], true));
  }
};

// Of a second part alone, or none.
Pattern second_part(const PatternReader& read, NodeId id) {
  double l = 0, least = 0;
  if (read.every(id, l)) return {Pattern::strided, static_cast<std::size_t>(l), 0, Part::second};
  if (!read.last_of_block(id, l, least)) return {};
  const double c = l - 1 - std::floor(least);  // so many places lie above `least`
  if (!is_whole(c)) return {};
  return {Pattern::fixed, static_cast<std::size_t>(l), static_cast<std::size_t>(c), Part::second};
}

// Whether the first part of the pattern, its time cut off elsewhere, is this band.
bool is_first_part(const Pattern& pattern, const Band& band) {
  const auto l = static_cast<std::ptrdiff_t>(pattern.l);
  if (pattern.kind == Pattern::strided)
    return band.before == l && band.after >= 0 && band.block == 0;
  return band.before == unbounded && band.after >= 0 && band.block == pattern.l;
}

}  // namespace

std::optional<Pattern> pattern_of(const Graph& graph, NodeId mask) {
  const PatternReader read(graph);
  const Node& node = read[mask];
  if (!read.is(node, multiply)) return std::nullopt;
  for (const std::size_t k : {0U, 1U}) {
    const std::optional<Band> past = band_of(graph, node.inputs[1 - k]);
    if (!past || past->before != unbounded || past->after != 0 || past->block != 0) continue;
    const Node& parts = read[node.inputs[k]];
    const Pattern alone = second_part(read, parts.id);
    if (alone.kind != Pattern::none) return alone;
    if (!read.is(parts, maximum)) continue;
    for (const std::size_t first : {0U, 1U}) {
      Pattern both = second_part(read, parts.inputs[1 - first]);
      const std::optional<Band> band = band_of(graph, parts.inputs[first]);
      if (both.kind == Pattern::none || !band || !is_first_part(both, *band)) continue;
      both.part = Part::both;
      return both;
    }
  }
  return std::nullopt;
}

void each_patch(const Pattern& pattern, std::size_t m, std::size_t n, PatchVisitor& visitor) {
  if (pattern.kind == Pattern::strided) {
    Strided(m, n, pattern.l, pattern.part).each(0, visitor);
  } else {
    Fixed(m, n, pattern.l, pattern.c, pattern.part).each(0, visitor);
  }
}

}  // namespace attend::fused
