// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiment/text/json_parse.h"

namespace attend {

// Where a document differs from another one: {pointer: the value after}. Of a list of another length,
// and of an object with other members, the whole is listed.
Json differences(const Json& before, const Json& after);

}  // namespace attend
