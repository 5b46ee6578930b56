// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/cells/cell_reference.h"

#include <utility>

namespace attend {
namespace {

// Puts the row that `step` makes of each row of x into a table.
template <class Step>
Array each_step(const Array& x, std::size_t width, bool reverse, Step step) {
  Array all({x.rows(), width});
  for (std::size_t s = 0; s < x.rows(); ++s) {
    const std::size_t t = reverse ? x.rows() - 1 - s : s;
    all.set(step(x.row(t)), t);
  }
  return all;
}

}  // namespace

Row gru_by_loops(const ReferenceIn& in, const std::string& prefix, const Row& x, const Row& h) {
  const auto of = [&](const char* name) -> const Array& { return in.parameter(prefix + name); };
  const Row own = mapped(x, of("W")), before = mapped(h, of("U"));
  Row next = h;
  for (std::size_t i = 0; i < h.size(); ++i) {
    const auto from_x = [&](std::size_t gate) {
      return own[gate * h.size() + i] + of("b")(gate * h.size() + i);
    };
    const auto from_h = [&](std::size_t gate) {
      return before[gate * h.size() + i] + of("c")(gate * h.size() + i);
    };
    const double r = activate("sigmoid", from_x(0) + from_h(0));
    const double z = activate("sigmoid", from_x(1) + from_h(1));
    next[i] = (1 - z) * activate("tanh", from_x(2) + r * from_h(2)) + z * h[i];
  }
  return next;
}

StateAndMemory lstm_by_loops(const ReferenceIn& in, const std::string& prefix, const Row& x,
                             const StateAndMemory& before) {
  const auto of = [&](const char* name) -> const Array& { return in.parameter(prefix + name); };
  const Row own = mapped(x, of("W")), past = mapped(before.h, of("U"));
  StateAndMemory after = before;
  const std::size_t dh = before.h.size();
  for (std::size_t i = 0; i < dh; ++i) {
    const auto gate = [&](std::size_t k, const char* act) {
      return activate(act, own[k * dh + i] + past[k * dh + i] + of("b")(k * dh + i));
    };
    after.c[i] = gate(1, "sigmoid") * before.c[i] + gate(0, "sigmoid") * gate(2, "tanh");
    after.h[i] = gate(3, "sigmoid") * activate("tanh", after.c[i]);
  }
  return after;
}

Array gru_states_by_loops(const ReferenceIn& in, const std::string& prefix, const Array& rows,
                          bool reverse, Row first) {
  const std::size_t dh = in.parameter(prefix + "b").cols() / 3;
  Row h = first.empty() ? Row(dh, 0) : std::move(first);
  return each_step(rows, dh, reverse,
                   [&](const Row& x) { return h = gru_by_loops(in, prefix, x, h); });
}

Array lstm_states_by_loops(const ReferenceIn& in, const std::string& prefix, const Array& rows,
                           bool reverse) {
  const std::size_t dh = in.parameter(prefix + "b").cols() / 4;
  StateAndMemory state{Row(dh, 0), Row(dh, 0)};
  return each_step(rows, dh, reverse, [&](const Row& x) {
    state = lstm_by_loops(in, prefix, x, state);
    return state.h;
  });
}

}  // namespace attend
