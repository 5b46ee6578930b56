// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <filesystem>
#include <optional>
#include <string>

// `attend train`: adds the subcommand.
void add_train(CLI::App& app, std::string (*read_all)(const std::string& file));

// Where "parameters": {"from": NAME} is looked for: below the folder of this document.
void look_for_weights_beside(const std::string& document);

// The file that such a name stands for; none where the document carries its own weights. Throws Error.
std::optional<std::filesystem::path> weights_file(const std::string& name);
