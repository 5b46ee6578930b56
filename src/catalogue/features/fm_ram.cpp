// SPDX-License-Identifier: Apache-2.0
// Recurrent attention model: glimpse after glimpse, each at the place that the one before has led to,
//   g_t = relu([rho(X, l_t); l_t] W_g + b_g),  h_t = cell(g_t, h_{t-1}),
//   l_{t+1} = tanh(h_t W_l + b_l) + s z_t,  z_t from a normal distribution
// Mnih et al. 2014, arXiv:1406.6247
#include <vector>

#include "catalogue/cell.h"
#include "catalogue/entry.h"
#include "catalogue/glimpse.h"
#include "catalogue/slots.h"
#include "catalogue/steps_around.h"

namespace attend {
namespace {

void build(const ModuleIn& module) {
  const ModuleIn in{module.sized()};
  const Var image = in["image"];  // [H W]
  const std::size_t k = in.integer("k"), g = in.integer("g"), count = in.integer("steps");
  Dimensions sizes;
  sizes.set("t", count);
  sizes.set("seen", k * g * g + 2);
  const Scope wide = in.sized(sizes);
  const Var W_g = wide.param("W_g"), b_g = wide.param("b_g");  // [seen dg] [1 dg]
  const CellIn cell =
      enter_cell(in, *in.choice.in("cell"), W_g.extent(-1), in.dimensions.get("dh"));
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
  const Var said = concat({reshape(crops, {1, k * g * g}), place}, -1);
  const Var felt = let("g_t", relu(matmul(said, W_g) + b_g));  // [1 dg]
  const std::vector<Var> after = step_of(cell, felt, states);
  recorder.next(place, tanh(matmul(after[0], W_l) + b_l) + in.scalar("s") * z);
  for (std::size_t i = 0; i < states.size(); ++i) recorder.next(states[i], after[i]);
  for (const Var one : {place, seen.centre, crops, after[0]}) recorder.output(one);
  const Scanned all = recorder.finish();
  in.output("location", let("L", all_rows(all.outputs[0])), "t d");
  // In pixels of the image, so that the page can draw the track on it.
  in.output("centre", all_rows(all.outputs[1]), "t 2");
  in.output("glimpses", all.outputs[2], "time k g g");
  in.output(out::output, let("H", all_rows(all.outputs[3])), "t dh");
  in.output("last", all.last[1], "1 dh");
}

// With the plain recurrent cell.
Arrays reference(const ReferenceIn& in) {
  const long k = long(in.number("k")), g = long(in.number("g"));
  const std::size_t steps = std::size_t(in.number("steps")), width = in.parameter("W_l").rows();
  Array places({steps, 2}), glimpses({steps, std::size_t(k), std::size_t(g), std::size_t(g)});
  Array output({steps, width}), last({1, width});
  Row place = in.parameter("start").data, h(width, 0);
  for (std::size_t t = 0; t < steps; ++t) {
    const Array crops = glimpse_by_loops(in["image"], place[0], place[1], k, g);
    Row said = crops.data;
    for (std::size_t i = 0; i < said.size(); ++i) glimpses.data[t * said.size() + i] = said[i];
    said.insert(said.end(), place.begin(), place.end());
    Row felt = mapped(said, in.parameter("W_g"));
    for (std::size_t i = 0; i < felt.size(); ++i)
      felt[i] = activate("relu", felt[i] + in.parameter("b_g")(i));
    const Row own = mapped(felt, in.parameter("cell.W")), past = mapped(h, in.parameter("cell.U"));
    for (std::size_t i = 0; i < width; ++i)
      output(t, i) = last(0, i) = activate("tanh", own[i] + past[i] + in.parameter("cell.b")(i));
    h = output.row(t);
    const Row next = mapped(h, in.parameter("W_l"));
    for (std::size_t i = 0; i < 2; ++i) {
      places(t, i) = place[i];
      place[i] = activate("tanh", next[i] + in.parameter("b_l")(i)) +
                 in.number("s") * in.parameter("z")(t, i);
    }
  }
  return {{"location", places}, {"glimpses", glimpses}, {"output", output}, {"last", last}};
}

}  // namespace

namespace catalogue {
extern const Entry fm_ram_entry;
const Entry fm_ram_entry{
    .words =
        {.title = "A track of glimpses",
         .formula =
             R"(g_t = \operatorname{relu}([\rho(X, l_t); l_t]\,W_g + b_g),\quad h_t = \operatorname{cell}(g_t, h_{t-1}),\quad l_{t+1} = \tanh(h_t W_l + b_l) + s\,z_t)",
         .sentence =
             "An eye sees a little of an image at a time: what it has seen so far says where it looks "
             "next, give or take a little chance.",
         .note =
             "Places are (row, column) from -1 to 1; what is outside of the image is 0. With s 0 "
             "nothing is left to chance.",
         .source = {"Mnih et al.", 2014, "the recurrent attention model",
                    "https://arxiv.org/abs/1406.6247"},
         .learns =
             "Where a glimpse is cut out has no gradient: the paper rewards tracks that led to "
             "the right answer."},
    .record = {.id = "fm-ram",
               .parameters = {{"W_g", "seen dg"},
                              {"b_g", "dg", Distribution::zero},
                              {"W_l", "dh 2"},
                              {"b_l", "2", Distribution::zero},
                              {"z", "t 2", Distribution::normal},
                              {"start", "2", Distribution::zero}},
               .knobs = {integer_knob("k", "Crops k", 3., 1, 6).at_least(1),
                         integer_knob("g", "Side of a crop g", 4., 1, 32).at_least(1),
                         integer_knob("steps", "Glimpses", 6., 1, 16).at_least(1),
                         number_knob("s", "Chance s", .1, 0, 1).at_least(0),
                         size_knob("width", "Width of a glimpse", "dg", 8., 1, 256),
                         hidden_knob("States")},
               .roles = {{"image", "H W"}},
               .slots = {{"cell", "Cell", "General", Kind::cell, "rnn"}},
               .laws = {.permutation = false},
               .example = R"("k": 2, "g": 3, "steps": 3)",
               .extents = {{"H", 7}, {"W", 6}},
               .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
