// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "experiment/exporting/programs.h"

namespace attend {

// The title, formula and source of a mechanism by its id; empty texts where there are none.
using HeadingOf = std::function<Heading(const std::string& id)>;
// Of the catalogue's English words, which the page's modules do without.
Heading worded_heading(const std::string& id);
// Of a JSON object by ids, whose members read_heading reads.
HeadingOf given_headings(std::string_view headings);

// A document as one Python file with a torch.nn.Module, and its weights, given or drawn from its seed, as a
// safetensors file.
struct ExportedModule {
  std::string code, weights;
};
// Throws Error. `fixed`: why it serves the document's lengths alone; empty: others, too, where it can.
ExportedModule export_module(std::string_view document, const HeadingOf& heading,
                             const std::string& fixed = "");
// The same as a NumPy function, which takes batches and has no gradients.
ExportedModule export_numpy_module(std::string_view document, const HeadingOf& heading,
                                   const std::string& fixed = "");

// Either of them, or for "train" the script below.
ExportedModule export_form(std::string_view document, const std::string& form,
                           const HeadingOf& heading);
// {"code": ..}, as the page is answered.
std::string code_text(const std::string& code);

// A script that trains that module, for the document's `training`. Throws Error.
std::string export_training(std::string_view document);

}  // namespace attend
