// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace attend::fused {

// There is no memory for a kernel. The engine throws std::bad_alloc, an answer like any other; the small modules
// (bindings/) stop, for what stands behind exceptions is half as large as they are.
[[noreturn]] void no_room();

}  // namespace attend::fused
