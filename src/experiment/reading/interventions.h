// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "catalogue/knob.h"
#include "experiment/text/json_parse.h"

namespace attend {

// A change to one tensor while a document's program runs: what reads that tensor reads the changed one.
struct Intervention {
  enum class Kind { set, scale, patch };
  // Entries of one axis. A single number drops the axis from the shape of the value, a list keeps it.
  struct Entries {
    std::vector<std::size_t> list;
    bool single = false;
  };

  Kind kind = Kind::set;
  std::string path;  // "/interventions/0"
  std::string of;    // an output, an input ("inputs.x"), a parameter or a step
  std::optional<Entries> heads, rows;
  Tensor value;  // of set and scale
  std::optional<std::size_t>
      example;  // of patch: whose value it takes; none: its own, before all interventions
};

// Throws Error naming the field. `examples` is how many the document has.
std::vector<Intervention> read_interventions(const Json& json, std::size_t examples);

}  // namespace attend
