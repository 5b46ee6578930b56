// SPDX-License-Identifier: Apache-2.0
#include "fused/fuse.h"

#include <algorithm>
#include <optional>

#include "fused/chain.h"
#include "fused/fuse_forms.h"
#include "fused/gaussian_product.h"
#include "fused/operands.h"
#include "fused/patterns.h"
#include "fused/row_blocks.h"
#include "fused/shorter.h"
#include "fused/softmax_attention.h"
#include "fused/uses.h"
#include "ops/primitives/records.h"
#include "ops/rewrite.h"

namespace attend::fused {
namespace {

// Finds the chain that ends in one product.
class Finder {
 public:
  Finder(const Graph& graph, const std::vector<std::size_t>& uses) : graph_(graph), uses_(uses) {}

  std::optional<Chain> ending_in(NodeId context) const {
    if (uses_[context] == 0) return std::nullopt;
    if (const Intent* values = stated_as(Intent::relative_values, context))
      return with_relative_values(*values, context);
    const Node& last = graph_[context];
    if (last.primitive != &primitives::matmul || last.attributes != Attributes{{0, 0}})
      return std::nullopt;
    const std::optional<NodeId> weights = inside(last.inputs[0]);
    if (!weights) return std::nullopt;
    const Node& aligned = graph_[*weights];
    if (const Intent* intent = intent_of(graph_, *weights)) {
      if (intent->kind == Intent::spans) return with_spans(*intent, aligned, last);
      if (intent->kind == Intent::sink) return with_sink(*intent, aligned, last);
      return std::nullopt;
    }
    return of_softmax(aligned, last, {}, *weights);
  }

 private:
  // `values`: those of distances, if there are any.
  std::optional<Chain> of_softmax(const Node& aligned, const Node& product,
                                  const std::vector<NodeId>& values, NodeId place) const {
    if (aligned.primitive != &primitives::softmax) return std::nullopt;
    std::optional<Chain> chain = scores(aligned.inputs[0]);
    if (!chain || (!values.empty() && chain->relative.empty())) return std::nullopt;
    chain->weights = aligned.id;
    chain->place = place;
    chain->relative.insert(chain->relative.end(), values.begin(), values.end());
    chain->parts.relative_values = !values.empty();
    chain->in.insert(chain->in.begin() + 2, product.inputs[1]);
    if (aligned.inputs.size() == 2) take_mask(*chain, aligned.inputs[1], aligned.shape);
    settle_bias(*chain);
    if (chain->parts.gaussian && !settle_gaussian(*chain)) return std::nullopt;
    if (!fits(graph_, *chain, aligned.shape, product.shape)) return std::nullopt;
    take_rest(*chain);
    return chain;
  }

  // The weights are also multiplied by values of distances, which may be known only after the weights.
  std::optional<Chain> with_relative_values(const Intent& intent, NodeId context) const {
    const std::vector<NodeId>& in = intent.operands;
    const Between nodes = nodes_between(graph_, context, in);
    const std::optional<NodeId> at = inside(in[0]);
    if (!at || nodes.size() < 2 || is_read_elsewhere(graph_, nodes, uses_)) return std::nullopt;
    const Node& product = graph_[*at];
    if (product.primitive != &primitives::matmul || product.attributes != Attributes{{0, 0}} ||
        product.inputs[0] != in[1])
      return std::nullopt;
    const auto weights = inside(in[1], 1 + reads_of(graph_, nodes, in[1]));
    if (!weights || intent_of(graph_, *weights) != nullptr) return std::nullopt;
    std::optional<Chain> chain = of_softmax(graph_[*weights], product, {in[2]}, nodes.end()[-2]);
    if (!chain || chain->parts.shift != intent.after) return std::nullopt;
    return chain;
  }

  // What the factors of the mask leave is the kernel's where their intents say it. The kernel of a band also takes a
  // mask as its operand: the only factor without an intent, or else the whole mask. The kernel of a pattern takes
  // one row.
  void take_mask(Chain& chain, NodeId mask, const Shape& scores) const {
    Parts& parts = chain.parts;
    const MaskFactors factors = factors_of_mask(graph_, mask);
    const MaybeIntent& intent = factors.stated;
    const bool kernel = intent && same_maps(graph_[mask].shape, scores) && has_kernel(*intent);
    const bool band = kernel && intent->kind == Intent::band;
    std::vector<NodeId> operands{mask};
    const bool plain = !parts.bias && !parts.relative && !parts.gaussian;
    if (kernel && !band && plain && takes(*intent, factors.rest)) {
      operands = intent->operands.empty() ? factors.rest : intent->operands;
      parts.pairs = *intent;
    } else if ((band || !intent) && factors.rest.size() < 2) {
      operands = factors.rest;
    }
    if (band) parts.pairs = *intent;
    parts.mask = !operands.empty();
    chain.in.insert(chain.in.end(), operands.begin(), operands.end());
  }

  // Whether a pattern's kernel takes the factors beside it: none, or one row of keys in the place of an operand.
  bool takes(const Intent& pattern, const std::vector<NodeId>& rest) const {
    if (rest.empty()) return true;
    return rest.size() == 1 && pattern.operands.empty() && has_one_row(graph_[rest[0]].shape);
  }

  std::optional<Chain> with_spans(const Intent& intent, const Node& weights,
                                  const Node& context) const {
    std::optional<Chain> chain = scores(intent.operands[0]);
    if (!chain || chain->parts.bias || chain->parts.relative || chain->parts.gaussian ||
        chain->cap || chain->shifted)
      return std::nullopt;
    chain->weights = chain->place = weights.id;
    chain->in.push_back(context.inputs[1]);
    if (!fits(graph_, *chain, weights.shape, context.shape)) return std::nullopt;
    chain->in.insert(chain->in.end(), intent.operands.begin() + 1, intent.operands.end());
    const Shape& z = graph_[intent.operands[1]].shape;
    const std::size_t rows = z.size() < 2 ? 1 : z.end()[-2];
    if ((rows != 1 && rows != weights.shape.end()[-2]) ||
        (batch_of(z) != 1 && batch_of(z) != batch_of(weights.shape)))
      return std::nullopt;
    chain->parts.pairs = intent;
    return chain;
  }

  // Nothing that all scores of a row have in common cancels here.
  std::optional<Chain> with_sink(const Intent& intent, const Node& weights,
                                 const Node& context) const {
    const std::vector<NodeId>& operands = intent.operands;
    std::optional<Chain> chain = scores(operands[0]);
    if (!chain || chain->parts.gaussian || chain->shifted) return std::nullopt;
    chain->weights = chain->place = weights.id;
    chain->rests = rests_of(weights.id);
    std::vector<std::size_t> count = uses_;
    for (const NodeId rest : chain->rests) {
      for (const NodeId input : graph_[rest].inputs) --count[input];
    }
    if (is_read_elsewhere(graph_, nodes_between(graph_, weights.id, operands), count))
      return std::nullopt;
    chain->in.insert(chain->in.begin() + 2, context.inputs[1]);
    if (operands.size() == 3) take_mask(*chain, operands[1], weights.shape);
    if (!fits(graph_, *chain, weights.shape, context.shape)) return std::nullopt;
    const Shape& sink = graph_[operands.back()].shape;
    if (sink.size() < 2 || sink.back() != 1 || sink.end()[-2] != 1 ||
        (batch_of(sink) != 1 && batch_of(sink) != batch_of(weights.shape) &&
         !repeats(sink, batch_of(weights.shape))))
      return std::nullopt;
    take_rest(*chain, operands.back());
    return chain;
  }

  // Who reads the weights of the sinks beside these weights.
  std::vector<NodeId> rests_of(NodeId weights) const {
    std::vector<NodeId> rests;
    for (NodeId id = weights + 1; id < graph_.size(); ++id) {
      const Intent* intent = uses_[id] > 0 ? stated_as(Intent::rest, id) : nullptr;
      if (intent != nullptr && intent->operands.front() == weights) rests.push_back(id);
    }
    return rests;
  }

  // The last operands, in their order.
  static void take_rest(Chain& chain, std::optional<NodeId> sink = std::nullopt) {
    for (const auto& one : {chain.cap, sink}) {
      if (one) chain.in.push_back(*one);
    }
    chain.parts.capped = chain.cap.has_value();
    chain.parts.sink = sink.has_value();
    chain.in.insert(chain.in.end(), chain.relative.begin(), chain.relative.end());
  }

  // Scores of scale |q - k|^2, scale below 0, are -2 scale q k^T with a bias of the key, and what a row shares.
  static bool settle_gaussian(Chain& chain) {
    if (chain.parts.bias || chain.parts.relative || chain.cap || !chain.factors.empty() ||
        chain.parts.scale >= 0)
      return false;
    chain.parts.scale *= -2;
    return true;
  }

  // The node behind names and reshapes that change nothing but how heads are grouped, if only the chain reads it all
  // the way: the first of them so many times.
  std::optional<NodeId> inside(NodeId id, std::size_t times = 1) const {
    for (;; times = 1) {
      if (uses_[id] != times) return std::nullopt;
      const Node& node = graph_[id];
      const bool view =
          node.primitive == &primitives::reshape || node.primitive == &primitives::broadcast_to;
      if (!view) return id;
      const Shape& from = graph_[node.inputs[0]].shape;
      const bool grouped = node.primitive == &primitives::reshape && has_maps_of(from, node.shape);
      if (from != node.shape && !grouped) return id;
      id = node.inputs[0];
    }
  }

  // The intent of a node, if it is of this kind.
  const Intent* stated_as(Intent::Kind kind, NodeId id) const {
    const Intent* stated = graph_[id].intent.get();
    return stated != nullptr && stated->kind == kind ? intent_of(graph_, id) : nullptr;
  }

  // scale q k^T, or that plus terms; and either with a cap.
  std::optional<Chain> scores(NodeId id) const {
    const std::optional<NodeId> at = inside(id);
    const Intent* capped = at ? stated_as(Intent::capped, *at) : nullptr;
    if (capped == nullptr) return uncapped(id);
    if (element_count(graph_[capped->operands[1]].shape) != 1) return std::nullopt;
    std::optional<Chain> chain = uncapped(capped->operands[0]);
    if (!chain || chain->shifted) return std::nullopt;
    chain->cap = capped->operands[1];
    return chain;
  }

  std::optional<Chain> uncapped(NodeId id, std::size_t times = 1) const {
    if (std::optional<Chain> chain = product(id, times)) return chain;
    const std::optional<NodeId> at = inside(id, times);
    if (!at) return std::nullopt;
    const Node& node = graph_[*at];
    const bool minus = node.primitive == &primitives::subtract;
    if (!minus && node.primitive != &primitives::add) return std::nullopt;
    for (const std::size_t k : {0U, 1U}) {
      if (minus && k == 1) break;
      std::optional<Chain> chain = uncapped(node.inputs[k]);
      if (!chain) continue;
      const NodeId term = node.inputs[1 - k];
      if (element_count(graph_[term].shape) == 1 || is_of_rows(graph_[term].shape, node.shape)) {
        chain->shifted = true;
        return chain;
      }
      if (const Intent* relative = minus ? nullptr : stated_as(Intent::relative, term))
        return with_relative(*std::move(chain), *relative);
      if (chain->parts.bias) return std::nullopt;
      take_bias(*chain, term);
      if (minus) chain->difference = *at;
      return chain;
    }
    return std::nullopt;
  }

  // Where a softmax takes nothing but a query's past, a bias may be one of keys, plus a number for each row.
  void settle_bias(Chain& chain) const {
    if (!chain.parts.bias || chain.parts.gaps || chain.cap) return;
    const Intent* const by_key = stated_as(Intent::by_key, chain.in[3]);
    if (by_key != nullptr && chain.parts.pairs.after <= by_key->after)
      chain.in[3] = by_key->operands.front();
  }

  static std::optional<Chain> with_relative(Chain chain, const Intent& intent) {
    const bool biased = intent.c == 3;
    if (chain.parts.relative || (biased && chain.parts.bias)) return std::nullopt;
    chain.parts.relative = true;
    chain.parts.shift = intent.after;
    chain.relative = {intent.operands[0], intent.operands[1]};
    chain.parts.bias |= biased;
    if (biased) chain.in.push_back(intent.operands[2]);
    return chain;
  }

  // A bias that depends on the gap of query and key alone is read from the table of its intent.
  void take_bias(Chain& chain, NodeId bias) const {
    const Intent* intent = intent_of(graph_, bias);
    chain.parts.bias = true;
    chain.parts.gaps = intent != nullptr && intent->kind == Intent::gaps;
    chain.in.push_back(chain.parts.gaps ? intent->operands.front() : bias);
  }

  std::optional<Chain> product(NodeId id, std::size_t times = 1) const {
    const std::optional<NodeId> at = inside(id, times);
    if (!at) return std::nullopt;
    const Node& node = graph_[*at];
    if (node.primitive == &primitives::matmul) {
      if (node.attributes != Attributes{{0, 1}}) return std::nullopt;
      return Chain{0, node.inputs, {}, {}};
    }
    if (node.primitive == &primitives::squared_gaps) {
      Chain chain{0, node.inputs, {}, {}};
      chain.parts.gaussian = true;
      return chain;
    }
    if (const Intent* shifted = stated_as(Intent::shifted, *at)) return before_shift(*shifted, *at);
    const bool divides = node.primitive == &primitives::divide;
    if (node.primitive != &primitives::multiply && !divides) return std::nullopt;
    for (const std::size_t k : {0U, 1U}) {
      if (divides && k == 1) continue;
      const Node& factor = graph_[node.inputs[1 - k]];
      const bool number = factor.primitive == &primitives::fill &&
                          element_count(factor.shape) == 1 && factor.shape.size() <= 2;
      if (!number && !is_of_rows(factor.shape, node.shape)) continue;
      std::optional<Chain> chain = product(node.inputs[k]);
      if (!chain) continue;
      if (chain->parts.relative) return std::nullopt;
      if (chain->parts.bias) {
        // The node of the shift, which is no longer needed, multiplies the bias.
        if (!chain->shift || chain->bias_factor || element_count(factor.shape) != 1 ||
            factor.id > *chain->shift)
          return std::nullopt;
        chain->bias_factor = {*at, factor.id};
      }
      if (!number || factor.leaf) {
        chain->factors.push_back({*at, factor.id});
      } else {
        const double by = factor.attributes.number;
        chain->parts.scale *= divides ? 1 / by : by;
      }
      return chain;
    }
    return std::nullopt;
  }

  std::optional<Chain> before_shift(const Intent& shifted, NodeId at) const {
    const NodeId scores = shifted.operands.front();
    const Between nodes = nodes_between(graph_, at, shifted.operands);
    if (is_read_elsewhere(graph_, nodes, uses_)) return std::nullopt;
    std::optional<Chain> chain = uncapped(scores, reads_of(graph_, nodes, scores));
    if (!chain) return chain;
    chain->shifted = true;
    chain->shift = at;
    return chain;
  }

  const Graph& graph_;
  const std::vector<std::size_t>& uses_;
};

}  // namespace

std::size_t fuse(Graph& graph, const std::vector<Var>& wanted, std::size_t from_weights) {
  shorten(graph, wanted, from_weights);
  const std::size_t forms = fuse_forms(graph, wanted, from_weights);
  const Uses uses(graph, wanted);
  const Finder finder(graph, uses.count);
  std::size_t found = 0;
  for (NodeId id = 0; id < graph.size(); ++id) {
    const std::optional<Chain> chain = finder.ending_in(id);
    if (!chain || element_count(graph[chain->weights].shape) < from_weights) continue;
    if (chain->parts.bias && is_for_blocks(graph, wanted, chain->in[3])) continue;
    std::vector<NodeId> in = chain->in;
    for (const Factor& factor : chain->factors) {
      graph.replace(factor.node, *graph[factor.node].primitive, {in[0], factor.by}, {});
      in[0] = factor.node;
    }
    if (chain->difference) {
      graph.replace(*chain->difference, primitives::negative, {in[3]}, {});
      in[3] = *chain->difference;
    }
    if (chain->bias_factor) {
      const Primitive& by = *graph[chain->bias_factor->node].primitive;
      graph.replace(*chain->shift, by, {in[3], chain->bias_factor->by}, {});
      in[3] = *chain->shift;
    }
    const NodeId place = chain->place;
    graph.replace(place, softmax_attention, in, attributes_of(chain->parts));
    const auto width = static_cast<long>(graph[id].shape.back());
    graph.replace(id, primitives::slice, {place}, {{-1, 0, width}});
    for (const NodeId rest : chain->rests)
      graph.replace(rest, primitives::slice, {place}, {{-1, width + 2, width + 3}});
    ++found;
  }
  return forms + found + fuse_gaussians(graph, wanted, from_weights);
}

Program fused(const Program& program, std::size_t from_weights) {
  Rewrite to(program);
  to.copy_whole();
  to.made.fused += fuse(to.graph(), program.wanted(), from_weights);
  return to.program();
}

}  // namespace attend::fused
