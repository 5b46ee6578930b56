// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "experiment/files/word_vectors.h"
#include "experiment/text/refusal.h"

// The bytes of a file of word vectors, before a document that needs them. Nothing to answer, or an error.
inline std::string given_words(const std::string& file) {
  return attend::answer([&] {
    attend::give_word_vectors(file);
    return std::string("{}");
  });
}
