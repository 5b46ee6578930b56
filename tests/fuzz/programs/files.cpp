// SPDX-License-Identifier: Apache-2.0
// libFuzzer's input as what readers bring: a file of weights, a file of word vectors, pasted text
// and a document of one experiment or of a training. The first byte says which.
#include <cstdlib>
#include <iostream>

#include "experiment/files/tensor_file.h"
#include "experiment/files/word_vectors.h"
#include "experiment/service.h"
#include "training/own_data.h"

namespace attend::fuzz {
namespace {

void weights(std::string_view bytes) {
  const TensorFile file = read_tensor_file(bytes);
  for (const NumberCode code : {NumberCode::whole, NumberCode::single}) {
    const TensorFile again = read_tensor_file(write_tensor_file(file, code));
    if (again.tensors.size() != file.tensors.size() || again.metadata != file.metadata)
      throw std::logic_error("a file that is written and read is another");
  }
}

void words(std::string_view bytes) {
  const WordVectors file{std::string(bytes)};
  for (std::size_t column = 0; column < file.width(); ++column) (void)file.spread(column);
  if (const auto row = file.find("the"); row && file.width() > 0)
    (void)file.at(*row, file.width() - 1);
}

void text(std::string_view bytes) {
  for (const TextLine& line : lines_of(bytes)) {
    (void)words_in(line.text);
    std::string together;
    for (const std::string& one : characters_in(line.text)) together += one;
    (void)at_tab(line, "a word", "another");
  }
}

void measurement(std::string_view bytes) { (void)measure_text(bytes); }

}  // namespace
}  // namespace attend::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace attend::fuzz;
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto refused = attend::refusal_of([&] {
    switch (data[0] % 4) {
      case 0:
        return weights(bytes);
      case 1:
        return words(bytes);
      case 2:
        return text(bytes);
      default:
        return measurement(bytes);
    }
  });
  if (!refused) return 0;
  const std::string message = refused->what();
  if (message.size() > 10 && !message.starts_with("the engine failed:")) return 0;
  std::cerr << message << '\n';
  std::abort();
}
