// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/result.h"
#include "ops/graph.h"

namespace attend {

// The tensors that a module reads and those that it returns, by name, in the order in which they were listed.
//
//   return {{out::scores, e, "m n"}, {out::weights, a, "m n"}, {out::result, c, "m dv"}};
//
// An empty tensor counts as missing.
class Tensors {
 public:
  // One of them: what it is, and the symbols of its axes.
  struct One {
    One(const OutputKind& kind, Var tensor, std::string_view symbols)
        : name(kind.name),
          var(tensor),
          axes(symbols),
          role(kind.role),
          numbers(kind.numbers),
          when_asked(kind.when_asked),
          main(kind.main) {}
    One(out::ContextAndOutput, Var tensor, std::string_view symbols);
    // An output, or what a port is fed with.
    One(std::string_view output, Var tensor, std::string_view symbols = {})
        : One(OutputKind{output}, tensor, symbols) {}

    std::string name;
    Var var;
    std::string axes;
    TensorRole role;
    NumberKind numbers;
    bool when_asked;  // given only to those who ask for it by name
    MainResult main;
    bool also_output = false;  // the same tensor is the module's `output`, too
  };

  Tensors() = default;
  Tensors(std::initializer_list<One> list);

  void add(One one);
  Tensors& operator+=(const Tensors& more);
  friend Tensors operator+(Tensors first, const Tensors& second) { return first += second; }

  // Another tensor under a name that is listed.
  void replace(std::string_view name, Var var);
  // The tensor of this name. Throws Error where there is none.
  [[nodiscard]] Var operator[](std::string_view name) const;
  // The same, but empty where there is none.
  [[nodiscard]] Var find(std::string_view name) const;
  // Whether one of this name is listed, be it an empty one.
  [[nodiscard]] bool lists(std::string_view name) const { return listed(name) != nullptr; }
  // The same tensors with `prefix` in front of their names.
  [[nodiscard]] Tensors under(std::string_view prefix) const;
  // Their names by the alphabet, for errors: "context, weights".
  [[nodiscard]] std::string names() const;

  [[nodiscard]] auto begin() const { return list_.begin(); }
  [[nodiscard]] auto end() const { return list_.end(); }

 private:
  [[nodiscard]] const One* listed(std::string_view name) const;

  std::vector<One> list_;
};

}  // namespace attend
