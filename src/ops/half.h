// SPDX-License-Identifier: Apache-2.0
#pragma once

// The kernels' functions for narrow numbers, for layers that read files.
#include "kernels/half.h"  // IWYU pragma: export
