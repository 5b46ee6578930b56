// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "catalogue/reference.h"

// Cells by plain loops, for the references of whatever runs one. `prefix` is where the cell's
// parameters stand: "cell.", "forward.", "".
namespace attend {

// The state [dh] after one more row x of the gated recurrent unit.
Row gru_by_loops(const ReferenceIn& in, const std::string& prefix, const Row& x, const Row& h);

// The same of the long short-term memory: state and memory.
struct StateAndMemory {
  Row h, c;
};
StateAndMemory lstm_by_loops(const ReferenceIn& in, const std::string& prefix, const Row& x,
                             const StateAndMemory& before);

// All states [n dh] of a cell that reads rows, from the last if `reverse`, in the order of the rows;
// the first state is zero unless given.
Array gru_states_by_loops(const ReferenceIn& in, const std::string& prefix, const Array& rows,
                          bool reverse = false, Row first = {});
Array lstm_states_by_loops(const ReferenceIn& in, const std::string& prefix, const Array& rows,
                           bool reverse = false);

}  // namespace attend
