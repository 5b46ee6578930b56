// SPDX-License-Identifier: Apache-2.0
// Bidirectional recurrent features: F = [forward states ; backward states]
// Schuster, Paliwal 1997; Bahdanau, Cho, Bengio 2015, appendix A.2.1, arXiv:1409.0473
#include "catalogue/entry.h"
#include "catalogue/parts/cells/cell.h"
#include "catalogue/parts/cells/cell_reference.h"

namespace attend::fm_birnn_entry {
namespace {

// The module's cell with the parameters of one direction, a part of the module.
CellRun run(const Scope& in, Var x, bool backward) {
  Choice choice = *in.choice.in("cell");
  choice.prefix = in.choice.prefix + in.part;
  const CellIn cell = enter_cell(in, choice, x.extent(-1), in.dimensions.get("dh"));
  const StepSuffix suffix(in.graph(), "\\;(\\text{" + in.part.substr(0, in.part.size() - 1) + "})");
  return run_cell(cell, x, {}, backward);
}

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"];  // [n dx]
  in.label("n", x);
  const CellRun forward = run(in.child("forward"), x, false),
                backward = run(in.child("backward"), x, true);
  return {{out::output, let("H", concat({forward.output, backward.output}, -1)), "n d"},
          {"last", concat({forward.last[0], backward.last[0]}, -1), "1 d"}};
}

}  // namespace

// The gated recurrent unit by plain loops, one direction.
Arrays reference(const ReferenceIn& in) {
  const Array forward = gru_states_by_loops(in, "forward.", in["x"]),
              backward = gru_states_by_loops(in, "backward.", in["x"], true);
  const std::size_t n = forward.rows();
  return {{"output", beside({forward, backward})},
          {"last", beside({rows_from_to(forward, n - 1, n), rows_from_to(backward, 0, 1)})}};
}

extern const Mechanism record{.id = "fm-birnn",
                              .knobs = {hidden_knob()},
                              .roles = {{"x", "n dx"}},
                              .slots = {{"cell", Kind::cell, "gru"}},
                              .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::fm_birnn_entry
