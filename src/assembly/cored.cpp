// SPDX-License-Identifier: Apache-2.0
// A core in place of score, alignment and aggregate: (Q, K, V) -> context.
#include <array>

#include "assembly/general_module.h"
#include "catalogue/causal_form.h"

namespace attend {
namespace {

// Implied maps of more keys are given to those who ask for them.
constexpr std::size_t most_keys = 512;

// [n n] in the batch of x [.. n d].
Var identity_like(Var x) {
  Shape shape = x.shape();
  shape.back() = x.extent(-2);
  return broadcast_to(one_hot(iota(x.graph(), x.extent(-2)), x.extent(-2)), shape);
}

// The largest number up to the root of n that divides queries and keys evenly: a default for blocks and clusters.
std::size_t even_part(std::size_t m, std::size_t n) {
  std::size_t part = 1;
  for (std::size_t i = 2; i * i <= n; ++i) {
    if (n % i == 0 && m % i == 0) part = i;
  }
  return part;
}

// What is recorded while it lives keeps no names: no steps of its own. In a step of a scan some of
// it stands outside of the step.
class Unnamed {
 public:
  explicit Unnamed(Graph& graph)
      : graphs_{&graph, &graph.innermost()}, before_{graphs_[0]->size(), graphs_[1]->size()} {}
  ~Unnamed() {
    for (std::size_t g = 0; g < graphs_.size(); ++g) {
      for (std::size_t id = before_.at(g); id < graphs_.at(g)->size(); ++id)
        graphs_.at(g)->rename(graphs_.at(g)->var(static_cast<NodeId>(id)), "");
    }
  }
  Unnamed(const Unnamed&) = delete;
  Unnamed& operator=(const Unnamed&) = delete;

 private:
  std::array<Graph*, 2> graphs_;
  std::array<std::size_t, 2> before_;
};

}  // namespace

bool GeneralModule::is_causal(const Scope& core) const {
  return std::get<Core>(core.choice.mechanism->behaviour).always_causal ||
         !choice_.all("mask").empty() ||
         (core.knobs.contains(causal_switch) && core.flag(causal_switch));
}

Var GeneralModule::implied_map(const Weighing& weighing) {
  const Unnamed unnamed(b_.graph());
  try {
    return weighing.context(identity_like(in_.k));
  } catch (const Error&) {
    return {};  // of so many keys that the identity or the map is no tensor that there may be
  }
}

void GeneralModule::output_maps(const Weighing& weighing, Var implied) {
  const std::string front = splits() ? "h m " : "m ";
  OutputKind map = out::implied, weights = out::weights;
  map.when_asked = in_.k.extent(-2) > most_keys;
  if (!weighing.probabilities) weights.numbers = NumberKind::real_number;
  const Var own = weighing.weights;
  weights.when_asked = !own && map.when_asked;
  if (own || implied) {
    weights_ = let("A", own ? own : implied);
    b_.output(choice_, weights, weights_, front + std::string(own ? weighing.columns : "n"));
  }
  if (implied) b_.output(choice_, map, implied, front + "n");
}

ModuleResult GeneralModule::through_core() {
  const Choice& choice = *choice_.in("core");
  const Core& record = std::get<Core>(choice.mechanism->behaviour);
  within(choice, [&] {
    if (!in_.q) {
      refuse("/inputs",
             "\"" + std::string(choice.mechanism->id) +
                 "\" compares keys with a query, and the document has no input \"query\"");
    }
    if (record.shares_keys) in_.k = in_.q;
    Dimensions d = dimensions();
    d.set("p", in_.q.extent(-1));
    d.set("divisor_near_sqrt_n", even_part(in_.q.extent(-2), in_.k.extent(-2)));
    const Scope scope = b_.enter(choice, d, family_);
    const CoreIn in{scope, in_.q, in_.k, is_causal(scope)};
    output_inputs();
    // Heads may ask for the mask; otherwise it is to be looked at, and may be too large for that.
    if (in.causal && (splits() || in.m() <= max_elements / in.n()))
      b_.output(choice_, out::mask, mask_ = let("M", in.past_pairs()), "m n");
    const Weighing weighing = record.build(in);
    context_ = weighing.context(in_.v);
    if (record.finish != nullptr) context_ = record.finish(in, context_);
    context_ = let("C", context_);
    output_maps(weighing, implied_map(weighing));
  });
  ModuleResult result{{}, weights_, splits() ? merged(context_) : context_, {}};
  result.output = result.context;
  const std::string axes = splits() ? "m dc" : "m dv";
  b_.output(choice_, out::context, result.context, axes);
  // What stands in the slot `output` has that name for its own.
  if (choice_.in("output") == nullptr) b_.output(choice_, out::output, result.context, axes);
  return result;
}

}  // namespace attend
