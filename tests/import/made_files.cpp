// SPDX-License-Identifier: Apache-2.0
#include "tests/import/made_files.h"

namespace attend::testing {
namespace {

const std::vector<float> six{1, 2, 3, 4, 5, 6};

std::string text_of_gguf(const std::string& text) {
  return bytes_of_number(std::uint64_t{text.size()}) + text;
}

std::string pickled_text(const std::string& text) {
  return "X" + bytes_of_number(static_cast<std::uint32_t>(text.size())) + text;
}

}  // namespace

std::string floats(const std::vector<float>& numbers) {
  std::string bytes;
  for (const float number : numbers) bytes += bytes_of_number(number);
  return bytes;
}

std::string safetensors_of(const std::string& header, const std::string& data) {
  return bytes_of_number(std::uint64_t{header.size()}) + header + data;
}

std::string small_safetensors() {
  return safetensors_of(R"({"w": {"dtype": "F32", "shape": [2, 3], "data_offsets": [0, 24]}})",
                        floats(six));
}

std::string small_gguf(std::uint32_t type, bool axes) {
  std::string out = "GGUF" + bytes_of_number(std::uint32_t{3}) + bytes_of_number(std::uint64_t{1}) +
                    bytes_of_number(std::uint64_t{2});
  out += text_of_gguf("general.architecture") + bytes_of_number(std::uint32_t{8}) +
         text_of_gguf("toy");
  out += text_of_gguf("toy.list") + bytes_of_number(std::uint32_t{9}) +
         bytes_of_number(std::uint32_t{4}) + bytes_of_number(std::uint64_t{2}) +
         bytes_of_number(std::uint32_t{7}) + bytes_of_number(std::uint32_t{8});
  out += text_of_gguf("w") + bytes_of_number(std::uint32_t{axes ? 2U : 0U});
  if (axes) out += bytes_of_number(std::uint64_t{3}) + bytes_of_number(std::uint64_t{2});
  out += bytes_of_number(type) + bytes_of_number(std::uint64_t{0});
  out.resize((out.size() + 31) / 32 * 32, '\0');
  return out + floats(six);
}

std::string small_npy(const std::string& descr, bool fortran) {
  std::string header = "{'descr': '" + descr +
                       "', 'fortran_order': " + (fortran ? "True" : "False") +
                       ", 'shape': (2, 3), }\n";
  return "\x93NUMPY" + std::string("\1\0", 2) +
         bytes_of_number(static_cast<std::uint16_t>(header.size())) + header + floats(six);
}

std::string small_zip(const std::vector<std::pair<std::string, std::string>>& members,
                      std::uint16_t method) {
  std::string out, directory;
  for (const auto& [name, data] : members) {
    const auto size = static_cast<std::uint32_t>(data.size()),
               at = static_cast<std::uint32_t>(out.size());
    const auto length = static_cast<std::uint16_t>(name.size());
    const std::string common =
        bytes_of_number(std::uint16_t{20}) + bytes_of_number(std::uint16_t{0}) +
        bytes_of_number(method) + std::string(8, '\0') + bytes_of_number(size) +
        bytes_of_number(size) + bytes_of_number(length) + std::string(2, '\0');
    out += std::string("PK\3\4", 4) + common + name + data;
    directory += std::string("PK\1\2", 4) + std::string(2, '\0') + common + std::string(10, '\0') +
                 bytes_of_number(at) + name;
  }
  const auto count = static_cast<std::uint16_t>(members.size());
  const auto at = static_cast<std::uint32_t>(out.size());
  return out + directory + std::string("PK\5\6", 4) + std::string(4, '\0') +
         bytes_of_number(count) + bytes_of_number(count) +
         bytes_of_number(static_cast<std::uint32_t>(directory.size())) + bytes_of_number(at) +
         std::string(2, '\0');
}

std::string small_npz() { return small_zip({{"w.npy", small_npy()}}); }

std::string small_pickle() {
  std::string out = "\x80\x02}";
  out += pickled_text("w");
  out += "ctorch._utils\n_rebuild_tensor_v2\n((";
  out += pickled_text("storage") + "ctorch\nFloatStorage\n" + pickled_text("0") +
         pickled_text("cpu") + "K\6tQ";
  out += std::string("K\0K\2K\3\x86K\3K\1\x86\x89", 13) + "ccollections\nOrderedDict\n)RtRs.";
  return out;
}

std::string small_torch(const std::string& pickle) {
  return small_zip(
      {{"model/data.pkl", pickle}, {"model/data/0", floats(six)}, {"model/version", "3\n"}});
}

std::string small_llama2c() {
  std::string out;
  for (const std::int32_t n : {4, 6, 2, 2, 1, 7, 8}) out += bytes_of_number(n);
  const std::size_t layer = 4 + 16 + 8 + 8 + 16 + 4 + 24 + 24 + 24,
                    numbers = 7 * 4 + 2 * layer + 4 + 2 * 8;
  std::vector<float> data(numbers);
  for (std::size_t i = 0; i < numbers; ++i) data[i] = static_cast<float>(i % 7) / 8;
  return out + floats(data);
}

}  // namespace attend::testing
