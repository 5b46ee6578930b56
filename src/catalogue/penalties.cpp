// SPDX-License-Identifier: Apache-2.0
#include "catalogue/penalties.h"

#include <cmath>

#include "ops/ratio.h"

namespace attend {
namespace {

Dimensions sizes_of(Var query, const Attended& parts) {
  Dimensions d;
  if (query) d.set("dq", query.extent(-1));
  if (parts.weights) d.set("m", parts.weights.extent(-2));
  if (parts.weights) d.set("n", parts.weights.extent(-1));
  return d;
}

}  // namespace

Var gated_by_penalties(Assembler& assembler, const Choice& module, Var query, Var context) {
  for (const Choice& choice : module.all("penalties")) {
    const Penalty& record = std::get<Penalty>(choice.mechanism->behaviour);
    if (record.context == nullptr) continue;
    context = within(choice, [&] {
      const PenaltyIn in{assembler.enter(choice, sizes_of(query, {})), query, {}, {}, context};
      return record.context(in, context);
    });
  }
  return context;
}

Var penalty_of(Assembler& assembler, const Choice& module, const Attended& attended) {
  Var total;
  for (const Choice& choice : module.all("penalties")) {
    const Var one = within(choice, [&] {
      const PenaltyIn in{assembler.enter(choice, sizes_of(attended.query, attended)),
                         attended.query, attended.weights, attended.values, attended.outputs};
      return std::get<Penalty>(choice.mechanism->behaviour).build(in);
    });
    total = total ? total + one : one;
  }
  return total ? let("\\mathcal{P}", total) : total;
}

namespace {

void refuse_penalties_inside(const Choice& module) {
  for (const auto& [slot, inner] : module.slots) {
    for (const Choice& one : inner) {
      if (!one.all("penalties").empty())
        refuse(one.all("penalties").front().path,
               "a penalty is not possible here: the step-by-step module around this one passes "
               "on only the weights of the module in its slot `attention`, not those of modules "
               "inside that module; remove this penalty");
      refuse_penalties_inside(one);
    }
  }
}

}  // namespace

Var penalty_of_steps(const Scope& in, Var weights) {
  const Choice* module = in.choice.in("attention");
  if (module == nullptr) return {};
  refuse_penalties_inside(*module);
  return weights ? penalty_of(in.assembler, *module, {{}, weights, {}, {}}) : Var{};
}

Var total(Var x) { return sum(reshape(x, {element_count(x.shape())}), 0); }

Var agreement_of_heads(Var rows) {
  const bool heads = rows.rank() > 2;
  const Var unit = ratio(rows, norm(rows, -1, true));
  const Var together = heads ? sum(unit, -3) : unit;  // [n d]; the double sum is its square
  const double h = heads ? static_cast<double>(rows.extent(-3)) : 1;
  return total(together * together) / (h * h * static_cast<double>(rows.extent(-2)));
}

double agreement_by_loops(const Array& rows) {
  const std::size_t n = rows.rows(), d = rows.cols(), heads = rows.data.size() / (n * d);
  const auto at = [&](std::size_t h, std::size_t i) {
    const auto first = rows.data.begin() + static_cast<long>((h * n + i) * d);
    return Row(first, first + static_cast<long>(d));
  };
  double sum = 0;
  for (std::size_t s = 0; s < heads; ++s) {
    for (std::size_t t = 0; t < heads; ++t) {
      for (std::size_t i = 0; i < n; ++i) {
        const double lengths =
            std::sqrt(inner(at(s, i), at(s, i))) * std::sqrt(inner(at(t, i), at(t, i)));
        if (lengths > 0) sum += inner(at(s, i), at(t, i)) / lengths;
      }
    }
  }
  return sum / static_cast<double>(heads * heads * n);
}

}  // namespace attend
