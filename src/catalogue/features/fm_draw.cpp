// SPDX-License-Identifier: Apache-2.0
// Deep recurrent attentive writer: at every step a grid reads from an image and from what is still
// missing of it, and another grid writes to a canvas c,
//   r_t = [read(X); read(X - sigmoid(c_{t-1}))],  h^e_t = cell([r_t; h^d_{t-1}], h^e_{t-1}),
//   z_t = h^e_t W_m + exp(h^e_t W_s) * draw,  h^d_t = cell(z_t, h^d_{t-1}),
//   c_t = c_{t-1} + F_Y^T (h^d_t W_p) F_X / gamma
// Gregor et al. 2015, sections 2 and 3, arXiv:1502.04623
#include "catalogue/entry.h"
#include "catalogue/parts/cells/cell.h"
#include "catalogue/parts/cells/cell_reference.h"
#include "catalogue/parts/images/gaussian_grid.h"
#include "ops/scan.h"

namespace attend::fm_draw_entry {
namespace {

// A pixel of a canvas is the chance that it is lit.
constexpr OutputKind each_canvas{"canvases", TensorRole::output, NumberKind::probability};
constexpr OutputKind last_canvas{"output", TensorRole::output, NumberKind::probability, false,
                                 MainResult::output};

// The states of a cell as states of the steps.
std::vector<Var> carried(ScanRecorder& recorder, const CellIn& cell, const char* symbol) {
  std::vector<Var> states;
  for (const Var zero : initial_states(cell)) {
    const std::string name = states.empty() ? "h" : "m";
    states.push_back(recorder.state({name + "^{" + symbol + "}_{t-1}", zero}));
  }
  return states;
}

void move_on(ScanRecorder& recorder, const std::vector<Var>& states,
             const std::vector<Var>& after) {
  for (std::size_t k = 0; k < states.size(); ++k) recorder.next(states[k], after[k]);
}

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var image = inputs["image"];  // [H W]
  const std::size_t H = image.extent(0), W = image.extent(1), N = in.integer("N");
  const std::size_t dh = *in.dimensions.get("dh"), count = in.integer("steps");
  Dimensions sizes;
  sizes.set("t", count);
  sizes.set("patch", N * N);
  const Scope sized = in.sized(sizes);
  const Var W_r = sized.param("W_r"), W_w = sized.param("W_w");      // [dh 5] [dh 5]
  const Var W_m = sized.param("W_m"), W_s = sized.param("W_s");      // [dh dz] [dh dz]
  const Var W_p = sized.param("W_p"), draws = sized.param("draws");  // [dh patch] [t dz]
  const std::size_t dz = W_m.extent(-1);
  const CellIn encoder = enter_cell(in, *in.choice.in("encoder"), 2 * N * N + dh, dh);
  const CellIn decoder = enter_cell(in, *in.choice.in("decoder"), dz, dh);
  ScanRecorder recorder(in.graph(), count);
  const Var canvas = recorder.state({"c_{t-1}", zeros(in.graph(), {H, W})});
  const std::vector<Var> reads = carried(recorder, encoder, "e"),
                         writes = carried(recorder, decoder, "d");
  const Var draw = recorder.row({"\\epsilon_t", reshape(draws, {count, 1, dz})});  // [1 dz]
  const Var missing = let("\\hat{X}_t", image - sigmoid(canvas));                  // [H W]
  const auto seen = [&](const GaussianGrid& grid, Var x) {
    const Var patch = grid.gamma * matmul(matmul(grid.filter_y, x), grid.filter_x, false, true);
    return reshape(patch, {1, N * N});
  };
  const auto grid_of = [&](const char* which, Var h, Var map) {
    const StepSuffix suffix(in.graph(), std::string("^{\\text{") + which + "}}");
    return gaussian_grid(matmul(h, map), N, H, W);
  };
  const GaussianGrid eye = grid_of("read", writes[0], W_r);
  const Var r = let("r_t", concat({seen(eye, image), seen(eye, missing)}, -1));  // [1 2NN]
  const std::vector<Var> read = step_of(encoder, concat({r, writes[0]}, -1), reads);
  const Var mean_z = matmul(read[0], W_m), spread = exp(matmul(read[0], W_s));  // [1 dz]
  const Var z = let("z_t", mean_z + spread * draw);
  const std::vector<Var> wrote = step_of(decoder, z, writes);
  const GaussianGrid hand = grid_of("write", wrote[0], W_w);
  const Var patch = let("w_t", reshape(matmul(wrote[0], W_p), {N, N}));
  const Var stroke =
      matmul(matmul(hand.filter_y, patch, true, false), hand.filter_x) / hand.gamma;  // [H W]
  const Var after = let("c_t", canvas + stroke);
  // How far the drawn code is from a standard normal one, Kullback and Leibler.
  const Var far = sum(mean_z * mean_z + spread * spread - 1 - 2 * log(spread), -1, true) * 0.5;
  recorder.next(canvas, after);
  move_on(recorder, reads, read);
  move_on(recorder, writes, wrote);
  for (const Var one : {sigmoid(after), reshape(r, {2, N, N}), wrote[0], far}) recorder.output(one);
  const Scanned all = recorder.finish();
  return {{each_canvas, all.outputs[0], "time H W"},
          {"patches", all.outputs[1], "time k:feature N:feature N:feature"},
          {out::state, reshape(all.outputs[2], {count, dh}), "t dh"},
          {out::penalty, let("L_z", sum(reshape(all.outputs[3], {count}), 0)), ""},
          {"logits", all.last[0], "H W"},
          {last_canvas, let("\\sigma(c)", sigmoid(all.last[0])), "H W"}};
}

}  // namespace

// With long short-term memories.
Arrays reference(const ReferenceIn& in) {
  const Array& image = in["image"];
  const std::size_t N = in.integer("N"), steps = in.integer("steps");
  const std::size_t H = image.rows(), W = image.cols(), dh = in.parameter("W_r").rows();
  Array canvas({H, W}), canvases({steps, H, W}), patches({steps, 2, N, N}), states({steps, dh});
  StateAndMemory reads{Row(dh, 0), Row(dh, 0)}, writes = reads;
  double penalty = 0;
  for (std::size_t t = 0; t < steps; ++t) {
    const Array missing = minus(image, activated(canvas, "sigmoid"));
    const GridByLoops eye = grid_by_loops(mapped(writes.h, in.parameter("W_r")), N, H, W);
    const Array r = beside(
        {one_row(patch_by_loops(eye, image).data), one_row(patch_by_loops(eye, missing).data)});
    put_part(patches, t, r);
    reads = lstm_by_loops(in, "encoder.", joined(r.data, writes.h), reads);
    Row z = mapped(reads.h, in.parameter("W_m"));
    const Row widths = mapped(reads.h, in.parameter("W_s"));
    for (std::size_t i = 0; i < z.size(); ++i) {
      penalty += (z[i] * z[i] + std::exp(2 * widths[i]) - 1 - 2 * widths[i]) / 2;
      z[i] += std::exp(widths[i]) * in.parameter("draws")(t, i);
    }
    writes = lstm_by_loops(in, "decoder.", z, writes);
    const GridByLoops hand = grid_by_loops(mapped(writes.h, in.parameter("W_w")), N, H, W);
    const Row patch = mapped(writes.h, in.parameter("W_p"));
    for (std::size_t b = 0; b < H; ++b) {
      for (std::size_t a = 0; a < W; ++a) {
        for (std::size_t i = 0; i < N; ++i)
          for (std::size_t j = 0; j < N; ++j)
            canvas(b, a) +=
                hand.filter_y(i, b) * patch[i * N + j] * hand.filter_x(j, a) / hand.gamma;
      }
    }
    put_part(canvases, t, activated(canvas, "sigmoid"));
    states.set(writes.h, t);
  }
  return {{"canvases", canvases},
          {"patches", patches},
          {"state", states},
          {"logits", canvas},
          {"output", activated(canvas, "sigmoid")},
          {"penalty", Array(Shape{}, penalty)}};
}

extern const Mechanism record{
    .id = "fm-draw",
    .parameters = {{"W_r", "dh 5"},
                   {"W_w", "dh 5"},
                   {"W_m", "dh dz"},
                   {"W_s", "dh dz"},
                   {"W_p", "dh patch"},
                   {"draws", "t dz", Distribution::normal}},
    .knobs = {integer_knob("N", 4., 1, 12).at_least(1),
              integer_knob("steps", 5., 1, 16).at_least(1), size_knob("hidden", "dh", 8., 1, 256),
              size_knob("width", "dz", 4., 1, 64)},
    .roles = {{"image", "H W"}},
    .slots = {{"encoder", Kind::cell, "lstm"}, {"decoder", Kind::cell, "lstm"}},
    .laws = {.permutation = false},
    .example = R"("N": 2, "steps": 3)",
    .extents = {{"H", 5}, {"W", 6}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::fm_draw_entry
