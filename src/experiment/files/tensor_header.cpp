// SPDX-License-Identifier: Apache-2.0
#include "experiment/files/tensor_header.h"

#include <algorithm>
#include <array>
#include <cstring>

#include "experiment/text/json_parse.h"
#include "ops/error.h"

namespace attend {
namespace {

constexpr std::uint64_t most_header = std::uint64_t{16} << 20U;

struct TypeWidth {
  std::string_view name;
  std::size_t bytes;
  bool weight;
};
constexpr std::array<TypeWidth, 12> types{{{"F64", 8, true},
                                           {"F32", 4, true},
                                           {"F16", 2, true},
                                           {"BF16", 2, true},
                                           {"I8", 1, true},
                                           {"I64", 8, false},
                                           {"I32", 4, false},
                                           {"I16", 2, false},
                                           {"U64", 8, false},
                                           {"U32", 4, false},
                                           {"U8", 1, false},
                                           {"BOOL", 1, false}}};

const TypeWidth* find_type(std::string_view type) {
  const auto found = std::ranges::find(types, type, &TypeWidth::name);
  return found == types.end() ? nullptr : &*found;
}

TensorEntry read_entry(const std::string& name, const Json& entry, std::uint64_t data_bytes) {
  const auto is_count = [](const Json& n) { return n.is_number_unsigned(); };
  const bool whole = entry.is_object() && entry.contains("dtype") && entry["dtype"].is_string() &&
                     entry.contains("shape") && entry["shape"].is_array() &&
                     entry.contains("data_offsets") && entry["data_offsets"].is_array() &&
                     entry["data_offsets"].size() == 2 && is_count(entry["data_offsets"][0]) &&
                     is_count(entry["data_offsets"][1]) &&
                     std::all_of(entry["shape"].begin(), entry["shape"].end(), is_count);
  if (!whole)
    refuse_tensor_file("its header gives no dtype, shape and data_offsets for \"" + name + "\"");
  TensorEntry read{name, entry["dtype"], {}, entry["data_offsets"][0], entry["data_offsets"][1]};
  std::uint64_t count = 1;
  for (const Json& extent : entry["shape"]) {
    read.shape.push_back(extent.get<std::size_t>());
    if (read.shape.back() != 0 && count > max_recorded / read.shape.back())
      refuse_tensor_file("\"" + name + "\" has more numbers than the limit, " +
                         std::to_string(max_recorded));
    count *= read.shape.back();
  }
  if (read.first > read.last)
    refuse_tensor_file("\"" + name + "\" should begin " + std::to_string(read.first) +
                       " bytes into the numbers and end at " + std::to_string(read.last) +
                       ": its data_offsets are the wrong way round");
  if (read.last > data_bytes)
    refuse_tensor_file("\"" + name + "\" should end " + std::to_string(read.last) +
                       " bytes into the numbers, but the file has only " +
                       std::to_string(data_bytes) +
                       " bytes of numbers: it is cut short, or its header is wrong");
  const std::size_t width = width_of_type(read.type);
  if (width != 0 && read.last - read.first != count * width)
    refuse_tensor_file("\"" + name + "\" of shape " + to_text(read.shape) + " needs " +
                       std::to_string(count * width) + " bytes, but its header gives it " +
                       std::to_string(read.last - read.first));
  return read;
}

[[noreturn]] void refuse_shared(const std::string& one, const std::string& other) {
  refuse_tensor_file("\"" + one + "\" and \"" + other +
                     "\" share bytes: their data_offsets overlap");
}

// That no two tensors share numbers: then one of them is not what was written.
void check_apart(const std::vector<TensorEntry>& entries) {
  std::vector<const TensorEntry*> parts;  // by their first byte
  for (const TensorEntry& entry : entries) {
    if (entry.first != entry.last) parts.push_back(&entry);
  }
  std::ranges::stable_sort(parts, {}, &TensorEntry::first);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    if (parts[i - 1]->last > parts[i]->first) refuse_shared(parts[i - 1]->name, parts[i]->name);
  }
}

}  // namespace

void refuse_tensor_file(const std::string& why) {
  refuse("", "this file of weights cannot be read: " + why);
}

std::size_t width_of_type(std::string_view type) {
  const TypeWidth* found = find_type(type);
  return found == nullptr ? 0 : found->bytes;
}

bool is_weight_type(std::string_view type) {
  const TypeWidth* found = find_type(type);
  return found != nullptr && found->weight;
}

std::uint64_t header_length(std::string_view first_bytes, std::uint64_t size) {
  std::uint64_t said = 0;
  std::memcpy(&said, first_bytes.data(), sizeof(said));
  // The message gives no number that the bytes hold: it may go further than the file, and the file may be private.
  if (said > size - 8)
    refuse_tensor_file(
        "its first 8 bytes should give the length of its header, but they give more than the " +
        std::to_string(size - 8) +
        " bytes that follow. It is cut short, or it is not a safetensors " +
        "file: download or save it again");
  if (said > most_header)
    refuse_tensor_file("its header would have more than " + std::to_string(most_header) +
                       " bytes, which no safetensors file has");
  return said;
}

TensorHeader read_tensor_header(std::string_view text, std::uint64_t data_bytes) {
  const Json json = [&] {
    try {
      return parse_json(text);
    } catch (const Error&) {
      refuse_tensor_file("its header is not JSON; expected a safetensors file");
    }
  }();
  if (!json.is_object()) refuse_tensor_file("its header is not a JSON object");
  TensorHeader header;
  for (const auto& [name, entry] : json.items()) {
    if (name != "__metadata__") {
      header.entries.push_back(read_entry(name, entry, data_bytes));
      continue;
    }
    if (!entry.is_object()) refuse_tensor_file("its metadata are " + describe(entry));
    for (const auto& [key, value] : entry.items()) {
      if (value.is_string()) header.metadata[key] = value.get<std::string>();
    }
  }
  check_apart(header.entries);
  return header;
}

}  // namespace attend
