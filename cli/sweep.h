// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>

// The command `attend sweep`: every cell of a grid, on the processors of this machine.
void add_sweep(CLI::App& app);
