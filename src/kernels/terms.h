// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace attend::kernels {

// How a product enters its sum. `apart`: the product is rounded, then the sum: the same numbers on every machine.
// `fused`: both are rounded once, where the machine does that in one instruction: about twice as fast. A WebAssembly
// module rounds as it was built, whatever is asked.
enum class Terms { apart, fused };

}  // namespace attend::kernels
