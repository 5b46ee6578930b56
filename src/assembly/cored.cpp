// SPDX-License-Identifier: Apache-2.0
// A core in place of score, alignment and aggregate: (Q, K, V) -> context.
#include <bit>

#include "assembly/general_module.h"
#include "catalogue/causal_form.h"
#include "catalogue/projected_heads.h"
#include "ops/too_large.h"
#include "ops/unnamed.h"

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

// How many matrices stand side by side.
std::size_t matrices_in(Var x) { return element_count(Extents(x.shape()).first(x.rank() - 2)); }

// The largest number up to the root of n that divides queries and keys evenly: a default for blocks and clusters.
std::size_t even_part(std::size_t m, std::size_t n) {
  std::size_t part = 1;
  for (std::size_t i = 2; i * i <= n; ++i) {
    if (n % i == 0 && m % i == 0) part = i;
  }
  return part;
}

}  // namespace

bool GeneralModule::is_causal(const Scope& core) const {
  return std::get<Core>(core.choice.mechanism->behaviour).always_causal ||
         !choice_.all("mask").empty() ||
         (core.knobs.contains(causal_switch) && core.flag(causal_switch));
}

Var GeneralModule::implied_map(const Weighing& weighing) {
  // The identity of each head, and the map that is as large: of too many keys there is none.
  const std::size_t n = in_.k.extent(-2), heads = std::max(matrices_in(in_.q), matrices_in(in_.k));
  if (heads * n > max_elements / n) return {};
  const Unnamed unnamed(b_.graph());
  try {
    return weighing.maps ? weighing.maps() : weighing.context(identity_like(in_.k));
  } catch (const TooLarge&) {
    return {};  // what some cores make of the identity is larger still
  }
}

void GeneralModule::output_maps(const Weighing& weighing, Var implied) {
  const std::string front =
      std::string(splits() ? "h " : "") + std::string(weighing.maps ? "dv " : "") + "m ";
  OutputKind map = out::implied, weights = out::weights;
  map.when_asked = in_.k.extent(-2) > most_keys;
  if (!weighing.probabilities) weights.numbers = NumberKind::real_number;
  const Var own = weighing.weights;
  weights.when_asked = !own && map.when_asked;
  if (own || implied) {
    weights_ = named("A", own ? own : implied);
    output(weights, weights_, front + std::string(own ? weighing.columns : "n"));
  }
  if (implied) output(map, implied, front + "n");
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
    if (record.shares_keys) ready_.k = ready_.q;
    Dimensions d = dimensions();
    d.set("p", in_.q.extent(-1));
    d.set("dx", ready_.k.extent(-1));
    d.set("dxq", (ready_.q ? ready_.q : in_.q).extent(-1));
    d.set("longer_of_m_n", std::max(in_.q.extent(-2), in_.k.extent(-2)));
    d.set("bits_below_n", std::bit_width(in_.k.extent(-2) - 1));
    d.set("divisor_near_sqrt_n", even_part(in_.q.extent(-2), in_.k.extent(-2)));
    const Scope scope = b_.enter(choice, d, record.serves_all_heads ? Family{} : family_);
    const std::size_t keys =
        record.keys_per_query.empty() ? 1 : scope.integer(record.keys_per_query);
    const CoreIn in{scope, in_.q, in_.k, is_causal(scope), ready_, keys};
    output_inputs();
    // Heads that look at the keys themselves read the mask; otherwise it is to be looked at, and may be too large.
    const Choice* heads = choice_.in("heads");
    const bool read = splits() && !only_joins(std::get<Heads>(heads->mechanism->behaviour));
    if (in.causal && (read || in.m() <= max_elements / in.n()))
      b_.output(choice_, out::mask, mask_ = let("M", in.past_pairs()), "m n");
    const Weighing weighing = record.build(in);
    context_ = weighing.context(in_.v);
    if (record.finish != nullptr) context_ = record.finish(in, context_);
    context_ = named("C", context_);
    output_maps(weighing, implied_map(weighing));
  });
  ModuleResult result{{}, in_one_row(weights_), splits() ? merged(context_) : context_, {}};
  result.output = result.context;
  const std::string axes = splits() ? "m dc" : "m dv";
  b_.output(choice_, out::context, result.context, axes);
  // What stands in the slot `output` has that name for its own.
  if (choice_.in("output") == nullptr) b_.output(choice_, out::output, result.context, axes);
  return result;
}

}  // namespace attend
