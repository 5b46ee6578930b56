// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

// Data that the build puts into the program (cmake/embed.cmake), in the order of the files' names.
namespace attend {

struct TextFile {
  std::string_view name, text;  // "rnnsearch" of rnnsearch.json
};

// data/catalogue/en without the two files below. The page's modules link none of it: their host has those words.
std::span<const TextFile> catalogue_word_files();
// Of data/catalogue/en: tasks, and the reasons that errors give. Every module has them.
std::span<const TextFile> engine_word_files();
// systems/
std::span<const TextFile> system_files();
// architectures/; the layer above, import, reads them.
std::span<const TextFile> architecture_files();

}  // namespace attend
