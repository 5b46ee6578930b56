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

  // j > floor(i / l) l - c - 1
  bool recent(NodeId id, double& l, double& c) const {
    const Node& node = (*this)[id];
    if (!is(node, greater) || !index(node.inputs[0], false)) return false;
    const Node& before = (*this)[node.inputs[1]];
    double one = 0;
    if (!is(before, subtract) || !number(before.inputs[1], one) || one != 1) return false;
    const Node& first = (*this)[before.inputs[0]];
    const auto row = [this](NodeId x) { return index(x, true); };
    return is(first, subtract) && number(first.inputs[1], c) && starts(first.inputs[0], l, row);
  }
  bool block_gap(NodeId id, double& b) const {
    const Node& node = (*this)[id];
    if (!is(node, absolute)) return false;
    const Node& gap = (*this)[node.inputs[0]];
    return is(gap, subtract) && block(gap.inputs[0], b, true) && block(gap.inputs[1], b, false);
  }
  bool block(NodeId id, double& b, bool rows) const {
    return blocks(id, b, [this, rows](NodeId x) { return index(x, rows); });
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

// So many that lie below, from a bound half a place above them.
bool half_above(double bound, std::size_t& count) {
  const double whole = bound - .5;
  if (whole < 0 || whole > most || whole != std::floor(whole)) return false;
  count = static_cast<std::size_t>(whole);
  return true;
}

// max(max(window, global), drawn): blocks of b, |i/b - j/b| < w + .5, i/b or j/b below g - .5.
std::optional<Pattern> bigbird(const Graph& graph, const PatternReader& read, const Node& node) {
  if (!read.is(node, maximum)) return std::nullopt;
  const Node& known = read[node.inputs[0]];
  if (!read.is(known, maximum)) return std::nullopt;
  const Node &window = read[known.inputs[0]], &global = read[known.inputs[1]];
  double bound = 0, b = 0, again = 0;
  Pattern pattern{Pattern::bigbird};
  if (!read.is(window, greater) || !read.number(window.inputs[0], bound) ||
      !half_above(bound, pattern.c) || !read.block_gap(window.inputs[1], b) ||
      !read.is(global, maximum))
    return std::nullopt;
  for (const bool rows : {true, false}) {
    const Node& side = read[global.inputs[rows ? 0 : 1]];
    if (!read.is(side, greater) || !read.number(side.inputs[0], bound) ||
        !half_above(bound + 1, pattern.global) || !read.block(side.inputs[1], again, rows) ||
        again != b)
      return std::nullopt;
  }
  pattern.l = static_cast<std::size_t>(b);
  pattern.drawn = node.inputs[1];
  const Shape &drawn = graph[pattern.drawn].shape, &whole = node.shape;
  const bool fits =
      drawn.size() >= 2 && drawn.back() == whole.back() && drawn.end()[-2] == whole.end()[-2];
  return fits ? std::optional(pattern) : std::nullopt;
}

// A window over all keys but the last, and those: [window, ones] side by side.
std::optional<Pattern> summarised(const Graph& graph, const PatternReader& read, const Node& node) {
  if (!read.is(node, concat) || node.inputs.size() != 2 || node.attributes[0] != -1) return {};
  const std::optional<Band> band = band_of(graph, read[node.inputs[0]].id);
  double one = 0;
  if (!band || band->block != 0 || band->before != band->after || band->before < 0 ||
      band->before >= unbounded || !read.number(node.inputs[1], one) || one != 1)
    return std::nullopt;
  Pattern pattern{Pattern::summarised, static_cast<std::size_t>(band->before)};
  pattern.c = read[node.inputs[1]].shape.back();
  return pattern;
}

}  // namespace

std::optional<Pattern> pattern_of(const Graph& graph, NodeId mask) {
  const PatternReader read(graph);
  const Node& node = read[mask];
  if (std::optional<Pattern> whole = bigbird(graph, read, node)) return whole;
  if (std::optional<Pattern> whole = summarised(graph, read, node)) return whole;
  if (!read.is(node, multiply)) return std::nullopt;
  for (const std::size_t k : {0U, 1U}) {
    const std::optional<Band> past = band_of(graph, node.inputs[1 - k]);
    if (!past || past->before != unbounded || past->after != 0 || past->block != 0) continue;
    const Node& parts = read[node.inputs[k]];
    double size = 0, memory = 0;
    if (read.recent(parts.id, size, memory) && memory >= 0 && memory <= most &&
        memory == std::floor(memory))
      return Pattern{Pattern::recent, static_cast<std::size_t>(size),
                     static_cast<std::size_t>(memory)};
    if (std::optional<Pattern> drawn = bigbird(graph, read, parts)) {
      drawn->causal = true;
      return drawn;
    }
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

void each_patch(const Pattern& pattern, std::size_t m, std::size_t n, PatchVisitor& visitor,
                std::size_t head, Rows drawn) {
  switch (pattern.kind) {
    case Pattern::strided:
      return Strided(m, n, pattern.l, pattern.part).each(head, visitor);
    case Pattern::fixed:
      return Fixed(m, n, pattern.l, pattern.c, pattern.part).each(head, visitor);
    case Pattern::recent:
      return Recent(m, n, pattern.l, pattern.c).each(head, visitor);
    case Pattern::summarised:
      return Summarised(m, n, pattern.l, pattern.c).each(head, visitor);
    case Pattern::bigbird:
      return BigBird({m, n, pattern.l, pattern.c, pattern.global, pattern.causal}, drawn)
          .each(head, visitor);
    case Pattern::none:
    case Pattern::spans:
      break;
  }
}

}  // namespace attend::fused
