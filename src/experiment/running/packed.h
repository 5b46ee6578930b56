// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "experiment/running/run.h"

namespace attend {

// A run for the page: all numbers in one array, and a directory (JSON) that says what lies where:
// {"ok": true, "tensors": [{group, name, shape, axes, offset, formula}], "labels", "warnings",
// "measures", "cost", "document", "fused" (how many attentions ran without their weights, if any did),
// "left" (outputs that it does not hold, if any: the same without offset)}.
struct Packed {
  std::string directory;
  std::vector<real> data;
};

Packed pack(const Compiled& compiled, const Result& result);

// The same before its directory is text.
struct Packing {
  Json directory;
  std::vector<real> data;
};
Packing packing_of(const Compiled& compiled, const Result& result);
std::string text_of(const Json& directory);

// What the directory says of a map of weights under "measures"; whether a tensor is such a map.
Json measures_of(const Result& result, const ResultTensor& tensor);
bool is_weight_map(const ResultTensor& tensor);
// [{"path", "message"}].
Json describe_warnings(const Result& result);

// Of one document, keeping nothing. Throws Error.
Packed run_packed(std::string_view document);
// An error as an answer: {"ok": false, "error": {path, message}}, and no numbers.
Packed refused_packed(const Error& error);
// The first two: never throws.
Packed answer_packed(std::string_view document);

}  // namespace attend
