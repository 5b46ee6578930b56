// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "catalogue/choice.h"
#include "catalogue/dimensions.h"
#include "catalogue/mechanism.h"
#include "ops/compose.h"
#include "ops/error.h"

namespace attend {

class Builder;

// An input of the document, as numbers, with a label a row where it has tokens.
struct Input {
  Tensor tensor;
  std::vector<std::string> labels;
};

// A leaf of the graph, and where its numbers come from: an input, a given parameter, or the seed.
struct Leaf {
  std::string key;  // "inputs.x" or the parameter's dotted name
  Var var;
  const Tensor* given = nullptr;
  Distribution distribution = Distribution::weight;
  enum class Kind { input, parameter, constant } kind = Kind::parameter;
  const Knob* knob = nullptr;  // of a number that a knob gives; `key` is its JSON pointer
  double plus = 0;             // added to that
};

// A named result. The axes are symbols, one an axis: "h m n".
struct Output {
  std::string name;
  Var var;
  std::string axes;
};

// Something that a reader should know when it happens: said after a run in which `of` was computed
// and `when` is not all 0.
struct Caution {
  std::string path, message;
  Var of, when;
  bool by_row = false;  // `when` has an axis of rows in front, each warned of by itself
};

// Axes in front of every parameter of a slot: heads, which stay as a batch, or hops, of which one
// is picked.
struct Family {
  std::size_t heads = 0;  // 0: no heads
  std::size_t hops = 0;   // 0: parameters are not per hop
  std::size_t hop = 0;
};

// What every build may use: its parameters, its knobs, the graph.
struct BuildIn {
  Builder& builder;
  const Choice& choice;
  Dimensions dimensions;
  Family family;
  std::map<std::string, Value, std::less<>> knobs;
  std::map<std::string, Var, std::less<>> replaced = {};  // what stands for a parameter here

  [[nodiscard]] Graph& graph() const;
  // In the form [batch.., rows, columns]: a vector is one row, a scalar 1 x 1.
  [[nodiscard]] Var param(std::string_view name) const;
  // Whether the document gives this parameter.
  [[nodiscard]] bool given(std::string_view name) const;
  // Empty when the parameter is neither given nor switched on by `flag`.
  [[nodiscard]] Var param_if(std::string_view name, std::string_view flag) const;
  [[nodiscard]] Var parameter_at(std::size_t place) const;  // in the record
  // All parameters, in the order of the record.
  template <std::size_t N>
  [[nodiscard]] std::array<Var, N> params() const;

  // Not inline, like all that many builds call: the size of the page's module counts.
  [[nodiscard]] double number(std::string_view knob) const;
  // The same, plus a constant, as a leaf of shape []: it may change without a new recording.
  [[nodiscard]] Var scalar(std::string_view knob, double plus = 0) const;
  [[nodiscard]] std::size_t integer(std::string_view knob) const;
  [[nodiscard]] bool flag(std::string_view knob) const;
  [[nodiscard]] const std::string& text(std::string_view knob) const;
  [[nodiscard]] const Tensor& matrix(std::string_view knob) const;
  // act(x), by the knob `act`.
  [[nodiscard]] Var activate(Var x) const;
  // The input that serves a role, or empty.
  [[nodiscard]] Var role(std::string_view name) const;
  // The input that serves a role; Error when there is none.
  [[nodiscard]] Var need_role(std::string_view name) const;
  void output(std::string_view name, Var var, std::string_view axes) const;
  void caution(const std::string& message, Var of, Var when) const;

 private:
  [[nodiscard]] const Value& value(std::string_view knob) const;
};

// Records one experiment: resolves sizes, knobs and parameters slot by slot, and collects what
// comes out.
class Builder {
 public:
  using Tensors = std::map<std::string, Tensor, std::less<>>;
  using Inputs = std::map<std::string, Input, std::less<>>;
  using Names = std::map<std::string, std::string, std::less<>>;

  // `roles` maps a role to the input's name where they differ. The references must outlive the
  // builder.
  Builder(const Inputs& inputs, const Names& roles, const Tensors& given)
      : inputs_(inputs), roles_(roles), given_(given) {}

  // Settles a slot's sizes and knobs. Throws Error naming the field.
  BuildIn enter(const Choice& choice, Dimensions dimensions, Family family = {},
                std::map<std::string, Var, std::less<>> replaced = {});
  // The knobs alone, as far as they do not depend on sizes, and the sizes of the inputs: for a
  // structure, which enters itself again when its parameters need sizes that it computes.
  BuildIn enter_unsized(const Choice& choice);
  // The sizes that a mechanism's roles give to their symbols; an input that is missing has its
  // fallback's. The first role that names a symbol settles it.
  Dimensions sizes_of_inputs(const Mechanism& mechanism);
  Var parameter(const BuildIn& in, const Parameter& parameter);
  [[nodiscard]] bool is_given(const BuildIn& in, std::string_view name) const;

  // The leaf of the input that serves a role, empty when the document has none.
  Var role(std::string_view role);
  [[nodiscard]] std::string input_of(std::string_view role) const;
  // A table that the document gives as a knob, as a leaf of the graph.
  Var constant(const std::string& key, const Tensor& tensor);
  // Labels of an axis symbol come from the rows of the input that serves this role.
  void label(const std::string& axis, std::string_view role);
  void output(std::string_view name, Var var, std::string_view axes);

  // Given parameters and renamed roles that no slot asked for: an error, naming those that exist.
  void check_all_used() const;

  Graph graph;
  std::vector<Leaf> leaves;
  std::vector<Output> outputs;
  std::vector<Caution> cautions;
  std::map<std::string, std::vector<std::string>> labels;
  std::map<std::string, std::map<std::string, Value, std::less<>>>
      resolved;       // knobs by the slot's path
  std::set<std::string> baked;  // JSON pointers of knobs that the recording itself depends on
  std::string scope;  // in front of the names of outputs: "first."

 private:
  [[nodiscard]] std::string full_name(const BuildIn& in, std::string_view name) const;
  void settle_from_given(BuildIn& in) const;
  void settle_knobs(BuildIn& in) const;

  const Inputs& inputs_;
  const Names& roles_;
  const Tensors& given_;
  std::set<std::string, std::less<>> asked_;  // roles
  std::map<std::string, Var> by_key_;
  std::map<std::string, std::size_t> output_index_;
  std::deque<Tensor> constants_;  // a deque: leaves point into it
};

template <std::size_t N>
std::array<Var, N> BuildIn::params() const {
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
