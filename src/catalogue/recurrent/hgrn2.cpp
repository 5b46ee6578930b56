// SPDX-License-Identifier: Apache-2.0
// HGRN2: what a feature forgets is what it writes, and no key is read.
//   S_t = diag(f_t) S_{t-1} + (1 - f_t)^T v_t,  o_t = scale act(q_t) S_t;
//   f is given, or comes from the token:  f_t = lower + (1 - lower) sigmoid(x_t W_f + b_f)
// Qin et al. 2024, arXiv:2404.07904
#include "catalogue/entry.h"
#include "catalogue/parts/cores/recurrent_memory.h"
#include "catalogue/parts/cores/transitions.h"

namespace attend::hgrn2_entry {
namespace {

Weighing build(const CoreIn& in) {
  need_tokens(in);
  const Var lower = in.scalar("lower");
  const Var f = let("f", gate(in, "f", [=](Var x) {  // [.. n p]
                      return lower + (1 - lower) * sigmoid(x);
                    }));
  const Var query = activated(in, in.q) * in.scalar("scale");
  return remembering(in, {.query = query, .key = 1 - f, .decay = f, .chunk = in.integer("chunk")});
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const std::size_t p = in["query"].cols();
  const Array f = loops::gates(in, "f", p, [&](double x) {
    return in.number("lower") + (1 - in.number("lower")) * loops::logistic(x);
  });
  return loops::by_transitions(
      in, {.read =
               [&](std::size_t i) {
                 const Array q = activated(one_row(in["query"].row(i)), in.text("act"));
                 return times(q.data, in.number("scale"));
               },
           .write = [&](std::size_t j) { return plus(Row(p, 1), f.row(j), -1); },
           .carry = [&](std::size_t t, const Row& x) { return times(x, f.row(t)); }});
}

extern const Mechanism record{
    .id = "hgrn2",
    .aliases = {"hgrn-2"},
    .parameters = {{"f", "n p", Distribution::half},
                   {"W_f", "dx p"},
                   {"b_f", "p", Distribution::zero}},
    .knobs = {gates_knob, number_knob("lower", 0., 0, 1).at_least(0).at_most(1), delta_act_knob,
              chunk_knob, number_knob("scale", 1., .05, 2)},
    .roles = core_roles,
    .laws = {.rows_sum_to_one = false, .permutation = false},
    .coordinates = core_coordinates,
    .extents = {{"m", 5}},
    .behaviour = Core{.build = build, .masks = causal_mask, .always_causal = true}};
}  // namespace attend::hgrn2_entry
