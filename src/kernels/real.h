// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace attend {

// The one scalar type of the library: float for the page and `attend`, double for references and
// `attend64`.
#ifdef ATTEND_DOUBLE
using real = double;
#else
using real = float;
#endif

}  // namespace attend
