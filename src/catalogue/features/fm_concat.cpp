// SPDX-License-Identifier: Apache-2.0
// Several features of the same rows, side by side:  F = [X_1, X_2, ...]
#include <array>

#include "catalogue/entry.h"

namespace attend::fm_concat_entry {
namespace {

constexpr std::array<std::string_view, 8> ports{"x1", "x2", "x3", "x4", "x5", "x6", "x7", "x8"};

Tensors build(const Scope& in, const Tensors& inputs) {
  std::vector<Var> parts;  // [n d_i]
  for (const std::string_view port : ports) {
    const Var x = inputs.find(port);
    if (!x) continue;
    if (!parts.empty() && x.extent(-2) != parts.front().extent(-2)) {
      refuse(in.source_of(port), "features are joined row by row: expected " +
                                     std::to_string(parts.front().extent(-2)) + " rows, found " +
                                     std::to_string(x.extent(-2)));
    }
    parts.push_back(x);
  }
  in.label("n", parts.front());
  return {{out::output, let("F", parts.size() == 1 ? parts.front() : concat(parts, -1)), "n d"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  std::size_t width = 0, at = 0;
  for (const std::string_view port : ports) width += in.has(port) ? in[port].cols() : 0;
  Array f({in["x1"].rows(), width});
  for (const std::string_view port : ports) {
    if (!in.has(port)) continue;
    for (std::size_t i = 0; i < f.rows(); ++i) {
      for (std::size_t c = 0; c < in[port].cols(); ++c) f(i, at + c) = in[port](i, c);
    }
    at += in[port].cols();
  }
  return {{"output", f}};
}

extern const Mechanism record{.id = "fm-concat",
                              .roles = {{"x1", "n d1"},
                                        {"x2", "n d2", false},
                                        {"x3", "n d3", false},
                                        {"x4", "n d4", false},
                                        {"x5", "n d5", false},
                                        {"x6", "n d6", false},
                                        {"x7", "n d7", false},
                                        {"x8", "n d8", false}},
                              .behaviour = Structure{build}};
}  // namespace attend::fm_concat_entry
