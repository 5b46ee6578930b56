// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>

// The commands `attend examples` and `attend document`; `read_all` gives a document by its file.
void add_examples(CLI::App& app, std::string (*read_all)(const std::string& file));
