// SPDX-License-Identifier: Apache-2.0
// Neural Turing machine: a controller that writes into a memory by gates, and reads from it,
//   h_t = cell([x_t; r_{t-1}], h_{t-1});  each head: k, beta, g, s, gamma from h_t,
//   w = address(softmax(beta cos(k, M)), w_{t-1}; g, s, gamma),
//   M_t = M_{t-1} * (1 - w_w^T e) + w_w^T a,  r_t = w_r M_t
// Graves, Wayne, Danihelka 2014, section 3, arXiv:1410.5401
#include "catalogue/entry.h"
#include "catalogue/modules.h"
#include "catalogue/parts/cells/cell.h"
#include "catalogue/parts/cells/cell_reference.h"
#include "catalogue/parts/cells/tape.h"
#include "catalogue/steps_around.h"

namespace attend::fm_ntm_entry {
namespace {

// The numbers that move a head, behind its key: beta, g, three of s, gamma.
constexpr std::size_t moves = 6;

struct Head {
  Var weights;  // [1 n], where it stands
  Var rest;     // [1 ..], what it says besides
};

// Where a head goes that says `says` [1 d+6..] about the memory [n d] and stood at `before` [1 n].
Head moved(const Scope& in, Var says, Var memory, Var before) {
  const std::size_t d = memory.extent(-1);
  const auto part = [&](std::size_t from, std::size_t to) { return slice(says, -1, from, to); };
  const Var beta = activation("softplus", part(d, d + 1));
  const Var content =
      let("w^c", softmax(beta * affinity(in, let("k", part(0, d)), memory)));  // [1 n]
  const HeadMove move{sigmoid(part(d + 1, d + 2)), softmax(part(d + 2, d + 5)),
                      activation("softplus", part(d + 5, d + moves)) + 1};
  return {let("w", moved_head(content, before, move)), part(d + moves, says.extent(-1))};
}

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var x = inputs["x"], given = inputs.find("memory");  // [t dx] [n d]
  const Var start = given ? given : in.param("M_0");
  const std::size_t steps = x.extent(0), n = start.extent(0), d = start.extent(-1);
  in.label("t", x);
  if (given) in.label("n", given);
  const CellIn cell =
      enter_cell(in, *in.choice.in("cell"), x.extent(-1) + d, in.dimensions.get("dh"));
  const std::vector<Var> zero = initial_states(cell);
  Dimensions sizes;
  sizes.set("d", d);
  sizes.set("dh", zero[0].extent(-1));
  const Scope sized = in.sized(sizes);
  const Var W_r = sized.param("W_r"), b_r = sized.param("b_r");             // [dh d+6]
  const Var W_w = sized.param("W_w"), b_w = sized.param("b_w");             // [dh 3d+6]
  const Var first = equal(iota(in.graph(), n), zeros(in.graph(), {1, 1}));  // [1 n], at place 0
  ScanRecorder recorder(in.graph(), steps);
  const Var memory = recorder.state({"M_{t-1}", start});
  const Var read = recorder.state({"r_{t-1}", zeros(in.graph(), {1, d})});
  const Var reader = recorder.state({"w_{t-1}", first}),
            writer = recorder.state({"w^{w}_{t-1}", first});
  std::vector<Var> states;
  for (std::size_t k = 0; k < zero.size(); ++k)
    states.push_back(recorder.state({k == 0 ? "h_{t-1}" : "c_{t-1}", zero[k]}));
  const Var x_t = recorder.row({"x_t", reshape(x, {steps, 1, x.extent(-1)})});  // [1 dx]
  const std::vector<Var> after = step_of(cell, concat({x_t, read}, -1), states);
  const auto writes = [&] {
    const StepSuffix suffix(in.graph(), "^{\\text{write}}");
    return moved(in, matmul(after[0], W_w) + b_w, memory, writer);
  }();
  const Var erase = let("e_t", sigmoid(slice(writes.rest, -1, 0, d)));  // [1 d]
  const Var add = let("a_t", slice(writes.rest, -1, d, 2 * d));         // [1 d]
  const Var by = transpose(writes.weights);                             // [n 1]
  const Var written = let("M_t", memory * (1 - by * erase) + by * add);
  const Head reads = moved(in, matmul(after[0], W_r) + b_r, written, reader);
  const Var r = let("r_t", matmul(reads.weights, written));  // [1 d]
  recorder.next(memory, written);
  recorder.next(read, r);
  recorder.next(reader, reads.weights);
  recorder.next(writer, writes.weights);
  for (std::size_t k = 0; k < states.size(); ++k) recorder.next(states[k], after[k]);
  for (const Var one : {writes.weights, reads.weights, r, after[0]}) recorder.output(one);
  const Scanned all = recorder.finish();
  const Var by_writer = let("A^{\\text{write}}", all_rows(all.outputs[0]));
  const Var by_reader = let("A", all_rows(all.outputs[1]));
  const Var rows = all_rows(all.outputs[2]), shown = all_rows(all.outputs[3]);
  return {{out::weights.as("written"), by_writer, "t n"},
          {out::weights, by_reader, "t n"},
          {out::context, let("R", rows), "t d"},
          {out::output, let("[h; r]", concat({shown, rows}, -1)), "t o:feature"},
          {OutputKind{"memory", TensorRole::state}, all.last[0], "n d"}};
}

// One head by loops, with the cosine: its weights, from what it says, the memory and where it stood.
Row placed(const Row& says, const Array& memory, const Row& before) {
  const std::size_t d = memory.cols(), n = memory.rows();
  const Row key(says.begin(), says.begin() + static_cast<long>(d));
  const double beta = std::log1p(std::exp(says[d])), g = activate("sigmoid", says[d + 1]);
  const double gamma = 1 + std::log1p(std::exp(says[d + 5]));
  Row e(n);
  for (std::size_t j = 0; j < n; ++j) {
    const Row cell = memory.row(j);
    e[j] = beta * inner(key, cell) / (std::sqrt(inner(key, key) * inner(cell, cell)) + 1e-12);
  }
  const auto all = [](std::size_t) { return true; };
  const Row content = soft(e, all);
  const Row shift = soft({says[d + 2], says[d + 3], says[d + 4]}, all);
  Row w(n, 0);
  double total = 0;
  for (std::size_t j = 0; j < n; ++j) {
    for (std::size_t k = 0; k < 3; ++k)
      w[(j + n + k - 1) % n] += (g * content[j] + (1 - g) * before[j]) * shift[k];
  }
  for (double& one : w) total += one = std::pow(one, gamma);
  for (double& one : w) one /= total;
  return w;
}

}  // namespace

// With the long short-term memory as the controller.
Arrays reference(const ReferenceIn& in) {
  const Array& x = in["x"];
  const auto says = [&](const Row& h, const char* W, const char* b) {
    return plus(mapped(h, in.parameter(W)), in.parameter(b).data);
  };
  // By its full name: the result is called memory, too.
  Array memory = in.has("inputs.memory") ? in["inputs.memory"] : in.parameter("M_0");
  const std::size_t n = memory.rows(), d = memory.cols(), T = x.rows();
  const std::size_t dh = in.parameter("cell.b").cols() / 4;
  Array written({T, n}), weights({T, n}), context({T, d}), output({T, dh + d});
  StateAndMemory state{Row(dh, 0), Row(dh, 0)};
  Row r(d, 0), reader(n, 0), writer(n, 0);
  reader[0] = writer[0] = 1;
  for (std::size_t t = 0; t < T; ++t) {
    state = lstm_by_loops(in, "cell.", joined(x.row(t), r), state);
    const Row write = says(state.h, "W_w", "b_w");
    writer = placed(write, memory, writer);
    memory = table_by(n, d, [&](std::size_t j, std::size_t u) {
      const double e = activate("sigmoid", write[d + moves + u]), a = write[2 * d + moves + u];
      return memory(j, u) * (1 - writer[j] * e) + writer[j] * a;
    });
    reader = placed(says(state.h, "W_r", "b_r"), memory, reader);
    r = mapped(reader, memory);
    context.set(r, t);
    output.set(joined(state.h, r), t);
    weights.set(reader, t);
    written.set(writer, t);
  }
  return {{"written", written},
          {"weights", weights},
          {"context", context},
          {"output", output},
          {"memory", memory}};
}

extern const Mechanism record{
    .id = "fm-ntm",
    .parameters = {{"M_0", "n d"},
                   {"W_r", "dh d+6"},
                   {"b_r", "d+6", Distribution::zero},
                   {"W_w", "dh 3d+6"},
                   {"b_w", "3d+6", Distribution::zero}},
    .knobs = {hidden_knob(), size_knob("cells", "n", 6., 2, 64),
              size_knob("width", "d", 6., 1, 64)},
    .roles = {{"x", "t dx"}, {"memory", "n d", false}},
    .slots = {{"cell", Kind::cell, "lstm"}, affinity_slot("similarity-cosine")},
    .laws = {.permutation = false},
    .coordinates = {{"alignment", "global"}, {"type", "basic"}},
    .behaviour = Structure{.build = build, .sized = true}};
}  // namespace attend::fm_ntm_entry
