// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace attend {

// A document as one Python file with a torch.nn.Module, and its weights, given or drawn from its seed, as a
// safetensors file.
struct ExportedModule {
  std::string code, weights;
};
// Throws Error.
ExportedModule export_module(std::string_view document);
// The same as a NumPy function, which takes batches and has no gradients.
ExportedModule export_numpy_module(std::string_view document);

// A script that trains that module, for the document's `training`. Throws Error.
std::string export_training(std::string_view document);

}  // namespace attend
