// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <set>
#include <string>

#include "assembly/builder.h"

namespace attend {

// A module while it is being recorded: its name, its inputs, its results so far. The constructor enters the module, and
// the destructor returns to the one around it, also after an error.
class Builder::Frame {
 public:
  Frame(Builder& builder, const Choice& module, const Call& called, const Tensors& given)
      : choice(module), call(called), ports(given), outer(builder.frame_), builder_(builder) {
    const std::string before = outer == nullptr ? "" : outer->name;
    name = before.empty() || call.name.empty() ? before + call.name : before + "." + call.name;
    // A step of a scan may call the same module again.
    const auto [known, fresh] = builder.module_places_.emplace(name, builder.modules_.size());
    index = known->second;
    if (fresh)
      builder.modules_.push_back({name, std::string(module.mechanism->id), before, module.path});
    builder.frame_ = this;
    enter(static_cast<std::uint32_t>(index));
  }
  ~Frame() {
    builder_.frame_ = outer;
    enter(outer == nullptr ? no_module : static_cast<std::uint32_t>(outer->index));
  }
  Frame(const Frame&) = delete;
  Frame& operator=(const Frame&) = delete;

  // The complete name of a result.
  [[nodiscard]] std::string complete(std::string_view result) const {
    return name.empty() ? std::string(result) : name + "." + std::string(result);
  }
  // The symbol that this module's caller has for one of its axes.
  [[nodiscard]] std::string symbol(std::string_view own) const {
    return own == "m" ? call.m : own == "n" ? call.n : std::string(own);
  }
  [[nodiscard]] auto symbols() const {
    return [this](std::string_view own) { return symbol(own); };
  }

  const Choice& choice;
  const Call& call;
  std::string name;   // "decoder.attention"
  Tensors ports;      // of a module inside another
  std::size_t index;  // in the list of modules
  Frame* outer;
  const Wires* wires = nullptr;                                 // of a module of the document
  std::string wires_path;                                       // their place in the document
  std::set<std::string, std::less<>> asked = {};                // ports
  std::map<std::string, std::string, std::less<>> labels = {};  // by symbol: whose tokens
  Tensors results = {};
  Tensors added = {};  // by its slots, to what its build returns
  bool quiet = call.quiet || (outer != nullptr && outer->quiet);
  std::map<std::string, std::string, std::less<>> named_by = {};  // by result: the slot's path

 private:
  // A module that a scan's step calls records in the step's own graph, too.
  void enter(std::uint32_t module) {
    builder_.graph_->module = builder_.graph_->innermost().module = module;
  }

  Builder& builder_;
};

}  // namespace attend
