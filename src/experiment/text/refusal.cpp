// SPDX-License-Identifier: Apache-2.0
#include "experiment/text/refusal.h"

#include "experiment/text/json_parse.h"

namespace attend {
namespace {

std::string json_text(const std::string& text) {
  return Json(text).dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace

Error out_of_memory() {
  return {"/inputs",
          "there is not enough memory for this experiment; use fewer tokens or smaller widths"};
}

std::string error_text(const Error& error) {
  return "{\"error\":{\"path\":" + json_text(error.path) +
         ",\"message\":" + json_text(error.what()) + "}}";
}

}  // namespace attend
