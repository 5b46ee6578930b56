// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "import/checkpoint.h"

// Small files of every format, made by hand, for cases that damage them.
namespace attend::testing {

// The error that the work throws; "nothing was refused" where it throws none.
template <class Work>
std::string refused(Work work) {
  try {
    work();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "nothing was refused";
}

inline SharedSource in_memory(const std::string& name, const std::string& bytes) {
  return std::make_shared<MemorySource>(name, bytes);
}

template <class T>
std::string bytes_of_number(T value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

std::string floats(const std::vector<float>& numbers);
// A header in JSON and the numbers behind it.
std::string safetensors_of(const std::string& header, const std::string& data);
// One tensor "w" [2 3] in each of the formats.
std::string small_safetensors();
// With no axes the tensor has one number.
std::string small_gguf(std::uint32_t type = 0, bool axes = true);
std::string small_npy(const std::string& descr = "<f4", bool fortran = false);
std::string small_zip(const std::vector<std::pair<std::string, std::string>>& members,
                      std::uint16_t method = 0);
std::string small_npz();
// A pickle that describes {"w": tensor [2 3]} as torch.save does, and the archive around it.
std::string small_pickle();
std::string small_torch(const std::string& pickle);
// A model of llama2.c: width 4, 2 layers, 2 heads over 1, hidden 6, 7 pieces, length 8.
std::string small_llama2c();

}  // namespace attend::testing
