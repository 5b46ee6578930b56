// SPDX-License-Identifier: Apache-2.0
#include "ops/intent.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <set>
#include <utility>

#include "ops/primitives/records.h"

namespace attend {
namespace {

constexpr double most_whole = 1U << 28U;

bool is_whole(double x, double least) {
  return x >= least && x <= most_whole && x == std::floor(x);
}

// A bound of a band: whole, or none.
std::optional<std::ptrdiff_t> bound(double reach) {
  if (reach > most_whole) return unbounded;
  if (!is_whole(reach, -most_whole)) return std::nullopt;
  return static_cast<std::ptrdiff_t>(reach);
}

std::size_t count(double x) { return static_cast<std::size_t>(x); }

// Everything but the bounds.
bool same_pattern(const Intent& a, const Intent& b) {
  Intent bounded = a;
  bounded.before = b.before;
  bounded.after = b.after;
  bounded.block = b.block;
  return bounded == b;
}

// Whether the node depends on nothing but these.
bool reads_only(const Graph& graph, NodeId id, const std::vector<NodeId>& operands) {
  std::set<NodeId> seen(operands.begin(), operands.end());
  std::vector<NodeId> open{id};
  while (!open.empty()) {
    const Node& node = graph[open.back()];
    open.pop_back();
    // A gradient does not pass what an intervention detaches.
    const bool detached = node.primitive == &primitives::detach && node.attributes.integers.empty();
    if (node.leaf || detached) return false;
    for (const NodeId input : node.inputs) {
      if (seen.insert(input).second) open.push_back(input);
    }
  }
  return true;
}

// The leaves that these are computed from.
std::vector<NodeId> leaves_below(const Graph& graph, std::vector<NodeId> open) {
  std::set<NodeId> seen(open.begin(), open.end());
  std::vector<NodeId> leaves;
  while (!open.empty()) {
    const Node& node = graph[open.back()];
    open.pop_back();
    if (node.leaf) leaves.push_back(node.id);
    for (const NodeId input : node.inputs) {
      if (seen.insert(input).second) open.push_back(input);
    }
  }
  return leaves;
}

}  // namespace

bool Intent::is_mask() const {
  switch (kind) {  // without a default, so that a new kind has to say what it is
    case band:
    case strided:
    case fixed:
    case recent:
    case summarised:
    case bigbird:
    case first:
    case others:
    case documents:
    case diffusion:
    case neighbours:
      return true;
    case spans:
    case gaussian:
    case gaps:
    case by_key:
    case features:
    case delta:
    case hashed:
    case sink:
    case rest:
    case capped:
    case shifted:
    case relative:
    case relative_values:
    case shorter:
      break;
  }
  return false;
}

bool Intent::is_causal() const {
  return kind == band && before == unbounded && after == 0 && block == 0;
}

MaybeIntent band_intent(double before, double after) {
  const auto low = bound(before), high = bound(after);
  if (!low || !high) return std::nullopt;
  return Intent{.before = *low, .after = *high};
}

MaybeIntent causal_intent() { return Intent{.after = 0}; }

MaybeIntent blocks_intent(double size) {
  return is_whole(size, 1) ? MaybeIntent({.block = count(size)}) : std::nullopt;
}

MaybeIntent strided_intent(double l, Intent::Part part) {
  if (part == Intent::Part::first) return band_intent(l, HUGE_VAL);
  if (!is_whole(l, 1)) return std::nullopt;
  return Intent{.kind = Intent::strided, .l = count(l), .part = part};
}

MaybeIntent fixed_intent(double l, double c, Intent::Part part) {
  if (part == Intent::Part::first) return blocks_intent(l);
  if (!is_whole(l, 1) || !is_whole(c, 1)) return std::nullopt;
  return Intent{.kind = Intent::fixed, .l = count(l), .c = count(std::min(c, l)), .part = part};
}

MaybeIntent recent_intent(double size, double memory) {
  if (!is_whole(size, 1) || !is_whole(memory, 0)) return std::nullopt;
  return Intent{.kind = Intent::recent, .l = count(size), .c = count(memory)};
}

MaybeIntent summarised_intent(double window, std::size_t rest) {
  if (!is_whole(window, 0)) return std::nullopt;
  return Intent{.kind = Intent::summarised, .l = count(window), .c = rest};
}

MaybeIntent bigbird_intent(double block, double window, double global, Intent::Part drawn) {
  if (!is_whole(block, 1) || !is_whole(window, 0) || !is_whole(global, 0)) return std::nullopt;
  return Intent{.kind = Intent::bigbird,
                .l = count(block),
                .c = count(window),
                .part = drawn,
                .global = count(global)};
}

MaybeIntent first_intent(double first, double window) {
  const double all = most_whole;
  if (!is_whole(first, 0) || !is_whole(std::min(window, all), 0)) return std::nullopt;
  return Intent{.kind = Intent::first, .l = count(std::min(window, all)), .c = count(first)};
}

MaybeIntent others_intent() { return Intent{.kind = Intent::others}; }

MaybeIntent documents_intent() { return Intent{.kind = Intent::documents}; }

MaybeIntent diffusion_intent(std::size_t length, double block) {
  if (!is_whole(block, 1)) return std::nullopt;
  return Intent{.kind = Intent::diffusion, .l = count(block), .c = length};
}

MaybeIntent neighbours_intent(std::size_t columns, std::size_t kernel_rows,
                              std::size_t kernel_columns) {
  return Intent{
      .kind = Intent::neighbours, .l = kernel_columns, .c = kernel_rows, .global = columns};
}

MaybeIntent spans_intent(bool causal) {
  return Intent{.kind = Intent::spans, .after = causal ? 0 : unbounded};
}

MaybeIntent gaussian_intent(double scale) {
  return scale > 0 ? MaybeIntent({.kind = Intent::gaussian, .scale = scale}) : std::nullopt;
}

MaybeIntent gaps_intent() { return Intent{.kind = Intent::gaps}; }

MaybeIntent by_key_intent(std::size_t after) {
  return Intent{.kind = Intent::by_key, .after = static_cast<std::ptrdiff_t>(after)};
}

MaybeIntent sink_intent() { return Intent{.kind = Intent::sink}; }

MaybeIntent rest_intent() { return Intent{.kind = Intent::rest}; }

MaybeIntent capped_intent() { return Intent{.kind = Intent::capped}; }

MaybeIntent shifted_intent() { return Intent{.kind = Intent::shifted}; }

MaybeIntent relative_intent(std::ptrdiff_t shift, std::size_t operands) {
  return Intent{.kind = Intent::relative, .after = shift, .c = operands};
}

MaybeIntent relative_values_intent(std::ptrdiff_t shift) {
  return Intent{.kind = Intent::relative_values, .after = shift};
}

MaybeIntent shorter_intent() { return Intent{.kind = Intent::shorter}; }

MaybeIntent features_intent(const Features& features) {
  return Intent{.kind = Intent::features, .of = features};
}

MaybeIntent delta_intent(const Features& features) {
  return Intent{.kind = Intent::delta, .of = features};
}

MaybeIntent hashed_intent(std::size_t rounds, std::size_t buckets, std::size_t chunk, bool causal) {
  if (rounds == 0 || chunk == 0 || buckets == 0 || buckets % 2 != 0) return std::nullopt;
  return Intent{.kind = Intent::hashed,
                .after = causal ? 0 : unbounded,
                .l = chunk,
                .c = buckets,
                .global = rounds};
}

MaybeIntent both(const MaybeIntent& a, const MaybeIntent& b) {
  if (!a || !b || !a->is_mask() || !b->is_mask()) return std::nullopt;
  const bool bands = a->kind == Intent::band || b->kind == Intent::band;
  if (!bands && !same_pattern(*a, *b)) return std::nullopt;
  Intent all = a->kind == Intent::band ? *b : *a;
  all.before = std::min(a->before, b->before);
  all.after = std::min(a->after, b->after);
  const auto [small, large] = std::minmax(a->block, b->block);
  // Smaller blocks that fill larger ones cut these up.
  if (small != 0 && large % small != 0) return std::nullopt;
  all.block = small != 0 ? small : large;
  return all;
}

Var stated(Var formula, MaybeIntent intent, const std::vector<Var>& operands) {
  if (!intent) return formula;
  for (const Var& operand : operands)
    intent->operands.push_back(formula.graph().here(operand).id());
  formula.graph().state(formula, std::make_shared<const Intent>(*std::move(intent)));
  return formula;
}

Var cancelled(Var x) { return x.graph().record(primitives::detach, {x}, {{1}}); }

const Intent* intent_of(const Graph& graph, NodeId id) {
  const Intent* intent = graph[id].intent.get();
  if (intent == nullptr) return nullptr;
  std::vector<NodeId> read = intent->operands;
  // The table of gaps, relative rows, a shorter form, and the formula beside them are computed from the same leaves.
  if (intent->kind == Intent::gaps || intent->kind == Intent::relative ||
      intent->kind == Intent::shorter) {
    const std::vector<NodeId> leaves = leaves_below(graph, read);
    if (intent->kind == Intent::gaps) read.clear();
    read.insert(read.end(), leaves.begin(), leaves.end());
  }
  return reads_only(graph, id, read) ? intent : nullptr;
}

bool same_maps(const Shape& mask, const Shape& maps) {
  const auto known = std::min<std::size_t>(mask.size(), 2);
  return known > 0 && maps.size() >= known &&
         std::equal(mask.end() - static_cast<long>(known), mask.end(),
                    maps.end() - static_cast<long>(known));
}

namespace {

// Whether a view leaves all maps in their order for whoever counts them from the last axis: a list of maps with more
// axes behind it would be that of other heads.
bool keeps_leading(const Shape& from, const Shape& to) {
  std::size_t maps = 1;
  for (std::size_t axis = 0; axis + 2 < from.size(); ++axis) maps *= from[axis];
  if (maps == 1) return true;
  return to.size() >= from.size() && std::equal(from.rbegin(), from.rend(), to.rbegin());
}

}  // namespace

MaybeIntent mask_intent(const Graph& graph, NodeId mask) {
  const Node& node = graph[mask];
  if (node.intent != nullptr) {
    const Intent* own = intent_of(graph, mask);
    return own != nullptr && own->is_mask() ? MaybeIntent(*own) : std::nullopt;
  }
  const auto of_input = [&](std::size_t k) {
    const NodeId input = node.inputs[k];
    if (!same_maps(graph[input].shape, node.shape)) return MaybeIntent();
    const MaybeIntent found = mask_intent(graph, input);
    const bool fits =
        !found || found->operands.empty() || keeps_leading(graph[input].shape, node.shape);
    return fits ? found : std::nullopt;
  };
  if (node.primitive == &primitives::reshape || node.primitive == &primitives::broadcast_to)
    return of_input(0);
  if (node.primitive != &primitives::multiply) return std::nullopt;
  const MaybeIntent first = of_input(0);
  return first ? both(first, of_input(1)) : std::nullopt;
}

bool has_one_row(const Shape& mask) {
  return mask.size() == 1 || (mask.size() > 1 && mask.end()[-2] == 1);
}

namespace {

void take_factors(const Graph& graph, NodeId mask, const Shape& maps, MaskFactors& found) {
  const Node& node = graph[mask];
  if (const MaybeIntent own =
          same_maps(node.shape, maps) ? mask_intent(graph, mask) : std::nullopt) {
    const MaybeIntent joined = found.stated ? both(found.stated, own) : own;
    if (joined) {
      found.stated = joined;
      return;
    }
  }
  const auto fits = [&](NodeId input) {
    const Shape& shape = graph[input].shape;
    return keeps_leading(shape, maps) &&
           (same_maps(shape, maps) || (has_one_row(shape) && shape.back() == maps.back()));
  };
  const bool view =
      node.primitive == &primitives::reshape || node.primitive == &primitives::broadcast_to;
  if ((view || node.primitive == &primitives::multiply) && node.intent == nullptr &&
      std::all_of(node.inputs.begin(), node.inputs.end(), fits)) {
    for (const NodeId input : node.inputs) take_factors(graph, input, maps, found);
  } else {
    found.rest.push_back(mask);
  }
}

}  // namespace

MaskFactors factors_of_mask(const Graph& graph, NodeId mask) {
  MaskFactors found;
  take_factors(graph, mask, graph[mask].shape, found);
  return found;
}

void carry_intent(const Node& from, Var to, const std::function<Var(NodeId)>& now) {
  if (from.intent == nullptr) return;
  Intent intent = *from.intent;
  std::vector<Var> operands;
  for (const NodeId operand : std::exchange(intent.operands, {})) {
    operands.push_back(now(operand));
    if (!operands.back()) return;
  }
  stated(to, std::move(intent), operands);
}

}  // namespace attend
