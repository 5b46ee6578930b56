// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "import/checkpoint.h"
#include "import/store.h"

namespace attend {

// The labels of a config, {"0": "cat", ..} or ["cat", ..], in the order of the classes; null where it has none. Throws
// Error, naming the config, where they are not as many as the classes.
Json class_labels(const Json& labels, const Json& classes, const Checkpoint& checkpoint,
                  const std::string& key);

// Throws Error, naming the file, where mean and deviation do not fit a picture of so many channels.
void check_picture(const Json& writes, const Json& channels, const Checkpoint& checkpoint);

// What a model that tells classes apart answers to the picture of its document, as JSON: {"input", "classes":
// [{"class", "label", "probability"}]}, the likeliest first.
std::string tell_classes(Json document, const Metadata& metadata);

}  // namespace attend
