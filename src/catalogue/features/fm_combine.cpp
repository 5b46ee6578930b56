// SPDX-License-Identifier: Apache-2.0
// Features of the same rows as one, number by number:  F = X_1 + X_2 + ..  or  X_1 * X_2 * ..  or the largest
#include <algorithm>
#include <array>

#include "catalogue/entry.h"
#include "catalogue/slots.h"

namespace attend {
namespace {

constexpr std::array<std::string_view, 4> ports{"x1", "x2", "x3", "x4"};

void build(const ModuleIn& in) {
  const std::string& by = in.text("by");
  const auto both = [&](Var a, Var b) {
    return by == "sum" ? a + b : by == "product" ? a * b : maximum(a, b);
  };
  Var f;  // [n d]
  for (const std::string_view port : ports) {
    const Var x = in.port(port);
    if (x && f) f = both(f, x);
    if (x && !f) f = x;
  }
  in.label("n", in["x1"]);
  in.output(out::output, let("F", f), "n d");
}

Arrays reference(const ReferenceIn& in) {
  Array f = in["x1"];
  for (std::size_t p = 1; p < ports.size(); ++p) {
    for (std::size_t i = 0; in.has(ports[p]) && i < f.data.size(); ++i) {
      const double x = in[ports[p]].data[i];
      const double y = f.data[i];
      f.data[i] = in.text("by") == "sum"       ? x + y
                  : in.text("by") == "product" ? x * y
                                               : std::max(x, y);
    }
  }
  return {{"output", f}};
}

}  // namespace

namespace catalogue {
extern const Entry fm_combine_entry;
const Entry fm_combine_entry{
    .words =
        {.title = "Features added, multiplied or the largest",
         .formula =
             R"(F = X_1 + X_2 + \dots \quad\text{or}\quad F = X_1 \odot X_2 \odot \dots\quad\text{or}\quad F = \max(X_1, X_2, \dots))",
         .sentence = "Makes one of several features of the same rows, number by number.",
         .source = {"Brauwers, Frasincar", 2022, "section 2.1",
                    "https://arxiv.org/abs/2203.14263"}},
    .record =
        {.id = "fm-combine",
         .knobs = {choice_knob("by", "Combined by", "sum", {"sum", "product", "max"})},
         .roles = {{"x1", "n d"}, {"x2", "n d", false}, {"x3", "n d", false}, {"x4", "n d", false}},
         .behaviour = Structure{build}},
    .reference = reference};
}  // namespace catalogue
}  // namespace attend
