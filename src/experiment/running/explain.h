// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "experiment/recording/compile.h"

namespace attend {

// How one cell of a tensor was computed, as JSON: {"tensor", "index", "value", "formula",
// "numbers", "feeds": [{"tensor", "group", "cells": [[...]]}], "terms": [{"label", "value",
// "chosen", "cell"}], "cut": {"level", "power", "bars": terms}}; terms where it is a weight of a
// softmax, a cut where it is one of an entmax. `name` is an output, a step, "inputs.x" or a
// parameter. What `at_hand`, a run of the same document, holds is not computed again. Throws Error
// when there is no such tensor or cell.
Json explain_cell(const Compiled& compiled, const std::string& name,
                  const std::vector<std::size_t>& index, const Workspace* at_hand = nullptr);

}  // namespace attend
