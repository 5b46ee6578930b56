// SPDX-License-Identifier: Apache-2.0
// The Builder's side of sizes, knobs and parameters.
#include <algorithm>
#include <cctype>

#include "assembly/frame.h"
#include "assembly/leaf_axes.h"
#include "assembly/settle.h"
#include "catalogue/check_knob.h"
#include "catalogue/parameter_names.h"
#include "catalogue/parts/heads/shared_keys.h"
#include "ops/json_pointer.h"
#include "ops/near_names.h"
#include "ops/text.h"

namespace attend {
namespace {

[[noreturn]] void refuse_target(const Builder::Tie& tie, const std::string& name) {
  refuse("/tie/" + as_pointer_part(name),
         "there is no parameter \"" + tie.target + "\" to tie it to");
}

constexpr double max_groups = 1e6;  // beyond it an index is a slip

// Where indices name groups, they say how many there are, unless a knob does.
void settle_groups(Dimensions& dimensions, const Parameter& parameter, const Tensor& tensor,
                   const Choice& choice) {
  if (tensor.data.empty()) return;
  for (const Knob& knob : choice.mechanism->knobs) {
    if (knob.symbol != parameter.below || choice.knobs.contains(knob.name)) continue;
    const double last = *std::max_element(tensor.data.begin(), tensor.data.end());
    if (!dimensions.get(knob.symbol) && last >= 0 && last < max_groups)
      dimensions.set(knob.symbol, static_cast<std::size_t>(last) + 1);
  }
}

// Whether a shape's words ("2k+1 dk") speak of a symbol.
bool speaks_of(std::string_view words, std::string_view symbol) {
  const auto is_letter = [&](std::size_t at) {
    return at < words.size() && std::isalnum(static_cast<unsigned char>(words[at])) != 0;
  };
  for (std::size_t at = words.find(symbol); at < words.size() && !symbol.empty();
       at = words.find(symbol, at + 1)) {
    if ((at == 0 || !is_letter(at - 1)) && !is_letter(at + symbol.size())) return true;
  }
  return false;
}

// An error about a parameter that is too large names the largest of the knobs in its shape.
void check_size(const Scope& in, const std::string& key, std::string_view words,
                const Shape& shape) {
  double count = 1;
  for (const std::size_t extent : shape) count *= static_cast<double>(extent);
  if (count <= static_cast<double>(max_elements)) return;
  const Knob* largest = nullptr;
  const auto size = [&](const Knob& knob) { return in.dimensions.get(knob.symbol).value_or(0); };
  for (const Knob& knob : in.choice.mechanism->knobs) {
    if (speaks_of(words, knob.symbol) && (largest == nullptr || size(knob) > size(*largest)))
      largest = &knob;
  }
  while (words.ends_with(' ')) words.remove_suffix(1);
  refuse(
      in.choice.path + (largest == nullptr ? "" : "/" + std::string(largest->name)),
      key + " would have the shape [" + (in.family.heads > 0 ? "h " : "") + std::string(words) +
          "] = " + to_text(shape) + ", but a tensor has at most " + std::to_string(max_elements) +
          " numbers; " +
          (largest == nullptr ? std::string("use")
                              : std::string(largest->name) + " is " +
                                    std::to_string(size(*largest)) + ": make it smaller, or use") +
          " fewer tokens or smaller widths");
}

// The number that a knob's rule names: of another knob, or a size; nothing while that is open.
std::optional<double> ruling(const Scope& in, const Knob& knob) {
  if (!knob.rule) return std::nullopt;
  const auto other = in.knobs.find(knob.rule.of);
  if (other != in.knobs.end()) {
    const auto* number = std::get_if<double>(&other->second);
    return number == nullptr ? std::nullopt : std::optional(*number);
  }
  return in.dimensions.evaluate(knob.rule.of);
}

// A default gives way to the rule; what the document says is checked against it.
void settle_one(Scope& in, const Knob& knob) {
  const auto given = in.choice.knobs.find(knob.name);
  const KnobValue* value = given == in.choice.knobs.end() ? nullptr : &given->second;
  KnobValue& settled = in.knobs[std::string(knob.name)];
  const std::optional<double> of = ruling(in, knob);
  const auto* usual = std::get_if<double>(&knob.fallback);
  const bool solved = !knob.symbol.empty() && in.dimensions.get(knob.symbol);
  if (value == nullptr && of && usual != nullptr && !solved) {
    const KnobValue near = kept_near(knob.rule, *usual, *of);
    settled = settle_knob(in.dimensions, knob, &near, in.choice.path);
    return;
  }
  settled = settle_knob(in.dimensions, knob, value, in.choice.path);
}

// Once all sizes are settled: a rule may name one that a later parameter settles.
void check_rules(const Scope& in) {
  for (const Knob& knob : in.choice.mechanism->knobs) {
    const auto settled = in.knobs.find(knob.name);
    const std::optional<double> of = ruling(in, knob);
    if (!of || settled == in.knobs.end()) continue;
    if (const auto* number = std::get_if<double>(&settled->second))
      check_rule(knob, *number, *of, in.choice.path + "/" + std::string(knob.name));
  }
}

}  // namespace

Scope Builder::enter(const Choice& choice, Dimensions dimensions, Family family,
                     std::map<std::string, Var, std::less<>> replaced) {
  if (family.heads > 0) dimensions.set("h", family.heads);
  Scope in{*this, choice, std::move(dimensions), family, {}, std::move(replaced)};
  return within(choice, [&] {
    for (const auto& [name, var] : in.replaced)
      settle_shape(in.dimensions, parameter_record(*choice.mechanism, name), {}, {var.extent(-1)},
                   choice.path);
    settle_given_knobs(in);
    settle_from_given(in);
    settle_knobs(in);
    settle_from_given(in);  // again: a knob may have settled the second symbol of "h*pv"
    for (const Symbol& symbol : choice.mechanism->symbols) {
      const std::optional<double> value = in.dimensions.evaluate(symbol.fallback);
      if (value && !in.dimensions.get(symbol.name))
        in.dimensions.set(symbol.name, static_cast<std::size_t>(*value));
    }
    check_rules(in);
    recording_.resolved[choice.path] = in.knobs;
    return in;
  });
}

// The knobs alone, as far as they do not depend on sizes: a module enters itself again, sized.
Scope Builder::enter_module(const Choice& choice, const Family& family) {
  Scope in{*this, choice, {}, family, {}, {}};
  in.dimensions = in.port_sizes();
  within(choice, [&] {
    for (const Knob& knob : choice.mechanism->knobs) {
      const auto given = choice.knobs.find(knob.name);
      const auto* text = std::get_if<std::string_view>(&knob.fallback);
      const bool needs_sizes =
          given == choice.knobs.end() && text != nullptr && knob.type != Knob::Type::choice;
      if (needs_sizes || (knob.optional && given == choice.knobs.end())) continue;
      settle_one(in, knob);
    }
    check_rules(in);
    recording_.resolved[choice.path] = in.knobs;
  });
  return in;
}

void Builder::settle_given_knobs(Scope& in) {
  for (const Knob& knob : in.choice.mechanism->knobs) {
    const auto given = in.choice.knobs.find(knob.name);
    if (knob.symbol.empty() || given == in.choice.knobs.end() || in.dimensions.get(knob.symbol))
      continue;
    in.dimensions.set(knob.symbol, static_cast<std::size_t>(std::get<double>(given->second)));
  }
}

std::string Builder::own_name(const Scope& in, std::string_view name) const {
  // A name with a dot belongs to the module, not to the slot.
  const std::string key =
      (name.find('.') == std::string_view::npos ? in.choice.prefix : in.choice.module_prefix) +
      std::string(name);
  return key;
}

std::string Builder::full_name(const Scope& in, std::string_view name) const {
  const Tie* tie = tie_of(in, name);
  return tie == nullptr ? own_name(in, name) : tie->target;
}

const Builder::Tie* Builder::tie_of(const Scope& in, std::string_view name) const {
  const auto tied = ties_.find(own_name(in, name));
  return tied == ties_.end() ? nullptr : &tied->second;
}

Shape Builder::across(const Scope& in, std::string_view name, const Shape& shape) const {
  const Tie* tie = tie_of(in, name);
  if (tie == nullptr || !tie->transposed) return shape;
  if (shape.size() == 2) return {shape[1], shape[0]};
  refuse(place_of(in, name),
         "only a matrix can be the transpose of another parameter; the shape of " +
             own_name(in, name) + " is " + to_text(shape));
}

std::string Builder::place_of(const Scope& in, std::string_view name) const {
  const std::string own = own_name(in, name), key = full_name(in, name);
  if (own != key) return "/tie/" + own;
  return "/parameters/" + key;
}

Builder::Builder(const Inputs& inputs, const Given& given, const Ties& ties,
                 const WeightStore* stored)
    : inputs_(inputs), ties_(ties) {
  if (stored != nullptr) {
    for (const auto& [name, tensor] : *stored) given_[name] = {nullptr, &tensor};
  }
  for (const auto& [name, tensor] : given) given_[name] = {&tensor, nullptr};
}

Tensor Builder::Source::numbers() const {
  if (given != nullptr) return *given;
  const std::shared_ptr<const real> first = stored->numbers();
  return {stored->shape(), {first.get(), first.get() + stored->count()}};
}

bool Builder::is_given(const Scope& in, std::string_view name) const {
  return given_.contains(full_name(in, name));
}

void Builder::settle_from_given(Scope& in) const {
  for (const Parameter& parameter : in.choice.mechanism->parameters) {
    const std::string record = full_name(in, parameter.name);
    for (auto at = given_.lower_bound(stem_of(record)); at != given_.end(); ++at) {
      const auto& [name, tensor] = *at;
      if (!name.starts_with(stem_of(record))) break;
      if (!means(record, name)) continue;
      settle_shape(in.dimensions, parameter, family_axes(in.family),
                   across(in, parameter.name, tensor.shape()),
                   record == own_name(in, parameter.name) ? "/parameters/" + name
                                                          : place_of(in, parameter.name));
      if (!parameter.below.empty())
        settle_groups(in.dimensions, parameter, tensor.numbers(), in.choice);
    }
  }
}

void Builder::settle_knobs(Scope& in) const {
  for (const Knob& knob : in.choice.mechanism->knobs) {
    const auto given = in.choice.knobs.find(knob.name);
    if (knob.optional && given == in.choice.knobs.end()) continue;
    settle_one(in, knob);
  }
}

Var Builder::parameter(const Scope& in, const Parameter& parameter) {
  names_.insert(own_name(in, parameter.name));
  const std::string key = full_name(in, parameter.name);
  Shape shape = family_axes(in.family);
  const std::size_t front = in.family.heads > 0 ? 1 : 0;
  const auto found = given_.find(key);
  const std::string_view words = found == given_.end()
                                     ? first_of(parameter.shape)
                                     : fitting(in.dimensions, parameter.shape, shape,
                                               across(in, parameter.name, found->second.shape()));
  const Shape own = in.dimensions.shape(words);
  shape.insert(shape.end(), own.begin(), own.end());
  const Tie* tie = tie_of(in, parameter.name);
  const bool transposed = tie != nullptr && tie->transposed;
  check_size(in, key, words, shape);
  shape = across(in, parameter.name, shape);  // from here on as the parameter itself has it
  const auto known = by_key_.find(key);
  Var var;
  // Inputs and constants have keys among the leaves, too, and no parameter is tied to one.
  const bool input = std::any_of(inputs_.begin(), inputs_.end(),
                                 [&](const auto& one) { return input_key(one.first) == key; });
  if (tie != nullptr && (input || (known != by_key_.end() && !owner_.contains(key))))
    refuse_target(*tie, own_name(in, parameter.name));
  if (known != by_key_.end()) {
    var = known->second;
    if (owner_.at(key) != in.choice.path && !is_tied(key)) {
      refuse(in.choice.path, "its parameter \"" + key + "\" would also belong to " +
                                 owner_.at(key) +
                                 "; two slots can share a parameter only through \"tie\"");
    }
    if (var.shape() != shape) {
      refuse_tie(in, parameter, var.shape(), shape);
      refuse(found == given_.end() ? in.choice.path : "/parameters/" + key,
             "the parameter " + key + " is used for rows of two widths, and would need the shape " +
                 to_text(var.shape()) + " for one and " + to_text(shape) +
                 " for the other; make queries and keys equally wide");
    }
  } else {
    const Source source = found == given_.end() ? Source{} : found->second;
    const bool is_given = found != given_.end();
    // Numbers of a file are read where they lie, but for those that are no weights: these are few, and checked.
    const bool weight = origin_of(parameter.distribution) == Origin::initialiser &&
                        parameter.below.empty() && !parameter.values.bounded();
    const Tensor numbers = is_given && !weight ? source.numbers() : Tensor{};
    if (is_given && !weight) check_given(parameter, numbers, shape, place_of(in, parameter.name));
    if (is_given && weight) check_given_shape(source.shape(), shape, place_of(in, parameter.name));
    var = graph_->leaf(shape, symbol_of(parameter.name));
    if (source.stored != nullptr && weight) lay(var, *source.stored);
    Leaf leaf{.key = key,
              .given = source.given,
              .distribution = parameter.distribution,
              .values = parameter.values,
              .stored = source.stored};
    if (!parameter.start.empty()) leaf.start = in.dimensions.evaluate(parameter.start).value_or(0);
    if (!parameter.below.empty()) {
      leaf.below = in.dimensions.shape(parameter.below).front();
      if (is_given) check_indices(numbers, leaf.below, "/parameters/" + key);
    }
    std::vector<NamedAxis> axes = parameter_axes(in.family, words, frame_->symbols());
    if (transposed) std::reverse(axes.begin(), axes.end());
    add_leaf(std::move(leaf), var, std::move(axes));
    by_key_[key] = var;
    owner_[key] = in.choice.path;
  }
  if (transposed) var = transpose(var);
  if (in.family.hops > 0) var = squeeze(slice(var, 0, in.family.hop, in.family.hop + 1), 0);
  Shape form = var.shape();
  while (form.size() < 2 + front) form.insert(form.begin() + static_cast<long>(front), 1);
  if (form != var.shape()) var = reshape(var, form);
  return front == 0 ? var : in_groups(var, in.family, 0);
}

// Small ones are converted once, for they are read again with every change of a setting.
void Builder::lay(Var leaf, const WeightTensor& tensor) {
  if (tensor.lies_ready() || tensor.count() < large_tensor)
    graph_->lay(leaf, tensor.numbers());
  else
    graph_->lay(leaf, std::make_shared<const WeightTensor>(tensor));
}

void Builder::refuse_tie(const Scope& in, const Parameter& parameter, const Shape& there,
                         const Shape& here) const {
  const std::string own = own_name(in, parameter.name), key = full_name(in, parameter.name);
  const auto says = [&](const std::string& name, const Shape& needed, const Shape& found) {
    const bool transposed = ties_.at(name).transposed;
    const bool crosswise =
        needed.size() == 2 && found.size() == 2 && needed[0] == found[1] && needed[1] == found[0];
    refuse("/tie/" + name,
           "tied parameters need the same shape: " + name + " needs " + to_text(needed) +
               (transposed ? " before the transposition" : "") + ", and " + key + " has " +
               to_text(found) +
               (crosswise && !transposed
                    ? "; for the transposed matrix write {\"transpose\": \"" + key + "\"}"
                    : ""));
  };
  if (own != key) says(own, here, there);
  // The parameter itself comes after those that are tied to it.
  for (const auto& [name, tie] : ties_)
    if (tie.target == key && names_.contains(name)) says(name, there, here);
}

bool Builder::is_tied(const std::string& key) const {
  return std::any_of(ties_.begin(), ties_.end(),
                     [&](const auto& tie) { return tie.second.target == key; });
}

void Builder::check_port(const Scope& in, const Role& role, Var var) {
  check_role(in.dimensions, role, var.shape(), source_of(in, role.name).path);
  name_axes(role, in.dimensions, var);
  // Where words are read, an input without tokens holds their numbers.
  const auto classes = in.dimensions.get("v");
  if (!role.words || !classes || rows_.contains(&var.node())) return;
  if (Leaf* leaf = input_leaf(var)) leaf->below = *classes;
}

void Builder::check_all_used() const {
  for (const auto& [name, tie] : ties_) {
    if (!names_.contains(name)) {
      refuse("/tie/" + as_pointer_part(name),
             "there is no parameter \"" + name + "\" that could be tied");
    }
    if (!names_.contains(tie.target)) refuse_target(tie, name);
  }
  for (const auto& [name, tensor] : given_) {
    const Leaf* const leaf = recording_.leaf(name);
    if (leaf != nullptr && leaf->kind == Leaf::Kind::parameter) continue;
    // Sorted, because the compiler decides which leaf comes first where one expression makes two.
    std::set<std::string> names;
    for (const Leaf& other : recording_.leaves) {
      if (other.kind == Leaf::Kind::parameter) names.insert(other.key);
    }
    refuse("/parameters/" + as_pointer_part(name),
           "this experiment has no parameter \"" + name + "\"; " +
               names_for(name, {names.begin(), names.end()}, "it has "));
  }
}

}  // namespace attend
