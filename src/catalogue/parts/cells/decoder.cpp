// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/cells/decoder.h"

#include "catalogue/penalties.h"
#include "catalogue/steps_around.h"
#include "catalogue/vocabulary.h"
#include "ops/scan.h"
#include "ops/unnamed.h"

namespace attend {
namespace {

// One step's tokens: given (teacher forcing) or the decoder's own.
class Decoder {
 public:
  Decoder(const Scope& module, const Tensors& inputs,
          const std::function<Look(const Scope&, Var)>& looks)
      : module_(module),
        greedy_(module.text("feed") == "greedy"),
        before_(module.text("asks") == "before"),
        feeds_readout_(module.flag("input-feeding")),
        target_(greedy_ ? Var{} : module.need("target")),
        tokens_(greedy_ ? std::vector<std::string>{} : tokens_at(module, "target")),
        words_(module, tokens_),
        memory_(inputs["memory"]),
        initial_(inputs.find("initial") ? inputs["initial"] : mean(memory_, -2, true)),
        in_(sized()),
        look_(looks(in_, initial_)) {
    if (greedy_ && !module.has("vocabulary"))
      refuse(module.choice.path + "/vocabulary",
             "greedy decoding reads no target: give the vocabulary");
  }

  Tensors run() {
    const std::size_t steps = greedy_ ? module_.integer("steps") : tokens_.size();
    if (!greedy_) module_.label("t", target_);
    module_.label("n", memory_);
    const std::size_t fed_context = !before_ && feeds_readout_ ? context_width(steps) : 0;
    ScanRecorder recorder(in_.graph(), steps);
    around_.emplace(steps_of(in_.graph(), recorder, steps));
    const Var first =
        let("s_0", tanh(matmul(initial_, in_.param("W_0")) + in_.param("b_0")));  // [1 dh]
    std::vector<Var> states{recorder.state({"s_{t-1}", first})};
    Seen seen;
    if (before_) seen = look(states[0]);
    const std::size_t context = before_ ? seen.context.extent(-1) : fed_context;
    const std::size_t e = *in_.dimensions.get("e"), dh = first.extent(-1);
    const bool feeds_context = module_.text("feeds") == "context";
    const std::size_t fed_width = feeds_context ? context : read_width(dh, context);
    const CellIn cell = enter_cell(in_, *module_.choice.in("cell"),
                                   e + (before_          ? context
                                        : feeds_readout_ ? fed_width
                                                         : 0),
                                   dh);
    const std::vector<Var> begun = begin(cell);  // of an lstm the memory behind the state
    for (std::size_t k = 1; k < begun.size(); ++k)
      states.push_back(recorder.state({"c_{t-1}", begun[k]}));
    const Var word = said_before(recorder);  // [1 v]
    const Var alive = greedy_ ? recorder.state({"\\text{on}", ones(in_.graph(), {1, 1})}) : Var{};
    const Var y = let("y_{t-1}", matmul(word, in_.param("E")));  // [1 e]
    const Var fed =
        feeds_readout_ ? recorder.state({"r_{t-1}", zeros(in_.graph(), {1, fed_width})}) : Var{};

    const Var x = before_ ? concat({y, seen.context}, -1) : fed ? concat({y, fed}, -1) : y;
    const std::vector<Var> after = step_of(cell, x, states);
    if (!before_) seen = look(after[0]);
    for (std::size_t k = 0; k < states.size(); ++k) recorder.next(states[k], after[k]);
    const auto [r, logits] = readout(after[0], seen.context, y);
    if (fed) recorder.next(fed, feeds_context ? seen.context : r);
    const Var best = argmax(logits, -1, true);  // [1 1]
    if (greedy_) {
      recorder.next(word, one_hot(reshape(best, {1}), words_.size()));
      recorder.next(alive,
                    alive * (1 - equal(best, scalar(best, static_cast<double>(WordList::end)))));
    }
    const auto shown = [&](Var value) { recorder.output(greedy_ ? value * alive : value); };
    shown(after[0]);
    shown(seen.context);
    shown(logits);
    shown(best);
    std::vector<OutputKind> more;
    const auto given = [&](OutputKind kind, Var value) {
      if (!value) return;
      shown(value);
      more.push_back(kind);
    };
    given(out::query, seen.query);
    given(out::scores, seen.scores);
    given(out::weights, seen.weights);
    return Tensors{{out::key, seen.key, "n dk"}, {out::value, seen.value, "n dv"}} +
           results(recorder.finish(), steps, more);
  }

 private:
  // The decoder's scope with the sizes known so far.
  [[nodiscard]] Scope sized(Dimensions more = {}) const {
    more.set("v", words_.size());
    more.set("d0", initial_.extent(-1));
    return module_.sized(more);
  }

  // What the cell keeps before the first step; the state is replaced by the first one.
  [[nodiscard]] std::vector<Var> begin(const CellIn& cell) const {
    std::vector<Var> states = initial_states(cell);
    if (module_.text("first-memory") == "zeros") return states;
    if (states.size() < 2)
      refuse(module_.choice.path + "/first-memory", "this cell has a state but no memory");
    states[1] = let("c_0", tanh(matmul(initial_, in_.param("W_m")) + in_.param("b_m")));  // [1 dh]
    return states;
  }

  // The context's width: that of what is seen from a state of zeros, in steps that are recorded only to know it.
  [[nodiscard]] std::size_t context_width(std::size_t steps) const {
    const Unnamed unnamed(in_.graph());  // what the trial leaves outside of its steps
    ScanRecorder trial(in_.graph(), steps);
    Steps steps_of_trial = steps_of(in_.graph(), trial, steps);
    const StepsAround around(in_.assembler, steps_of_trial);
    return look_(zeros(in_.graph(), {1, *in_.dimensions.get("dh")})).context.extent(-1);
  }

  // The token that the step reads, as a row of zeros and a one.
  Var said_before(ScanRecorder& recorder) {
    if (greedy_) {
      const Var start = in_.constant("start", words_.one_hot({WordList::start}));
      return recorder.state({"w_{t-1}", start});
    }
    const Var rows = word_rows(in_, "before", "target", words_, true);  // [t v]
    return recorder.row({"w_{t-1}", reshape(rows, {tokens_.size(), 1, words_.size()})});
  }

  // What is seen in this step; what the attention carries on goes from step to step.
  [[nodiscard]] Seen look(Var state) {
    const StepsAround around(in_.assembler, *around_);
    return look_(state);
  }

  struct Read {
    Var readout, logits;  // [1 r] [1 v]
  };
  // How wide the readout is that the classes are read from.
  [[nodiscard]] std::size_t read_width(std::size_t state, std::size_t context) const {
    const std::string& kind = module_.text("readout");
    return kind == "none" ? state + context : kind == "word" ? *in_.dimensions.get("e") : state;
  }

  [[nodiscard]] Read readout(Var state, Var context, Var word) const {
    const std::string& kind = module_.text("readout");
    const Var both = concat({state, context}, -1);
    const Var read = kind == "maxout" ? concat({both, word}, -1) : both;
    const std::size_t width = read_width(state.extent(-1), context.extent(-1));
    Dimensions d;
    d.set("dc", context.extent(-1));
    d.set("o", width);
    d.set("i", read.extent(-1));
    d.set("r", kind == "maxout" ? 2 * width : width);
    const Scope in = sized(d);
    Var r = read;  // [1 o]
    if (kind != "none") r = matmul(read, in.param("W_r")) + in.param("b_r");
    if (kind == "tanh") r = tanh(r);
    if (kind == "word") r = word + r;
    if (kind == "maxout") r = max(reshape(r, {1, width, 2}), -1);
    return {r, let("\\text{logits}", matmul(r, in.param("W_c")) + in.param("b_c"))};
  }

  // `more` are the results behind the four that every decoder has, in order.
  Tensors results(const Scanned& done, std::size_t steps, const std::vector<OutputKind>& more) {
    Tensors found;
    Var every;  // all weights
    const auto rows = [&](std::size_t k) {
      const Var x = done.outputs[k];  // [t 1 ..]
      return reshape(x, {steps, x.extent(-1)});
    };
    for (std::size_t k = 0; k < more.size(); ++k) {
      const Var one = done.outputs[4 + k];  // [t 1 n] or [t h 1 n], the query [t 1 dq]
      const bool query = more[k].role == TensorRole::query;
      const bool heads = one.rank() > 3;
      const Var all = heads ? squeeze(permute(one, {1, 0, 2, 3}), 2) : rows(4 + k);
      found.add({more[k], all, heads ? (query ? "h t dq" : "h t n") : query ? "t dq" : "t n"});
      if (more[k].role == TensorRole::weights) every = all;
    }
    found += {{out::context, rows(1), "t dc"},
              {OutputKind{"states", TensorRole::state}, rows(0), "t dh"},
              {"logits", rows(2), "t v"},
              {OutputKind{"tokens", TensorRole::output, NumberKind::index},
               reshape(done.outputs[3], {steps}), "t"},
              {out::penalty, penalty_of_steps(in_, every), ""}};
    if (!greedy_) warn_of_unknown(module_, words_, tokens_, found["logits"]);
    return found;
  }

  const Scope& module_;
  bool greedy_, before_, feeds_readout_;
  Var target_;
  std::vector<std::string> tokens_;
  WordList words_;
  Var memory_, initial_;
  Scope in_;
  Look look_;
  std::optional<Steps> around_;
};

}  // namespace

Tensors decode(const Scope& module, const Tensors& inputs,
               const std::function<Look(const Scope&, Var)>& looks) {
  return Decoder(module, inputs, looks).run();
}

}  // namespace attend
