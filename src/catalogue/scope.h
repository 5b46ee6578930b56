// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "catalogue/choice.h"
#include "catalogue/dimensions.h"
#include "catalogue/mechanism.h"
#include "catalogue/result.h"
#include "catalogue/tensors.h"
#include "ops/compose.h"
#include "ops/error.h"

// What the build of a mechanism may use: its ports, its parameters, its knobs, the graph, and other
// modules. The Builder (src/assembly) implements the Assembler and puts the modules together.
namespace attend {

class Assembler;
struct Steps;
struct WordRows;

// What of a list of tokens, beside its length, a program depends on: `of` is the same for all tokens that one program
// can read. `difference` says of an example where it is not.
struct WordForm {
  std::vector<std::size_t> (*of)(const std::vector<std::string>& tokens);
  const char* difference;
};

// Where a port's tensor comes from: the JSON path, for errors, and the document's input, if it is one.
struct PortSource {
  std::string path;
  std::string input = {};
};

// Axes in front of every parameter of a slot: heads, which stay as a batch, or hops, of which one
// is picked.
struct Family {
  std::size_t heads = 0;  // 0: no heads
  std::size_t hops = 0;   // 0: parameters are not per hop
  std::size_t hop = 0;
  // Where there are fewer than heads, neighbouring heads share keys (shared_keys.h).
  std::size_t key_heads = 0;

  [[nodiscard]] bool shares_keys() const { return key_heads > 0 && key_heads < heads; }
};

// How a module calls another.
struct Call {
  std::string name;              // of the module called, inside the one that calls
  Family family = {};            // axes in front of its parameters
  std::string m = "m", n = "n";  // the symbols of its rows of queries and of keys
  std::string step = {};         // what the names of its steps end in; its own name if empty
  bool quiet = false;            // inside a step of a scan: its results are only handed back
};

// Where a build is, and what it may ask for there. Handed out by the Assembler, which checks names
// and settles sizes.
struct Scope {
  Assembler& assembler;
  const Choice& choice;
  Dimensions dimensions;
  Family family;
  std::map<std::string, KnobValue, std::less<>> knobs;
  std::map<std::string, Var, std::less<>> replaced = {};  // what stands for a parameter here
  std::string part = {};  // in front of the names of parameters: "mab1." of a layer made of two

  [[nodiscard]] Graph& graph() const;
  // In the form [batch.., rows, columns]: a vector is one row, a scalar 1 x 1.
  [[nodiscard]] Var param(std::string_view name) const;
  // Of a parameter with alternative shapes, "dq | h dq": the one that the knobs decide on.
  [[nodiscard]] Var param(std::string_view name, std::string_view shape) const;
  // Whether the document gives this parameter.
  [[nodiscard]] bool given(std::string_view name) const;
  // Empty when the parameter is neither given nor switched on by `flag`.
  [[nodiscard]] Var param_if(std::string_view name, std::string_view flag) const;
  [[nodiscard]] Var parameter_at(std::size_t place) const;  // in the record
  // All parameters, in the order of the record; of a part its own.
  template <std::size_t N>
  [[nodiscard]] std::array<Var, N> params() const;

  // A part of this mechanism: param("W") of the part "mab1" is the parameter "mab1.W".
  [[nodiscard]] Scope child(std::string_view name) const;

  [[nodiscard]] double number(std::string_view knob) const;
  // The same, plus a constant, as a leaf of shape []: it may change without a new recording.
  [[nodiscard]] Var scalar(std::string_view knob, double plus = 0) const;
  [[nodiscard]] std::size_t integer(std::string_view knob) const;
  [[nodiscard]] bool flag(std::string_view knob) const;
  [[nodiscard]] const std::string& text(std::string_view knob) const;
  [[nodiscard]] const Tensor& matrix(std::string_view knob) const;
  [[nodiscard]] const std::vector<std::string>& words(std::string_view knob) const;
  // Whether a knob without default has a value.
  [[nodiscard]] bool has(std::string_view knob) const { return knobs.contains(knob); }
  // act(x), by the knob `act`.
  [[nodiscard]] Var activate(Var x) const;

  // What a port gets; empty when that is nothing.
  [[nodiscard]] Var port(std::string_view name) const;
  // What a port gets; Error when that is nothing.
  [[nodiscard]] Var need(std::string_view name) const;
  // The JSON path of what feeds a port, for errors.
  [[nodiscard]] std::string source_of(std::string_view port) const;
  // The name of the document's input that feeds a port; empty if a module does.
  [[nodiscard]] std::string input_of(std::string_view port) const;
  // The tokens along a tensor's rows; empty when there are none.
  [[nodiscard]] std::vector<std::string> tokens_of(Var rows) const;
  // The sizes that the ports of its record give to their symbols. The first port that names a symbol
  // settles it; a port that gets nothing has the sizes of its fallback.
  [[nodiscard]] Dimensions port_sizes() const;
  // The same mechanism with its sizes settled by `more` and by its ports.
  [[nodiscard]] Scope sized(const Dimensions& more = {}) const;

  // The tokens along these rows label the axis `symbol` of this module's results.
  void label(std::string_view symbol, Var rows) const;
  // The labels of an axis that the module makes itself, such as the words of an answer.
  void label(std::string_view symbol, std::vector<std::string> words) const;
  // The labels of the axis `symbol` label these rows, too, for the modules that read them.
  void label_rows(Var rows, std::string_view symbol) const;
  // Of a slot's mechanism: a result besides what its build returns. Two of one name are an error.
  void output(OutputKind kind, Var var, std::string_view axes) const;
  void output(std::string_view name, Var var, std::string_view axes) const;
  void caution(const std::string& message, Var of, Var when) const;
  // A table of numbers as a leaf of the graph; `name` is its own within the slot.
  [[nodiscard]] Var constant(std::string_view name, const Tensor& tensor) const;

  // Records the module in a slot of this one.
  [[nodiscard]] Tensors call(std::string_view slot, const Call& call, const Tensors& inputs) const;

 private:
  [[nodiscard]] const KnobValue& value(std::string_view knob) const;
};

// Whoever puts the modules together.
class Assembler {
 public:
  Assembler() = default;
  Assembler(const Assembler&) = delete;
  Assembler& operator=(const Assembler&) = delete;
  virtual ~Assembler() = default;

  // The steps that are being recorded around a module which is asked for one row of them at a time: a
  // decoder's. Null: there are none.
  Steps* steps = nullptr;

  // A knob's number as a leaf; and notes that a recording depends on a knob's number itself.
  virtual Var scalar(const Scope& in, std::string_view knob, double plus) = 0;
  virtual void bake(const Scope& in, std::string_view knob) = 0;

  // A slot's scope: its sizes and knobs settled. Throws Error naming the field.
  virtual Scope enter(const Choice& choice, Dimensions dimensions, Family family = {},
                      std::map<std::string, Var, std::less<>> replaced = {}) = 0;
  virtual Tensors call(const Choice& module, const Call& call, const Tensors& inputs) = 0;
  // The general attention module of this choice, between its ports and its results: its own and those of its slots.
  virtual Tensors attend(const Scope& in) = 0;

  virtual Graph& graph() = 0;
  virtual Var parameter(const Scope& in, const Parameter& parameter) = 0;
  [[nodiscard]] virtual bool is_given(const Scope& in, std::string_view name) const = 0;
  virtual Var port(const Scope& in, std::string_view name) = 0;
  virtual void check_port(const Scope& in, const Role& role, Var var) = 0;
  virtual PortSource source_of(const Scope& in, std::string_view port) = 0;
  // Throws Error: this choice reads a port that gets nothing.
  [[noreturn]] virtual void refuse_missing(const Choice& by, std::string_view port) = 0;
  virtual Var constant(const std::string& key, const Tensor& tensor) = 0;
  // Notes that the rows of a constant are the tokens of an input.
  virtual void note_words(Var constant, WordRows rows) = 0;
  [[nodiscard]] virtual std::vector<std::string> tokens_of(Var rows) const = 0;
  // Notes that the program depends on the form of the tokens along these rows.
  virtual void note_form(Var rows, WordForm form) = 0;
  virtual void label(std::string_view symbol, Var rows) = 0;
  virtual void label(std::string_view symbol, std::vector<std::string> words) = 0;
  virtual void label_rows(Var rows, std::string_view symbol) = 0;
  // A result that a slot's mechanism adds to those of the module being recorded. Of two slots
  // that have the same name for a result, the second has its slot in front: "heads.gate".
  virtual void output(const Choice& by, OutputKind kind, Var var, std::string_view axes) = 0;
  // With `by_row`, `when` has an axis of rows in front, each warned of by itself.
  virtual void caution(const std::string& path, const std::string& message, Var of, Var when,
                       bool by_row = false) = 0;
};

// While it lives, the names that `let` gives end in `suffix`, before the suffix of the code around it.
class StepSuffix {
 public:
  StepSuffix(Graph& graph, const std::string& suffix) : graph_(graph), outer_(graph.step_suffix) {
    graph_.step_suffix = suffix + outer_;
  }
  ~StepSuffix() { graph_.step_suffix = outer_; }
  StepSuffix(const StepSuffix&) = delete;
  StepSuffix& operator=(const StepSuffix&) = delete;

 private:
  Graph& graph_;
  std::string outer_;
};

template <std::size_t N>
std::array<Var, N> Scope::params() const {
  std::array<Var, N> list;
  for (std::size_t i = 0; i < N; ++i) list[i] = parameter_at(i);
  return list;
}

// Runs a slot's build; an Error without a path gets the slot's.
template <class Build>
auto within(const Choice& choice, Build build) {
  const ErrorScope scope(choice.path, choice.mechanism->id);
  return build();
}

}  // namespace attend
