// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <exception>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "experiment/programs.h"
#include "ops/error.h"

// The whole engine as functions from text to text: what the command line and the bindings call. All
// throw Error, or std::bad_alloc where memory runs out.
namespace attend {

std::string_view version();
std::string catalogue_text();
// Where a document stands in the taxonomy, and the published systems that stand there too.
std::string taxonomy_text(std::string_view document);
std::string run_document(std::string_view document);
std::string normalise_document(std::string_view document);
std::string export_document(std::string_view document, const std::string& format);
std::string explain_document(std::string_view document, const std::string& tensor,
                             std::string_view index);
// A cell's indices as JSON, and {"title", "formula", "source"} as JSON: what the page's functions
// are given.
std::vector<std::size_t> read_cell(std::string_view index);
Heading read_heading(std::string_view heading);
std::string example_text(const std::string& id);
// The same, and the document of a system of the literature.
std::string document_of(const std::string& id);
// Answers a measurement (docs/measures.md), with the words of its measures.
std::string measure_text(std::string_view measurement);
std::string error_text(const Error& error);
Error out_of_memory();

// Does the work; what went wrong, if anything did. Nothing is thrown, whatever the document.
template <class Work>
std::optional<Error> refusal_of(Work work) {
  try {
    work();
    return std::nullopt;
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return out_of_memory();
  } catch (const std::exception& error) {
    return Error("", std::string("the engine failed: ") + error.what());
  }
}

// The answer, or the error as JSON.
template <class Function>
std::string answer(Function function) {
  std::string text;
  const std::optional<Error> refused = refusal_of([&] { text = function(); });
  return refused ? error_text(*refused) : text;
}

}  // namespace attend
