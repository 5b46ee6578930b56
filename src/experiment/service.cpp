// SPDX-License-Identifier: Apache-2.0
#include "experiment/service.h"

#include <vector>

#include "experiment/coordinates.h"
#include "experiment/describe.h"
#include "experiment/example.h"
#include "experiment/explain.h"
#include "experiment/normalise.h"
#include "experiment/programs.h"
#include "experiment/read_tensor.h"
#include "experiment/write.h"

namespace attend {

std::string_view version() { return ATTEND_VERSION; }

std::string catalogue_text() { return describe_catalogue().dump(); }

std::string taxonomy_text(std::string_view document) {
  return coordinates_of(read_document(document).mechanism).dump();
}

std::string run_document(std::string_view document) {
  const Recording recording(read_document(document));
  return write_result(run(recording, Detail::outputs));
}

std::string normalise_document(std::string_view document) {
  return normalise(Recording(read_document(document))).dump();
}

std::string export_document(std::string_view document, const std::string& format) {
  return export_program(Recording(read_document(document)), format);
}

std::string code_json(std::string_view document, const std::string& format) {
  return Json{{"code", export_document(document, format)}}.dump();
}

std::string explain_document(std::string_view document, const std::string& tensor,
                             std::string_view index, Memo* memo) {
  const Json json = parse_json(index);
  if (!json.is_array())
    throw Error("", "expected a cell as a list of indices, found " + describe(json));
  std::vector<std::size_t> cell;
  for (const Json& i : json) cell.push_back(read_count(i, "", 0));
  return explain_cell(Recording(read_document(document)), tensor, cell, memo).dump();
}

std::string example_text(const std::string& id) {
  for (const Mechanism* mechanism : all_mechanisms()) {
    if (mechanism->id == id) return example_document(*mechanism).dump();
  }
  throw Error("", "unknown id \"" + id + "\"; `attend catalogue` lists them");
}

std::string error_text(const Error& error) { return write_error(error); }

}  // namespace attend
