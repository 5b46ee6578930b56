// SPDX-License-Identifier: Apache-2.0
#include "catalogue/builder.h"

#include <algorithm>

#include "catalogue/settle.h"
#include "ops/text.h"

namespace attend {

Graph& BuildIn::graph() const { return builder.graph; }

namespace {
// Whether a record's name means this one: "W2+" means W2, W3, W10.
bool means(std::string_view record, std::string_view name) {
  if (!record.ends_with('+')) return record == name;
  constexpr std::string_view digits = "0123456789";
  record.remove_suffix(1);
  const std::size_t stem = record.find_last_not_of(digits) + 1;
  if (!name.starts_with(record.substr(0, stem))) return false;
  const std::string_view first = record.substr(stem), number = name.substr(stem);
  if (number.find_first_not_of(digits) != std::string_view::npos) return false;
  return number.size() == first.size() ? number >= first : number.size() > first.size();
}

const Parameter& record_of(const BuildIn& in, std::string_view name) {
  for (const Parameter& parameter : in.choice.mechanism->parameters) {
    if (means(parameter.name, name)) return parameter;
  }
  refuse("its build asks for a parameter \"" + std::string(name) + "\" that its record lacks");
}

// "W_Q" stays, "W1" becomes "W_{1}": the symbol that formulas show.
std::string symbol_of(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot != std::string_view::npos) name.remove_prefix(dot + 1);
  const std::size_t under = name.find('_');
  if (under != std::string_view::npos) {
    return std::string(name.substr(0, under)) + "_{" + std::string(name.substr(under + 1)) + "}";
  }
  std::size_t letters = name.size();
  while (letters > 1 && name[letters - 1] >= '0' && name[letters - 1] <= '9') --letters;
  if (letters == name.size()) return name.size() > 1 ? "\\" + std::string(name) : std::string(name);
  return std::string(name.substr(0, letters)) + "_{" + std::string(name.substr(letters)) + "}";
}
}  // namespace

Var BuildIn::param(std::string_view name) const {
  const auto other = replaced.find(name);
  if (other != replaced.end()) return other->second;
  Parameter parameter = record_of(*this, name);
  parameter.name = name;  // W3 of the family W2+
  return builder.parameter(*this, parameter);
}

Var BuildIn::parameter_at(std::size_t place) const {
  const List<Parameter> list = choice.mechanism->parameters;
  if (place >= list.size()) refuse("its build asks for more parameters than its record has");
  return param((list.begin() + place)->name);
}

const Value& BuildIn::value(std::string_view knob) const {
  const auto found = knobs.find(knob);
  if (found != knobs.end()) return found->second;
  refuse("its build asks for a knob \"" + std::string(knob) + "\" that its record lacks");
}

double BuildIn::number(std::string_view knob) const {
  builder.baked.insert(choice.path + "/" + std::string(knob));
  return std::get<double>(value(knob));
}

Var BuildIn::scalar(std::string_view name, double plus) const {
  const auto knob = std::find_if(choice.mechanism->knobs.begin(), choice.mechanism->knobs.end(),
                                 [&](const Knob& one) { return one.name == name; });
  const double number = std::get<double>(value(name));
  const std::string key = choice.path + "/" + std::string(name);
  const auto known = std::find_if(builder.leaves.begin(), builder.leaves.end(),
                                  [&](const Leaf& leaf) { return leaf.key == key; });
  if (known != builder.leaves.end()) return known->var;
  const Var var = graph().number_leaf({}, number_of(*knob, number) + plus);
  builder.leaves.push_back(
      {key, var, nullptr, Distribution::weight, Leaf::Kind::constant, &*knob, plus});
  return var;
}

std::size_t BuildIn::integer(std::string_view knob) const {
  return static_cast<std::size_t>(number(knob));
}
bool BuildIn::flag(std::string_view knob) const { return std::get<bool>(value(knob)); }
const std::string& BuildIn::text(std::string_view knob) const {
  return std::get<std::string>(value(knob));
}
const Tensor& BuildIn::matrix(std::string_view knob) const { return std::get<Tensor>(value(knob)); }
Var BuildIn::activate(Var x) const { return activation(text("act"), x); }

bool BuildIn::given(std::string_view name) const { return builder.is_given(*this, name); }

Var BuildIn::param_if(std::string_view name, std::string_view flag_name) const {
  return flag(flag_name) || given(name) ? param(name) : Var{};
}

Var BuildIn::role(std::string_view name) const {
  const Var var = builder.role(name);
  const auto& roles = choice.mechanism->roles;
  const auto record =
      std::find_if(roles.begin(), roles.end(), [&](const Role& r) { return r.name == name; });
  if (!var || record == roles.end()) return var;
  check_role(dimensions, *record, var.shape(), "/inputs/" + builder.input_of(name));
  return var;
}

Var BuildIn::need_role(std::string_view name) const {
  const Var var = role(name);
  if (var) return var;
  refuse("/inputs", "\"" + std::string(choice.mechanism->id) + "\" reads an input \"" +
                        std::string(name) +
                        "\", which is missing; add it, or name another in /mechanism/inputs");
}

void BuildIn::output(std::string_view name, Var var, std::string_view axes) const {
  builder.output(name, var, axes);
}

void BuildIn::caution(const std::string& message, Var of, Var when) const {
  builder.cautions.push_back({choice.path, message, of, when});
}

BuildIn Builder::enter(const Choice& choice, Dimensions dimensions, Family family,
                       std::map<std::string, Var, std::less<>> replaced) {
  if (family.heads > 0) dimensions.set("h", family.heads);
  BuildIn in{*this, choice, std::move(dimensions), family, {}, std::move(replaced)};
  return within(choice, [&] {
    for (const auto& [name, var] : in.replaced)
      settle_shape(in.dimensions, record_of(in, name), {}, {var.extent(-1)}, choice.path);
    settle_from_given(in);
    settle_knobs(in);
    settle_from_given(in);  // again: a knob may have settled the second symbol of "h*pv"
    for (const Symbol& symbol : choice.mechanism->symbols) {
      const std::optional<double> value = in.dimensions.evaluate(symbol.fallback);
      if (value && !in.dimensions.get(symbol.name))
        in.dimensions.set(symbol.name, static_cast<std::size_t>(*value));
    }
    resolved[choice.path] = in.knobs;
    return in;
  });
}

BuildIn Builder::enter_unsized(const Choice& choice) {
  BuildIn in{*this, choice, sizes_of_inputs(*choice.mechanism), {}, {}, {}};
  within(choice, [&] {
    for (const Knob& knob : choice.mechanism->knobs) {
      const auto given = choice.knobs.find(knob.name);
      const auto* text = std::get_if<std::string_view>(&knob.fallback);
      const bool needs_sizes =
          given == choice.knobs.end() && text != nullptr && knob.type != Knob::Type::choice;
      if (needs_sizes || (knob.optional && given == choice.knobs.end())) continue;
      in.knobs[std::string(knob.name)] = settle_knob(
          in.dimensions, knob, given == choice.knobs.end() ? nullptr : &given->second, choice.path);
    }
    resolved[choice.path] = in.knobs;
  });
  return in;
}

Dimensions Builder::sizes_of_inputs(const Mechanism& mechanism) {
  Dimensions sizes;
  std::map<std::string_view, Var> serving;
  for (const Role& record : mechanism.roles) {
    Var input = role(record.name);
    if (!input && serving.contains(record.falls_back_to)) input = serving[record.falls_back_to];
    serving[record.name] = input;
    const std::vector<std::string_view> symbols = words_of(first_of(record.shape));
    for (std::size_t i = 0; input && input.rank() == symbols.size() && i < symbols.size(); ++i) {
      if (!sizes.get(symbols[i])) sizes.set(symbols[i], input.shape()[i]);
    }
  }
  return sizes;
}

std::string Builder::full_name(const BuildIn& in, std::string_view name) const {
  return name.find('.') == std::string_view::npos ? in.choice.prefix + std::string(name)
                                                  : std::string(name);
}

bool Builder::is_given(const BuildIn& in, std::string_view name) const {
  return given_.contains(full_name(in, name));
}

void Builder::settle_from_given(BuildIn& in) const {
  for (const Parameter& parameter : in.choice.mechanism->parameters) {
    const std::string record = full_name(in, parameter.name);
    for (const auto& [name, tensor] : given_) {
      if (!means(record, name)) continue;
      settle_shape(in.dimensions, parameter, family_axes(in.family), tensor.shape,
                   "/parameters/" + name);
    }
  }
}

void Builder::settle_knobs(BuildIn& in) const {
  for (const Knob& knob : in.choice.mechanism->knobs) {
    const auto given = in.choice.knobs.find(knob.name);
    if (knob.optional && given == in.choice.knobs.end()) continue;
    const Value* value = given == in.choice.knobs.end() ? nullptr : &given->second;
    in.knobs[std::string(knob.name)] = settle_knob(in.dimensions, knob, value, in.choice.path);
  }
}

Var Builder::parameter(const BuildIn& in, const Parameter& parameter) {
  const std::string key = full_name(in, parameter.name);
  Shape shape = family_axes(in.family);
  const std::size_t front = in.family.heads > 0 ? 1 : 0;
  const auto found = given_.find(key);
  const std::string_view words =
      found == given_.end() ? first_of(parameter.shape)
                            : fitting(in.dimensions, parameter.shape, shape, found->second.shape);
  const Shape own = in.dimensions.shape(words);
  shape.insert(shape.end(), own.begin(), own.end());
  const auto known = by_key_.find(key);
  Var var;
  if (known != by_key_.end()) {
    var = known->second;
    if (var.shape() != shape) {
      refuse(found == given_.end() ? in.choice.path : "/parameters/" + key,
             "the parameter " + key + " serves rows of two widths, and would need the shape " +
                 to_text(var.shape()) + " for one and " + to_text(shape) +
                 " for the other; make queries and keys equally wide");
    }
  } else {
    const Tensor* tensor = found == given_.end() ? nullptr : &found->second;
    if (tensor != nullptr) check_given(parameter, *tensor, shape, "/parameters/" + key);
    var = graph.leaf(shape, symbol_of(parameter.name));
    leaves.push_back({key, var, tensor, parameter.distribution});
    by_key_[key] = var;
  }
  if (in.family.hops > 0) var = squeeze(slice(var, 0, in.family.hop, in.family.hop + 1), 0);
  Shape form = var.shape();
  while (form.size() < 2 + front) form.insert(form.begin() + static_cast<long>(front), 1);
  return form == var.shape() ? var : reshape(var, form);
}

std::string Builder::input_of(std::string_view role) const {
  const auto mapped = roles_.find(role);
  return mapped == roles_.end() ? std::string(role) : mapped->second;
}

Var Builder::role(std::string_view role) {
  asked_.emplace(role);
  const std::string name = input_of(role);
  const auto input = inputs_.find(name);
  if (input == inputs_.end()) return {};
  const std::string key = "inputs." + name;
  const auto known = by_key_.find(key);
  if (known != by_key_.end()) return known->second;
  const std::string symbol = name.size() == 1
                                 ? std::string(1, static_cast<char>(std::toupper(name[0])))
                                 : "\\mathrm{" + latex_escaped(name) + "}";
  const Var var = graph.leaf(input->second.tensor.shape, symbol);
  leaves.push_back({key, var, &input->second.tensor, Distribution::weight, Leaf::Kind::input});
  return by_key_[key] = var;
}

Var Builder::constant(const std::string& key, const Tensor& tensor) {
  const auto known = by_key_.find(key);
  if (known != by_key_.end()) return known->second;
  const Var var = graph.leaf(tensor.shape, "\\mathrm{" + key.substr(key.rfind('.') + 1) + "}");
  constants_.push_back(tensor);
  leaves.push_back({key, var, &constants_.back(), Distribution::weight, Leaf::Kind::constant});
  return by_key_[key] = var;
}

void Builder::label(const std::string& axis, std::string_view role) {
  const auto input = inputs_.find(input_of(role));
  if (input != inputs_.end() && !input->second.labels.empty()) labels[axis] = input->second.labels;
}

void Builder::output(std::string_view name, Var var, std::string_view axes) {
  const auto [place, fresh] = output_index_.emplace(scope + std::string(name), outputs.size());
  if (fresh) {
    outputs.push_back({place->first, var, std::string(axes)});
  } else {
    outputs[place->second].var = var;
  }
}

void Builder::check_all_used() const {
  for (const auto& [role, input] : roles_) {
    if (asked_.contains(role)) continue;
    std::string have;
    for (const std::string& one : asked_) have += (have.empty() ? "" : ", ") + one;
    refuse("/mechanism/inputs/" + role,
           "this mechanism has no role \"" + role + "\"; it has " + have);
  }
  for (const auto& [name, tensor] : given_) {
    const std::string& wanted = name;
    const auto is_it = [&](const Leaf& leaf) {
      return leaf.kind == Leaf::Kind::parameter && leaf.key == wanted;
    };
    if (std::any_of(leaves.begin(), leaves.end(), is_it)) continue;
    std::string have;
    for (const Leaf& leaf : leaves) {
      if (leaf.kind == Leaf::Kind::parameter) have += (have.empty() ? "" : ", ") + leaf.key;
    }
    refuse("/parameters/" + name, "this experiment has no parameter \"" + name + "\"; " +
                                      (have.empty() ? "it has none" : "it has " + have));
  }
}

}  // namespace attend
