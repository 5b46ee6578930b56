// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

// `attend import`: adds the subcommand.
void add_import(CLI::App& app);
// `attend write`: what a trained document, or an imported model, writes by itself.
void add_write(CLI::App& app, std::string (*read_all)(const std::string& file),
               std::string& output);
