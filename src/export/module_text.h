// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace attend {

// Parts of an exported PyTorch module that are the same for every document: attention in one call, draws, words,
// unequal lengths and files of weights.
extern const char module_attention[];
extern const char module_draws[];
extern const char module_words[];
extern const char module_lengths[];
// The middle of by_length, in PyTorch and in NumPy.
extern const char grouped_by_length[];
extern const char module_results[];
extern const char module_files[];

}  // namespace attend
