// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

// Python that exported code contains unchanged: the files of data/export, which the build embeds (cmake/embed.cmake).
namespace attend {

// Functions that a script gets if it calls them.
extern const std::string_view torch_helpers, numpy_helpers;
// Parts of a module for batches: attention in one call, draws, and what every module has: words, examples of unequal
// lengths, files of weights.
extern const std::string_view torch_attention, torch_draws, torch_module;
extern const std::string_view numpy_draws, numpy_module;
// A script that trains an exported module: all but its settings.
extern const std::string_view training_script;

}  // namespace attend
