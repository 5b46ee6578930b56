// SPDX-License-Identifier: Apache-2.0
#include "cli/words.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "ops/error.h"

namespace {

std::filesystem::path words_file() {
  if (const char* named = std::getenv("ATTEND_WORDS"); named != nullptr && *named != '\0')
    return named;
  std::error_code none;  // where a system does not say where the program lies
  const auto program = std::filesystem::read_symlink("/proc/self/exe", none);
  const auto beside = program.parent_path() / "words-large.bin";
  if (!none && std::filesystem::exists(beside, none)) return beside;
  return ATTEND_WORDS_FILE;
}

}  // namespace

std::string read_words() {
  const std::filesystem::path file = words_file();
  std::ifstream stream(file, std::ios::binary);
  if (!stream) {
    attend::refuse("", "cannot read the word vectors from \"" + file.string() +
                           "\"; the environment variable ATTEND_WORDS may name another file");
  }
  return {std::istreambuf_iterator<char>(stream), {}};
}
