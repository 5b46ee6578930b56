// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace attend::fused {

// Called when there is no memory for a kernel. The engine throws std::bad_alloc, which becomes an ordinary error; the
// small modules (bindings/) stop, because the code for exceptions is half as large as they are.
[[noreturn]] void no_room();

}  // namespace attend::fused
