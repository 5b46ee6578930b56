// SPDX-License-Identifier: Apache-2.0
#pragma once

// What the kernels know of narrow numbers, for layers that read files.
#include "kernels/half.h"  // IWYU pragma: export
