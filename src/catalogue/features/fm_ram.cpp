// SPDX-License-Identifier: Apache-2.0
// Recurrent attention model: glimpse after glimpse, each at the place that the one before has led to,
//   u_t = relu(rho(X, l_t) W_rho + b_rho),  w_t = relu(l_t W_at + b_at),
//   g_t = relu(u_t W_what + w_t W_where + b_g),  h_t = cell(g_t, h_{t-1}),
//   l_{t+1} = h_t W_l + b_l + s z_t,  z_t from a normal distribution
// Mnih et al. 2014, section 4, arXiv:1406.6247
#include "catalogue/entry.h"
#include "catalogue/parts/cells/cell.h"
#include "catalogue/parts/images/glimpse.h"
#include "catalogue/steps_around.h"

namespace attend::fm_ram_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var image = inputs["image"];  // [H W]
  const std::size_t k = in.integer("k"), g = in.integer("g"), count = in.integer("steps");
  Dimensions sizes;
  sizes.set("t", count);
  sizes.set("seen", k * g * g);
  const Scope wide = in.sized(sizes);
  const Var W_rho = wide.param("W_rho"), b_rho = wide.param("b_rho");        // [seen da] [1 da]
  const Var W_at = wide.param("W_at"), b_at = wide.param("b_at");            // [2 da] [1 da]
  const Var W_what = wide.param("W_what"), W_where = wide.param("W_where");  // [da dg] [da dg]
  const Var b_g = wide.param("b_g");                                         // [1 dg]
  const CellIn cell =
      enter_cell(in, *in.choice.in("cell"), b_g.extent(-1), in.dimensions.get("dh"));
  const std::vector<Var> zero = initial_states(cell);
  sizes.set("dh", zero[0].extent(-1));
  const Scope sized = in.sized(sizes);
  const Var W_l = sized.param("W_l"), b_l = sized.param("b_l");  // [dh 2] [1 2]
  const Var draws = sized.param("z");                            // [t 2]
  ScanRecorder recorder(in.graph(), count);
  const Var place = recorder.state({"l_t", sized.param("start")});  // [1 2]
  std::vector<Var> states;
  for (std::size_t i = 0; i < zero.size(); ++i)
    states.push_back(recorder.state({i == 0 ? "h_{t-1}" : "c_{t-1}", zero[i]}));
  const Var z = recorder.row({"z_t", reshape(draws, {count, 1, 2})});  // [1 2]
  const Glimpse seen = glimpse(image, place, k, g);
  const Var crops = let("\\rho_t", seen.crops);  // [k g g]
  const Var what = let("u_t", relu(matmul(reshape(crops, {1, k * g * g}), W_rho) + b_rho));
  const Var there = let("w_t", relu(matmul(place, W_at) + b_at));                          // [1 da]
  const Var felt = let("g_t", relu(matmul(what, W_what) + matmul(there, W_where) + b_g));  // [1 dg]
  const std::vector<Var> after = step_of(cell, felt, states);
  recorder.next(place, matmul(after[0], W_l) + b_l + in.scalar("s") * z);
  for (std::size_t i = 0; i < states.size(); ++i) recorder.next(states[i], after[i]);
  for (const Var one : {place, seen.centre, crops, after[0]}) recorder.output(one);
  const Scanned all = recorder.finish();
  return {{"location", let("L", all_rows(all.outputs[0])), "t d"},
          // In pixels of the image, so that the page can draw the track on it.
          {"centre", all_rows(all.outputs[1]), "t 2"},
          {"glimpses", all.outputs[2], "time k:feature g:feature g:feature"},
          {out::output, let("H", all_rows(all.outputs[3])), "t dh"},
          {"last", all.last[1], "1 dh"}};
}

}  // namespace

// With the plain recurrent cell.
Arrays reference(const ReferenceIn& in) {
  const long k = long(in.number("k")), g = long(in.number("g"));
  const std::size_t steps = std::size_t(in.number("steps")), width = in.parameter("W_l").rows();
  Array places({steps, 2}), glimpses({steps, std::size_t(k), std::size_t(g), std::size_t(g)});
  Array output({steps, width});
  Row place = in.parameter("start").data, h(width, 0);
  for (std::size_t t = 0; t < steps; ++t) {
    const Array crops = glimpse_by_loops(in["image"], place[0], place[1], k, g);
    const Row& pixels = crops.data;
    put_part(glimpses, t, crops);
    Row felt = in.parameter("b_g").data;
    const auto add = [&](const Row& x, const char* W, const char* b, const char* joined) {
      const Array seen = activated(affine(one_row(x), in.parameter(W), in.parameter(b)), "relu");
      felt = plus(felt, mapped(seen.data, in.parameter(joined)));
    };
    add(pixels, "W_rho", "b_rho", "W_what");
    add(place, "W_at", "b_at", "W_where");
    for (double& one : felt) one = std::max(one, 0.0);
    const Row own = mapped(felt, in.parameter("cell.W")), past = mapped(h, in.parameter("cell.U"));
    h = activated(one_row(plus(plus(own, past), in.parameter("cell.b").data)), "tanh").data;
    output.set(h, t);
    places.set(place, t);
    place = plus(plus(mapped(h, in.parameter("W_l")), in.parameter("b_l").data),
                 in.parameter("z").row(t), in.number("s"));
  }
  return {{"location", places}, {"glimpses", glimpses}, {"output", output}, {"last", one_row(h)}};
}

extern const Mechanism record{
    .id = "fm-ram",
    .parameters = {{"W_rho", "seen da"},
                   {"b_rho", "da", Distribution::zero},
                   {"W_at", "2 da"},
                   {"b_at", "da", Distribution::zero},
                   {"W_what", "da dg"},
                   {"W_where", "da dg"},
                   {"b_g", "dg", Distribution::zero},
                   {"W_l", "dh 2"},
                   {"b_l", "2", Distribution::zero},
                   {"z", "t 2", Distribution::normal},
                   {"start", "2", Distribution::zero}},
    .symbols = {{"da", "ceil(dg/2)"}},
    .knobs = {integer_knob("k", 3., 1, 6).at_least(1), integer_knob("g", 4., 1, 32).at_least(1),
              integer_knob("steps", 6., 1, 16).at_least(1), number_knob("s", .1, 0, 1).at_least(0),
              size_knob("width", "dg", 8., 1, 256), hidden_knob()},
    .roles = {{"image", "H W"}},
    .slots = {{"cell", Kind::cell, "rnn"}},
    .laws = {.permutation = false},
    .example = R"("k": 2, "g": 3, "steps": 3)",
    .extents = {{"H", 7}, {"W", 6}},
    .differentiable = false,
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::fm_ram_entry
