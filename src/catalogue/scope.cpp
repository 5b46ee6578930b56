// SPDX-License-Identifier: Apache-2.0
#include "catalogue/scope.h"

#include <algorithm>

#include "catalogue/parameter_names.h"
#include "catalogue/parts/heads/shared_keys.h"

namespace attend {

Graph& Scope::graph() const { return assembler.graph(); }

Var Scope::param(std::string_view name) const {
  const std::string full = part + std::string(name);
  const auto other = replaced.find(full);
  if (other != replaced.end()) return other->second;
  return param(name, parameter_record(*choice.mechanism, full).shape);
}

Var Scope::param(std::string_view name, std::string_view shape) const {
  const std::string full = part + std::string(name);
  Parameter parameter = parameter_record(*choice.mechanism, full);
  parameter.name = full;  // W3 of the family W2+
  parameter.shape = shape;
  return assembler.parameter(*this, parameter);
}

Var Scope::parameter_at(std::size_t place) const {
  for (const Parameter& one : choice.mechanism->parameters) {
    if (one.name.substr(0, part.size()) != part || place-- > 0) continue;
    return param(one.name.substr(part.size()));
  }
  refuse("its build function uses more parameters than its record has");
}

Scope Scope::child(std::string_view name) const {
  Scope own = *this;
  own.part += std::string(name) + ".";
  return own;
}

const KnobValue& Scope::value(std::string_view knob) const {
  const auto found = knobs.find(knob);
  if (found != knobs.end()) return found->second;
  refuse("its build function uses a knob \"" + std::string(knob) + "\" that its record lacks");
}

double Scope::number(std::string_view knob) const {
  assembler.bake(*this, knob);
  return std::get<double>(value(knob));
}
Var Scope::scalar(std::string_view knob, double plus) const {
  (void)value(knob);  // its record has it
  return assembler.scalar(*this, knob, plus);
}
std::size_t Scope::integer(std::string_view knob) const {
  return static_cast<std::size_t>(number(knob));
}
bool Scope::flag(std::string_view knob) const { return std::get<bool>(value(knob)); }
const std::string& Scope::text(std::string_view knob) const {
  return std::get<std::string>(value(knob));
}
const Tensor& Scope::matrix(std::string_view knob) const { return std::get<Tensor>(value(knob)); }
const std::vector<std::string>& Scope::words(std::string_view knob) const {
  return std::get<std::vector<std::string>>(value(knob));
}
Var Scope::activate(Var x) const { return activation(text("act"), x); }

bool Scope::given(std::string_view name) const {
  return assembler.is_given(*this, part + std::string(name));
}

Var Scope::param_if(std::string_view name, std::string_view flag_name) const {
  return flag(flag_name) || given(name) ? param(name) : Var{};
}

Var Scope::port(std::string_view name) const {
  const Var var = assembler.port(*this, name);
  const auto& roles = choice.mechanism->roles;
  const auto* record =
      std::find_if(roles.begin(), roles.end(), [&](const Role& r) { return r.name == name; });
  if (var && record != roles.end()) assembler.check_port(*this, *record, var);
  return var;
}

Var Scope::need(std::string_view name) const {
  const Var var = port(name);
  if (!var) assembler.refuse_missing(choice, name);
  return var;
}

std::string Scope::source_of(std::string_view port) const {
  return assembler.source_of(*this, port).path;
}

std::string Scope::input_of(std::string_view port) const {
  return assembler.source_of(*this, port).input;
}

std::vector<std::string> Scope::tokens_of(Var rows) const { return assembler.tokens_of(rows); }

Dimensions Scope::port_sizes() const {
  Dimensions sizes;
  std::map<std::string_view, Var> fed;
  for (const Role& role : choice.mechanism->roles) {
    Var var = assembler.port(*this, role.name);
    if (!var && fed.contains(role.falls_back_to)) var = fed[role.falls_back_to];
    fed[role.name] = var;
    if (var) sizes.set_from(role.shape, var.shape());
  }
  return sizes;
}

Scope Scope::sized(const Dimensions& more) const {
  Dimensions sizes = port_sizes();
  sizes.set_all(more);
  return assembler.enter(choice, std::move(sizes), family, replaced);
}

void Scope::label(std::string_view symbol, Var rows) const { assembler.label(symbol, rows); }
void Scope::label(std::string_view symbol, std::vector<std::string> words) const {
  assembler.label(symbol, std::move(words));
}

void Scope::label_rows(Var rows, std::string_view symbol) const {
  assembler.label_rows(rows, symbol);
}

void Scope::output(OutputKind kind, Var var, std::string_view axes) const {
  const Named named = as_named(var, family, axes);
  assembler.output(choice, kind, named.var, named.axes);
}
void Scope::output(std::string_view name, Var var, std::string_view axes) const {
  output(OutputKind{name}, var, axes);
}

void Scope::caution(const std::string& message, Var of, Var when) const {
  assembler.caution(choice.path, message, of, when);
}

Var Scope::constant(std::string_view name, const Tensor& tensor) const {
  return assembler.constant(choice.prefix + part + std::string(name), tensor);
}

Tensors Scope::call(std::string_view slot, const Call& call, const Tensors& inputs) const {
  return assembler.call(*choice.in(slot), call, inputs);
}

}  // namespace attend
