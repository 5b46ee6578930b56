// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "experiment/recording/compile.h"
#include "ops/module_places.h"

// Where in the document an error or a warning belongs that is known only after the recording.
namespace attend {

// Where the document chooses each module of the recording, by number.
std::vector<ModulePlace> module_places(const Compiled& compiled);

// The path of the document's module that a module of the recording is, or is part of.
std::string document_module_path(const Compiled& compiled, std::size_t module);

// The path of a module by its number. What belongs to none, such as the sum of all losses, has the path of the whole.
std::string module_path(const Compiled& compiled, std::optional<std::size_t> module);

}  // namespace attend
