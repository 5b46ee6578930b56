// SPDX-License-Identifier: Apache-2.0
#include "cli/chunked.h"

#include <string_view>

#include "catalogue/mechanism.h"
#include "experiment/recording/normalise.h"
#include "ops/error.h"

namespace {

using attend::Json;

bool has_chunks(const Json& module) {
  if (!module.contains("type") || !module["type"].is_string() || !module.contains("chunk"))
    return false;
  const attend::Mechanism* core =
      attend::find_mechanism(attend::Kind::core, module["type"].get<std::string>());
  return core != nullptr && std::get<attend::Core>(core->behaviour).always_causal;
}

// How many cores were found below.
std::size_t set_chunks(Json& part, std::size_t rows) {
  std::size_t found = 0;
  if (part.is_object() && has_chunks(part)) {
    part["chunk"] = rows;
    ++found;
  }
  if (!part.is_structured()) return found;
  for (Json& one : part) found += set_chunks(one, rows);
  return found;
}

}  // namespace

std::string in_chunks(const std::string& document, std::size_t rows) {
  // With every default filled in, a core is an object that has the knob.
  Json whole =
      attend::normalise(attend::compile(attend::read_document(std::string_view(document))));
  std::size_t found = 0;
  for (const char* part : {"mechanism", "model"}) {
    if (whole.contains(part)) found += set_chunks(whole[part], rows);
  }
  if (found == 0) attend::refuse("--chunked", "no core of this document computes rows in chunks");
  return whole.dump();
}
