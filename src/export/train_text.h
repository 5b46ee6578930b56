// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace attend {

// A script that trains an exported module: all but its settings.
extern const char training_script[];

}  // namespace attend
