// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

// The file of word vectors: the one that the environment variable ATTEND_WORDS names, or else
// words-large.bin beside the program, or else that of the checkout it was built from. Throws
// attend::Error when it cannot be read.
std::string read_words();
