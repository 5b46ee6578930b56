// SPDX-License-Identifier: Apache-2.0
#include "catalogue/tensors.h"

#include <algorithm>

#include "ops/error.h"

namespace attend {

Tensors::One::One(out::ContextAndOutput, Var tensor, std::string_view symbols)
    : One(OutputKind{out::context.name, TensorRole::output, NumberKind::real_number, false,
                     MainResult::context},
          tensor, symbols) {
  also_output = true;
}

Tensors::Tensors(std::initializer_list<One> list) {
  for (const One& one : list) add(one);
}

void Tensors::add(One one) {
  const bool twice = one.also_output;
  one.also_output = false;
  const Var var = one.var;
  const std::string axes = one.axes;
  list_.push_back(std::move(one));
  if (twice) list_.emplace_back(out::output, var, axes);
}

Tensors& Tensors::operator+=(const Tensors& more) {
  list_.insert(list_.end(), more.list_.begin(), more.list_.end());
  return *this;
}

const Tensors::One* Tensors::listed(std::string_view name) const {
  const auto found =
      std::find_if(list_.begin(), list_.end(), [&](const One& one) { return one.name == name; });
  return found == list_.end() ? nullptr : &*found;
}

void Tensors::replace(std::string_view name, Var var) {
  for (One& one : list_) {
    if (one.name == name) one.var = var;
  }
}

Var Tensors::find(std::string_view name) const {
  const One* one = listed(name);
  return one == nullptr ? Var{} : one->var;
}

Var Tensors::operator[](std::string_view name) const {
  if (const Var var = find(name)) return var;
  refuse("its build function reads \"" + std::string(name) +
         "\", which does not exist; the tensors are " + names());
}

Tensors Tensors::under(std::string_view prefix) const {
  Tensors all = *this;
  for (One& one : all.list_) {
    one.name = std::string(prefix) + one.name;
    one.main = MainResult::none;  // it is a part's result, not the module's
  }
  return all;
}

std::string Tensors::names() const {
  std::vector<std::string_view> sorted;
  for (const One& one : list_) {
    if (one.var) sorted.push_back(one.name);
  }
  std::sort(sorted.begin(), sorted.end());
  std::string text;
  for (const std::string_view name : sorted) text += (text.empty() ? "" : ", ") + std::string(name);
  return text;
}

}  // namespace attend
