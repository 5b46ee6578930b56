// SPDX-License-Identifier: Apache-2.0
// Heads: split before the scores, merged after the contexts.
#include "assembly/attention/stages.h"
#include "catalogue/parts/heads/shared_keys.h"

namespace attend::stages {

// The family axis is part of the shapes of their parameters.
Scope scope_of_heads(const Module& module, const Flow& flow) {
  const Choice& heads = *module.choice.in("heads");
  Dimensions d = flow.before_heads;
  if (const std::string_view list = module.alignment_of_each_head();
      !list.empty() && !heads.all(list).empty())
    d.set("h", heads.all(list).size());
  Family outer = flow.family;
  outer.heads = 0;
  return module.assembler.enter(heads, d, outer);
}

Flow split_heads(const Module& module, Flow flow) {
  if (!module.splits()) return flow;
  return within(*module.choice.in("heads"), [&] {
    if (!flow.in.q) refuse("heads project queries, but this module reads none");
    const HeadsIn in{scope_of_heads(module, flow), flow.whole, {}};
    flow.in = module.heads()->split(in, flow.in);
    flow.in.memory = flow.whole.memory;
    flow.family.heads = flow.in.q.extent(0);
    flow.projected = flow.in;
    return flow;
  });
}

Flow share_keys(const Module& module, Flow flow) {
  // Of several streams a head the values have the heads' number, queries and keys that of the streams.
  if (!module.splits() || module.heads()->streams) return flow;
  const std::size_t count = flow.in.q.extent(0), key_heads = flow.in.k.extent(0);
  if (count % key_heads != 0 || flow.in.v.extent(0) != key_heads) {
    refuse(module.choice.in("heads")->path,
           std::to_string(count) + " query heads cannot share " + std::to_string(key_heads) +
               " key heads and " + std::to_string(flow.in.v.extent(0)) +
               " value heads evenly; use as many key heads as value heads, and let this number "
               "divide the number of query heads");
  }
  flow.family.key_heads = key_heads;
  for (Var* rows : {&flow.in.q, &flow.in.k, &flow.in.v, &flow.projected.q, &flow.projected.k})
    *rows = in_groups(*rows, flow.family, 0);
  return flow;
}

Var mixed_scores(const Module& module, const Flow& flow, Var scores) {
  const Heads* heads = module.heads();
  if (heads == nullptr || heads->scores == nullptr) return scores;
  // A score without parameters for each head is the same in all of them.
  scores = broadcast_to(scores, broadcast_shapes(scores.shape(), {flow.family.heads, 1, 1}));
  return within(*module.choice.in("heads"), [&] {
    return heads->scores({scope_of_heads(module, flow), flow.whole, {}}, scores);
  });
}

Flow with_stream_values(const Module& module, Flow flow) {
  const Heads* heads = module.heads();
  if (heads == nullptr || heads->contexts == nullptr || flow.scores.rank() != 3 || flow.rows)
    return flow;
  const Var v = flow.in.v;  // [h n dv]
  const std::size_t count = v.extent(0), streams = flow.family.heads / count, n = v.extent(1);
  const Var of_each = broadcast_to(expand(v, 1), {count, streams, n, v.extent(2)});
  flow.stream_values = reshape(of_each, {count * streams, n, v.extent(2)});
  return flow;
}

namespace {
// [h*s n p] -> [h n s*p]: the streams of each head side by side.
Var side_by_side(Var x, std::size_t heads) {
  const std::size_t streams = x.extent(0) / heads, n = x.extent(1), p = x.extent(2);
  const Var apart = permute(reshape(x, {heads, streams, n, p}), {0, 2, 1, 3});
  return reshape(apart, {heads, n, streams * p});
}

// [h*s n p] -> [h n p]: the first stream of each head.
Var first_of_each(Var x, std::size_t heads) {
  const std::size_t streams = x.extent(0) / heads, n = x.extent(1), p = x.extent(2);
  return squeeze(slice(reshape(x, {heads, streams, n, p}), 1, 0, 1), 1);
}
}  // namespace

Flow with_joined_weights(const Module& module, Flow flow, Var weights) {
  flow.weights = weights;
  const Heads* heads = module.heads();
  if (heads == nullptr || heads->weights == nullptr) return flow;
  if (flow.stream_values) flow.stream_weights = weights;
  flow.weights = within(*module.choice.in("heads"), [&] {
    return heads->weights({scope_of_heads(module, flow), flow.whole, flow.mask}, weights);
  });
  if (!heads->streams) return flow;
  // From here on a head is one: its query and its key are those of its streams, side by side.
  flow.streams = flow.family.heads / flow.in.v.extent(0);
  flow.family.heads = flow.in.v.extent(0);
  for (Var* rows : {&flow.in.q, &flow.in.k, &flow.projected.q, &flow.projected.k}) {
    if (*rows)
      *rows = side_by_side(*rows, flow.family.heads);  // none where a score has rows of its own
  }
  return flow;
}

Flow with_finished_heads(const Module& module, Flow flow) {
  const Heads* heads = module.heads();
  if (heads == nullptr || heads->heads == nullptr) return flow;
  const std::size_t streams = flow.family.heads;
  flow.context = within(*module.choice.in("heads"), [&] {
    return heads->heads({scope_of_heads(module, flow), flow.whole, flow.mask},
                        flow.in_one_row(flow.context));
  });
  const std::size_t count = flow.context.extent(0);
  if (count == streams) return flow;
  // One head was made of several streams, and its query is that of the first.
  for (Var* rows : {&flow.in.q, &flow.projected.q}) {
    if (*rows) *rows = first_of_each(flow.in_one_row(*rows), count);
  }
  flow.family.heads = count;
  flow.family.key_heads = 0;
  return flow;
}

Var merged(const Module& module, const Flow& flow, Var heads) {
  heads = flow.in_one_row(heads);
  return within(*module.choice.in("heads"), [&] {
    const HeadsIn in{scope_of_heads(module, flow), flow.whole, flow.mask, flow.causal};
    module.assembler.output(module.choice, out::heads, heads, "h m pv");
    return let("O", module.heads()->merge(in, heads));
  });
}

}  // namespace attend::stages
