// SPDX-License-Identifier: Apache-2.0
#include "assembly/builder.h"

#include <algorithm>
#include <utility>

#include "assembly/attention/pipeline.h"
#include "assembly/frame.h"
#include "assembly/largest_knob.h"
#include "assembly/settle.h"
#include "catalogue/parameter_names.h"
#include "catalogue/parts/heads/shared_keys.h"
#include "ops/json_pointer.h"
#include "ops/recording.h"
#include "ops/text.h"
#include "ops/too_large.h"

namespace attend {

void Builder::record(const Choice& choice, const std::string& name, const Wires& wires,
                     const std::string& wires_path) {
  Call call;
  call.name = name;
  Frame frame(*this, choice, call, {});
  frame.wires = &wires;
  frame.wires_path = wires_path;
  try {
    run(frame);
  } catch (const TooManyOperations&) {
    refuse_operations(choice, "this experiment needs more than " +
                                  std::to_string(Graph::max_nodes) + " operations; ");
  }
  for (const auto& [port, source] : wires) {
    if (frame.asked.contains(port)) continue;
    std::string have;
    for (const std::string& one : frame.asked) have += (have.empty() ? "" : ", ") + one;
    refuse(wires_path + "/" + port,
           "this mechanism has no role \"" + port + "\"; it has " + (have.empty() ? "none" : have));
  }
  results_[name] = frame.results;
}

Tensors Builder::call(const Choice& module, const Call& call, const Tensors& inputs) {
  Frame frame(*this, module, call, inputs);
  const StepSuffix suffix(*graph_,
                          call.step.empty() ? "\\;(\\text{" + call.name + "})" : call.step);
  run(frame);
  for (const Tensors::One& one : frame.ports) {
    if (!one.var || frame.asked.contains(one.name)) continue;
    refuse(module.path, "\"" + std::string(module.mechanism->id) +
                            "\" does not fit here: it has no port \"" + one.name + "\"");
  }
  // What attention gives to the module around it has passed its gate; an output model makes something else of it.
  if (module.in("aggregate") != nullptr && module.in("output") == nullptr)
    frame.results.replace("context", frame.results["output"]);
  return frame.results;
}

void Builder::run(Frame& frame) {
  within(frame.choice, [&] {
    const Scope in = enter_module(frame.choice, frame.call.family);
    // Before any size is settled, so that the error about a missing port says just that.
    for (const Role& role : frame.choice.mechanism->roles) {
      if (role.required) (void)in.need(role.name);
    }
    Tensors inputs;
    for (const Role& role : frame.choice.mechanism->roles)
      inputs.add({role.name, in.port(role.name)});
    const Structure& structure = std::get<Structure>(frame.choice.mechanism->behaviour);
    const Tensors returned = structure.build(structure.sized ? in.sized() : in, inputs);
    const Tensors results = frame.added + returned;
    for (const Tensors::One& one : results) {
      if (one.var) list(one, in.family);
    }
  });
}

void Builder::refuse_operations(const Choice& module, const std::string& message) const {
  std::size_t rows = 0;
  for (const auto& [name, input] : inputs_)
    rows = std::max(rows, *std::ranges::max_element(input.tensor.shape));
  const auto knob = largest_knob(module, recording_, KnobUse::repeats, static_cast<double>(rows));
  refuse(knob ? knob->path : module.path,
         message + (knob ? knob->advice() + ", or use fewer tokens"
                         : "use fewer tokens, steps or iterations"));
}

void Builder::add_loss() {
  Var sum;
  for (const KnownTensor& output : directory_.outputs()) {
    if (output.record->role != TensorRole::loss) continue;
    const Var loss = graph_->var(output.node);
    sum = sum ? sum + loss : loss;
  }
  if (!sum) return;
  // No module's result.
  sum = let("\\mathcal{L}", sum);
  directory_.add(as_record({.name = "loss",
                            .recorded = sum.id(),
                            .role = TensorRole::loss,
                            .main = MainResult::loss}),
                 sum.id());
}

Recorded Builder::end() && {
  for (const Leaf& leaf : recording_.leaves)
    if (leaf.record != nullptr) directory_.add(leaf.record, leaf.node);
  directory_.set_modules(std::make_shared<const Modules>(std::move(modules_)));
  return {std::move(graph_), std::move(directory_), std::move(recording_)};
}

const KnownTensor* Builder::output_behind(const std::string& source) const {
  if (const KnownTensor* named = directory_.output(source)) return named;
  const auto module = module_places_.find(source);
  return module == module_places_.end()
             ? nullptr
             : directory_.main_result(module->second, Directory::wired_alone);
}

Tensors Builder::attend(const Scope& in) {
  attend_generally(*this, in);
  return std::exchange(frame_->added, {});
}

namespace {
// Modules and query models read the ports of their own module; parts beside a score may read those of the modules
// around it.
bool reads_own_ports(const Choice& choice) {
  const Kind kind = choice.mechanism->kind();
  return kind == Kind::structure || kind == Kind::query;
}
}  // namespace

Var Builder::port(const Scope& in, std::string_view name) {
  const bool own_only = reads_own_ports(in.choice);
  for (Frame* frame = frame_; frame != nullptr; frame = frame->outer) {
    frame->asked.emplace(name);
    if (frame->wires != nullptr) return fed(*frame, name);
    if (frame->ports.lists(name)) return frame->ports.find(name);
    if (own_only) return {};
  }
  return {};
}

// The source of a port of a module of the document: its wire, else the input of its name.
Var Builder::fed(Frame& frame, std::string_view port) {
  const auto wire = frame.wires->find(port);
  const std::string text = wire == frame.wires->end() ? std::string(port) : wire->second;
  const Var var = wire == frame.wires->end()
                      ? input(text)
                      : source(text, frame.wires_path + "/" + std::string(port));
  std::vector<ModuleNode::Wire>& listed = modules_[frame.index].inputs;
  const bool known = std::any_of(listed.begin(), listed.end(),
                                 [&](const ModuleNode::Wire& w) { return w.port == port; });
  if (var && !known) listed.push_back({std::string(port), text});
  return var;
}

Var Builder::source(const std::string& text, const std::string& path) {
  if (const Var given = input(text)) return given;
  const WireSource names = parts_of_source(text);
  const auto module = results_.find(names.module);
  if (module == results_.end())
    refuse(path, "there is no input \"" + text +
                     "\" in /inputs, and no module before this one has that name");
  if (!names.result.empty()) {
    if (const Var named = module->second.find(names.result)) return named;
  } else if (const KnownTensor* main = output_behind(text)) {
    return graph_->var(main->node);
  }
  refuse(path, "the module \"" + module->first + "\" has no output \"" +
                   (names.result.empty() ? "output" : std::string(names.result)) + "\"; it has " +
                   module->second.names());
}

PortSource Builder::source_of(const Scope& in, std::string_view port) {
  const Frame* frame = frame_;
  while (frame->wires == nullptr && !frame->ports.lists(port) && !reads_own_ports(in.choice) &&
         frame->outer != nullptr)
    frame = frame->outer;
  if (frame->wires == nullptr) return {frame->choice.path};
  const auto wire = frame->wires->find(port);
  const std::string text = wire == frame->wires->end() ? std::string(port) : wire->second;
  if (inputs_.contains(text)) return {"/inputs/" + as_pointer_part(text), text};
  if (wire == frame->wires->end()) return {"/inputs/" + as_pointer_part(text)};
  return {frame->wires_path + "/" + std::string(port)};
}

void Builder::refuse_missing(const Choice& by, std::string_view port) {
  const std::string id(by.mechanism->id), name(port);
  if (frame_->wires == nullptr)
    refuse(by.path,
           "\"" + id + "\" does not fit here: it reads \"" + name + "\", which is not connected");
  refuse("/inputs", "\"" + id + "\" reads an input \"" + name +
                        "\", which is missing; add it, or name another input in " +
                        frame_->wires_path);
}

Var Builder::input(const std::string& name) {
  const auto input = inputs_.find(name);
  if (input == inputs_.end()) return {};
  const std::string key = input_key(name);
  const auto known = by_key_.find(key);
  if (known != by_key_.end()) return known->second;
  const std::string symbol = name.size() == 1
                                 ? std::string(1, static_cast<char>(std::toupper(name[0])))
                                 : "\\mathrm{" + latex_escaped(name) + "}";
  const Var var = graph_->leaf(input->second.tensor.shape, symbol);
  add_leaf({.key = key, .kind = Leaf::Kind::input, .given = &input->second.tensor, .input = name},
           var);
  if (!input->second.labels.empty()) {
    rows_[&var.node()] = name;
    recording_.tokens[name] = input->second.labels;
  }
  return by_key_[key] = var;
}

Var Builder::constant(const std::string& key, const Tensor& tensor) {
  return constant(key, tensor, "\\mathrm{" + key.substr(key.rfind('.') + 1) + "}");
}

Var Builder::constant(const std::string& key, const Tensor& tensor, const std::string& symbol) {
  const auto known = by_key_.find(key);
  if (known != by_key_.end()) return known->second;
  const Var var = graph_->leaf(tensor.shape, symbol);
  recording_.constants.push_back(tensor);
  add_leaf({.key = key, .kind = Leaf::Kind::constant, .given = &recording_.constants.back()}, var);
  return by_key_[key] = var;
}

void Builder::note_words(Var constant, WordRows rows) {
  recording_.words.insert_or_assign(constant.id(), std::move(rows));
}

std::vector<std::string> Builder::tokens_of(Var rows) const {
  const auto found = rows_.find(&rows.node());
  if (found == rows_.end()) return {};
  recording_.words_read.insert(found->second);
  return recording_.tokens.at(found->second);
}

void Builder::note_form(Var rows, WordForm form) {
  const auto found = rows_.find(&rows.node());
  if (found != rows_.end()) recording_.forms.push_back({found->second, form});
}

void Builder::label(std::string_view symbol, Var rows) {
  const auto found = rows ? rows_.find(&rows.node()) : rows_.end();
  if (found == rows_.end()) return;
  frame_->labels[frame_->symbol(symbol)] = found->second;
  if (!frame_->name.empty()) return;
  recording_.labels[std::string(symbol)] = recording_.tokens.at(found->second);
  recording_.labelled[std::string(symbol)] = found->second;
}

void Builder::label(std::string_view symbol, std::vector<std::string> words) {
  const std::string key = frame_->complete(symbol);
  frame_->labels[frame_->symbol(symbol)] = key;
  recording_.tokens[key] = words;
  recording_.labels[key] = std::move(words);
}

void Builder::label_rows(Var rows, std::string_view symbol) {
  const auto label = frame_->labels.find(frame_->symbol(symbol));
  if (label != frame_->labels.end()) rows_.try_emplace(&rows.node(), label->second);
}

void Builder::output(const Choice& by, OutputKind kind, Var var, std::string_view axes) {
  Tensors::One one(kind, var, axes);
  const auto taken = frame_->named_by.find(one.name);
  if (taken != frame_->named_by.end() && taken->second != by.path) one.name = by.prefix + one.name;
  if (!frame_->quiet) frame_->named_by[one.name] = by.path;
  frame_->added.add(std::move(one));
}

void Builder::list(Tensors::One one, const Family& family) {
  const Named named = as_named(one.var, family, one.axes);
  one.var = named.var;
  one.axes = named.axes;
  if (frame_->quiet) {
    if (!frame_->results.lists(one.name)) frame_->results.add(one);
    return;
  }
  if (&one.var.graph() != graph_.get())
    refuse("its build function names the result \"" + one.name + "\" inside one step of a scan");
  one.var = stood_in(one.var);
  TensorRecord output{.name = frame_->complete(one.name),
                      .recorded = one.var.id(),
                      .role = one.role,
                      .numbers = one.numbers,
                      .module = frame_->index,
                      .when_asked = one.when_asked,
                      .main = one.main};
  for (const std::string_view word : symbols_in(one.axes)) {
    NamedAxis& axis = output.axes.emplace_back(axis_of(word));
    axis.symbol = frame_->symbol(axis.symbol);
    const auto label = frame_->labels.find(axis.symbol);
    if (label != frame_->labels.end()) axis.labels = label->second;
  }
  // Rows keep their tokens on the way to the next module.
  if (output.axes.size() >= 2 && !output.axes.end()[-2].labels.empty())
    rows_.try_emplace(&one.var.node(), output.axes.end()[-2].labels);
  if (frame_->results.lists(one.name))
    refuse("its build function names the result \"" + output.name + "\" twice");
  frame_->results.add(one);
  directory_.add(as_record(std::move(output)), one.var.id());
}

void Builder::bake(const Scope& in, std::string_view knob) {
  recording_.baked.insert(in.choice.path + "/" + std::string(knob));
}

Var Builder::scalar(const Scope& in, std::string_view name, double plus) {
  const std::string key = in.choice.path + "/" + std::string(name);
  const auto known = by_key_.find(key);
  if (known != by_key_.end()) return known->second;
  const auto& knobs = in.choice.mechanism->knobs;
  const Knob* knob =
      std::find_if(knobs.begin(), knobs.end(), [&](const Knob& one) { return one.name == name; });
  const double number = std::get<double>(in.knobs.find(name)->second);
  const Var var = graph_->number_leaf({}, number + plus);
  add_leaf({.key = key, .kind = Leaf::Kind::constant, .knob = knob, .plus = plus}, var);
  return by_key_[key] = var;
}

}  // namespace attend
