// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "experiment/exporting/programs.h"
#include "experiment/text/refusal.h"

// The whole engine as functions from text to text: what the command line and the bindings call. All
// throw Error, or std::bad_alloc where memory runs out.
namespace attend {

std::string_view version();
std::string catalogue_text();
// The coordinates of a document in the taxonomy, and the published systems with the same ones.
std::string taxonomy_text(std::string_view document);
std::string run_document(std::string_view document);
std::string normalise_document(std::string_view document);
std::string export_document(std::string_view document, const std::string& format);
std::string explain_document(std::string_view document, const std::string& tensor,
                             std::string_view index);
// A cell's indices as JSON: what the page's functions are given.
std::vector<std::size_t> read_cell(std::string_view index);
// A list of names as JSON.
std::vector<std::string> read_names(std::string_view names);
std::string example_text(const std::string& id);
// The same, and the document of a system of the literature.
std::string document_of(const std::string& id);
// Answers a measurement (docs/measures.md), with the words of its measures.
std::string measure_text(std::string_view measurement);
}  // namespace attend
