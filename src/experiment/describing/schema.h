// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace attend {

using OrderedJson = nlohmann::ordered_json;

// The JSON Schema of a document. The frame is written from the reader's tables (members.h); the
// whole one has every mechanism of the catalogue with its knobs and slots too.
enum class SchemaPart { frame, whole };
std::string schema_text(SchemaPart part);

// The definitions of the mechanisms, one a mechanism and one a kind: "score", "score/additive".
// "mechanism" is what may stand at the document's top.
void add_mechanisms(OrderedJson& definitions);

}  // namespace attend
