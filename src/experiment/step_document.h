// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiment/json_parse.h"

namespace attend {

// The document for a run of one row at a time: recurrent cores that compute many rows at once, only to be faster, go
// token by token. The numbers are the same.
Json token_by_token(Json document);

}  // namespace attend
