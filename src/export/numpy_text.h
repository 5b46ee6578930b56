// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace attend {

// Parts of an exported NumPy file for batches that are the same for every document, as in export/module_text.h.
extern const char numpy_draws[];
extern const char numpy_words[];
extern const char numpy_lengths[];
extern const char numpy_results[];
extern const char numpy_weights[];

}  // namespace attend
