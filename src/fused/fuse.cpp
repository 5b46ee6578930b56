// SPDX-License-Identifier: Apache-2.0
#include "fused/fuse.h"

#include <algorithm>
#include <optional>

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

// A factor of the scores, a leaf or numbers of the rows: it goes to the queries, by the node that it had.
struct Factor {
  NodeId node;  // the product or quotient
  NodeId by;
};

struct Chain {
  NodeId weights = 0;      // the fused node takes its place
  std::vector<NodeId> in;  // q, k, v, bias, mask
  Parts parts;
  std::vector<Factor> factors = {};       // from the inside out
  std::optional<NodeId> difference = {};  // the node that subtracts the bias
  std::optional<NodeId> cap = {};
  std::optional<NodeId> shift = {};        // the node that shifts the scores with their bias
  std::optional<Factor> bias_factor = {};  // of the bias, too
  std::vector<NodeId> rests = {};          // nodes that take the weights of the sinks
  bool shifted = false;  // rows of scores have some number added, which only a softmax does not see
};

// Finds the chain that ends in one product.
class Finder {
 public:
  Finder(const Graph& graph, const std::vector<std::size_t>& uses) : graph_(graph), uses_(uses) {}

  std::optional<Chain> ending_in(NodeId context) const {
    const Node& last = graph_[context];
    if (uses_[context] == 0 || last.primitive != &primitives::matmul ||
        last.attributes != Attributes{{0, 0}})
      return std::nullopt;
    const std::optional<NodeId> weights = inside(last.inputs[0]);
    if (!weights) return std::nullopt;
    const Node& aligned = graph_[*weights];
    if (const Intent* intent = intent_of(graph_, *weights)) {
      if (intent->kind == Intent::spans) return with_spans(*intent, aligned, last);
      if (intent->kind == Intent::sink) return with_sink(*intent, aligned, last);
      return std::nullopt;
    }
    if (aligned.primitive != &primitives::softmax) return std::nullopt;
    std::optional<Chain> chain = scores(aligned.inputs[0]);
    if (!chain) return std::nullopt;
    chain->weights = *weights;
    chain->in.insert(chain->in.begin() + 2, last.inputs[1]);
    if (aligned.inputs.size() == 2) take_mask(*chain, aligned.inputs[1], aligned.shape);
    settle_bias(*chain);
    if (chain->parts.gaussian && !settle_gaussian(*chain)) return std::nullopt;
    if (!fits(*chain, aligned.shape, last.shape)) return std::nullopt;
    take_cap(*chain);
    return chain;
  }

 private:
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
    if (kernel && !band && !parts.bias && !parts.gaussian && takes(*intent, factors.rest)) {
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
    if (!chain || chain->parts.bias || chain->parts.gaussian || chain->cap || chain->shifted)
      return std::nullopt;
    chain->weights = weights.id;
    chain->in.push_back(context.inputs[1]);
    if (!fits(*chain, weights.shape, context.shape)) return std::nullopt;
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
    chain->weights = weights.id;
    chain->rests = rests_of(weights.id);
    std::vector<std::size_t> count = uses_;
    for (const NodeId rest : chain->rests) {
      for (const NodeId input : graph_[rest].inputs) --count[input];
    }
    if (is_read_elsewhere(graph_, nodes_between(graph_, weights.id, operands), count))
      return std::nullopt;
    chain->in.insert(chain->in.begin() + 2, context.inputs[1]);
    if (operands.size() == 3) take_mask(*chain, operands[1], weights.shape);
    if (!fits(*chain, weights.shape, context.shape)) return std::nullopt;
    take_cap(*chain);
    const Shape& sink = graph_[operands.back()].shape;
    if (sink.size() < 2 || sink.back() != 1 || sink.end()[-2] != 1 ||
        (batch_of(sink) != 1 && batch_of(sink) != batch_of(weights.shape) &&
         !repeats(sink, batch_of(weights.shape))))
      return std::nullopt;
    chain->in.push_back(operands.back());
    chain->parts.sink = true;
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

  static void take_cap(Chain& chain) {
    if (!chain.cap) return;
    chain.in.push_back(*chain.cap);
    chain.parts.capped = true;
  }

  // Scores of scale |q - k|^2, scale below 0, are -2 scale q k^T with a bias of the key, and what a row shares.
  static bool settle_gaussian(Chain& chain) {
    if (chain.parts.bias || chain.cap || !chain.factors.empty() || chain.parts.scale >= 0)
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

  // Whether a tensor has one number for each row of these maps, or one for all.
  static bool is_of_rows(const Shape& shape, const Shape& maps) {
    if (shape.size() < 2 || shape.size() > maps.size() || shape.back() != 1) return false;
    return std::equal(shape.rbegin() + 1, shape.rend(), maps.rbegin() + 1,
                      [](std::size_t a, std::size_t b) { return a == 1 || a == b; });
  }

  // A factor of rows goes with queries whose heads are grouped as those of the maps.
  bool fits_factor(const Factor& factor, const Shape& q) const {
    const Shape &by = graph_[factor.by].shape, &maps = graph_[factor.node].shape;
    return by.size() <= 2 || has_heads_of(maps, q);
  }

  // Whether the kernel takes these shapes, and every operand was recorded before the weights, whose place the fused
  // node takes. Its heads are grouped as the queries are, so the context's are too; bias, mask and weights may be
  // grouped in another way, because the kernel counts heads in the order of the memory.
  bool fits(const Chain& chain, const Shape& scores, const Shape& context) const {
    for (const NodeId id : chain.in) {
      if (id > chain.weights) return false;
    }
    const std::size_t m = scores.end()[-2], n = scores.back(), batch = batch_of(scores);
    const Shape& q = graph_[chain.in[0]].shape;
    if (!has_heads_of(q, context) || batch_of(q) != batch) return false;
    if (!std::all_of(chain.factors.begin(), chain.factors.end(),
                     [&](const Factor& factor) { return fits_factor(factor, q); }))
      return false;
    const std::size_t mask = chain.parts.mask ? (chain.parts.bias ? 4 : 3) : 0;
    for (std::size_t k = 0; k < chain.in.size(); ++k) {
      const Shape& shape = graph_[chain.in[k]].shape;
      if (shape.empty() || (k < 3 && shape.size() < 2)) return false;
      const bool may_share = k == mask || ((k == 1 || k == 2) && !chain.parts.gaussian);
      const bool shared = may_share && k > 0 && shares_heads(shape, q);
      const bool again = k > 2 && repeats(shape, batch);
      if (batch_of(shape) != batch && batch_of(shape) != 1 && !shared && !again) return false;
      const std::size_t rows = shape.size() < 2 ? 1 : shape.end()[-2];
      const bool fitting = k == 0                                     ? rows == m
                           : k < 3                                    ? rows == n
                           : k == 3 && chain.parts.pairs.lists_keys() ? rows == m
                           : k == 3 && chain.parts.gaps
                               ? rows == 1 && shape.back() + 1 == m + n
                               : shape.back() == n && (rows == m || rows == 1);
      if (!fitting) return false;
    }
    return true;
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
    graph.replace(chain->weights, softmax_attention, in, attributes_of(chain->parts));
    const auto width = static_cast<long>(graph[id].shape.back());
    graph.replace(id, primitives::slice, {chain->weights}, {{-1, 0, width}});
    for (const NodeId rest : chain->rests)
      graph.replace(rest, primitives::slice, {chain->weights}, {{-1, width + 2, width + 3}});
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
