// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "experiment/recording/compile.h"
#include "ops/stepwise.h"

namespace attend {

// The step of a document whose rows arrive in one input. `results` are names of outputs. Throws Error, at the module,
// where a row depends on later ones or on how many rows there are.
StepProgram stepwise_of(const Compiled& compiled, const std::string& input,
                        const std::vector<std::string>& results, bool with_reads = false);

// The same; an error is at the setting or the choice that is to blame, where the steps exist without it.
StepProgram stepwise_or_blamed(const Compiled& compiled, const std::string& input,
                               const std::vector<std::string>& results, bool with_reads = false);

// The document with so many rows; null where there is no such program.
using WithRows = std::function<const Compiled*(std::size_t rows)>;

// Takes the steps of the rows in `first`, numbers of the step's only input, at once, by the whole program, or by that
// of a few rows more than these where `shorter` has it. The last of them is left to the caller where its results cannot
// be computed for one row alone. False, and nothing is taken, where something else than rows is kept, or where single
// steps take less time or memory. Only before the first step.
bool take_at_once(const Compiled& compiled, StepRunner& runner, std::span<const real> first,
                  const WithRows& shorter = {});

// The input whose rows arrive, by its name; empty: the words that the document answers, else its only input. Throws
// Error.
std::string stepped_input(const Compiled& compiled, const std::string& over);

// The document with two rows, of which its single row is the first step; with one row, the axis of the rows cannot be
// distinguished from the others. None for inputs of more rows. Throws Error where two rows draw other numbers than one.
std::optional<Compiled> two_for_one(const Compiled& compiled, const std::string& input);

// A document run one row at a time: {"over", "rows", "outputs", "state", "cost"}. `over` is the input whose rows
// arrive; empty: the words that the document answers, else its only input. Throws Error.
std::string stepwise_text(std::string_view text, const std::string& over);

// {"rows", "numbers", "bytes"}: how much the rows so far left behind.
Json state_size(const StepRunner& runner);

// {"rows", "numbers", "bytes", "tensors": [{"name", "module", "shape", "grows"}]} after the steps so far.
Json describe_state(const Compiled& compiled, const StepRunner& runner);

// The leaf behind each input of the steps.
struct SteppedLeaf {
  const Leaf* leaf;
  const WordRows* words;  // null where its rows are an input's own numbers
};
std::vector<SteppedLeaf> stepped_leaves(const Compiled& compiled, const StepProgram& program);

}  // namespace attend
