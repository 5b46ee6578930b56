// SPDX-License-Identifier: Apache-2.0
#include "experiment/service.h"

#include <vector>

#include "experiment/describing/example.h"
#include "experiment/exporting/programs.h"
#include "experiment/reading/read_inputs.h"
#include "experiment/reading/read_tensor.h"
#include "experiment/recording/normalise.h"
#include "experiment/running/directory.h"
#include "experiment/running/explain.h"
#include "experiment/running/write.h"

namespace attend {

std::string_view version() { return ATTEND_VERSION; }

std::string run_document(std::string_view document) {
  const Compiled compiled = compile(read_document(document));
  const Result result = run(compiled, Detail::outputs);
  std::string text = write_result(result);
  text.back() = ',';
  return text + R"("directory":)" +
         describe_result(compiled, result).dump(-1, ' ', false, Json::error_handler_t::replace) +
         "}";
}

std::string normalise_document(std::string_view document) {
  return normalise(compile(read_document(document))).dump();
}

std::vector<std::size_t> read_cell(std::string_view index) {
  const Json json = parse_json(index);
  if (!json.is_array()) refuse("expected a cell as a list of indices, found " + describe(json));
  std::vector<std::size_t> cell;
  for (const Json& i : json) cell.push_back(read_count(i, "", 0));
  return cell;
}

std::vector<std::string> read_names(std::string_view names) {
  return read_texts(parse_json(names), "");
}

std::string explain_document(std::string_view document, const std::string& tensor,
                             std::string_view index) {
  return explain_cell(compile(read_document(document)), tensor, read_cell(index)).dump();
}

std::string example_text(const std::string& id) {
  for (const Mechanism* mechanism : all_mechanisms()) {
    if (mechanism->id == id) return example_document(*mechanism).dump();
  }
  refuse("unknown id \"" + id + "\"; `attend catalogue` lists them");
}

}  // namespace attend
