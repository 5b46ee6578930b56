// SPDX-License-Identifier: Apache-2.0
// GGUF, versions 2 and 3: "GGUF", counts, metadata as typed key-value pairs, a list of tensors, aligned numbers.
// Of the tensor types F32, F16, BF16, F64 and Q8_0 are read; the others are named.
#include <algorithm>
#include <array>
#include <bit>
#include <set>

#include "import/checkpoint.h"
#include "ops/error.h"

namespace attend {
namespace {

constexpr std::uint64_t most_entries = 1U << 20U;
constexpr std::uint64_t most_text_bytes = std::uint64_t{1} << 24U;
constexpr std::size_t most_name_bytes = 64;
constexpr int most_list_nesting = 4;
// In all lists together. The largest vocabularies have 262,144 pieces, with as many scores and types, and twice as many
// merges; an entry of one byte takes 16 in memory.
constexpr std::uint64_t most_list_entries = std::uint64_t{1} << 21U;

enum class ValueType : std::uint32_t {
  u8,
  i8,
  u16,
  i16,
  u32,
  i32,
  f32,
  boolean,
  text,
  list,
  u64,
  i64,
  f64
};

std::string read_text(ByteReader& in) {
  const auto length = in.take<std::uint64_t>();
  if (length > most_text_bytes)
    refuse_file(in.file(), "a text at byte " + std::to_string(in.at()) + " should have " +
                               std::to_string(length) + " bytes, which is too many");
  return in.text(length);
}

Json read_value(ByteReader& in, std::uint32_t type, int depth, std::uint64_t& room);

Json read_list(ByteReader& in, int depth, std::uint64_t& room) {
  const auto type = in.take<std::uint32_t>();
  const auto count = in.take<std::uint64_t>();
  // Each entry has a byte at least.
  if (count > in.left() || depth > most_list_nesting)
    refuse_file(in.file(), "a list at byte " + std::to_string(in.at()) + " should have " +
                               std::to_string(count) + " entries, but only " +
                               std::to_string(in.left()) + " bytes are left");
  if (count > room)
    refuse_file(in.file(), "a list at byte " + std::to_string(in.at()) + " should have " +
                               std::to_string(count) +
                               " entries; all lists together may have at most " +
                               std::to_string(most_list_entries));
  room -= count;
  Json::array_t entries;
  entries.reserve(static_cast<std::size_t>(count));
  for (std::uint64_t i = 0; i < count; ++i)
    entries.push_back(read_value(in, type, depth + 1, room));
  return entries;
}

Json read_value(ByteReader& in, std::uint32_t type, int depth, std::uint64_t& room) {
  using enum ValueType;
  switch (ValueType{type}) {
    case u8:
      return in.take<std::uint8_t>();
    case i8:
      return in.take<std::int8_t>();
    case u16:
      return in.take<std::uint16_t>();
    case i16:
      return in.take<std::int16_t>();
    case u32:
      return in.take<std::uint32_t>();
    case i32:
      return in.take<std::int32_t>();
    case f32:
      return in.take<float>();
    case boolean:
      return in.take<std::uint8_t>() != 0;
    case text:
      return read_text(in);
    case list:
      return read_list(in, depth, room);
    case u64:
      return in.take<std::uint64_t>();
    case i64:
      return in.take<std::int64_t>();
    case f64:
      return in.take<double>();
    default:
      refuse_file(in.file(), "a value at byte " + std::to_string(in.at()) + " has the type " +
                                 std::to_string(type) + ", which the format does not have");
  }
}

struct TensorType {
  std::uint32_t id;
  const char* name;
  NumberType type = NumberType::unknown;
};
constexpr std::array<TensorType, 33> tensor_types{{{0, "F32", NumberType::f32},
                                                   {1, "F16", NumberType::f16},
                                                   {2, "Q4_0"},
                                                   {3, "Q4_1"},
                                                   {6, "Q5_0"},
                                                   {7, "Q5_1"},
                                                   {8, "Q8_0", NumberType::blocks_of_32},
                                                   {9, "Q8_1"},
                                                   {10, "Q2_K"},
                                                   {11, "Q3_K"},
                                                   {12, "Q4_K"},
                                                   {13, "Q5_K"},
                                                   {14, "Q6_K"},
                                                   {15, "Q8_K"},
                                                   {16, "IQ2_XXS"},
                                                   {17, "IQ2_XS"},
                                                   {18, "IQ3_XXS"},
                                                   {19, "IQ1_S"},
                                                   {20, "IQ4_NL"},
                                                   {21, "IQ3_S"},
                                                   {22, "IQ2_S"},
                                                   {23, "IQ4_XS"},
                                                   {24, "I8", NumberType::i8},
                                                   {25, "I16", NumberType::i16},
                                                   {26, "I32", NumberType::i32},
                                                   {27, "I64", NumberType::i64},
                                                   {28, "F64", NumberType::f64},
                                                   {29, "IQ1_M"},
                                                   {30, "BF16", NumberType::bf16},
                                                   {34, "TQ1_0"},
                                                   {35, "TQ2_0"},
                                                   {39, "MXFP4"},
                                                   {40, "NVFP4"}}};

TensorType tensor_type_of(const ByteReader& in, const std::string& tensor, std::uint32_t id) {
  for (const TensorType& one : tensor_types) {
    if (one.id == id) return one;
  }
  refuse_file(in.file(), "the tensor \"" + tensor + "\" has the type " + std::to_string(id) +
                             ", which is not known; the known types are F32, F16, BF16 and Q8_0");
}

StoredTensor read_tensor(ByteReader& in, const SharedSource& file) {
  StoredTensor tensor;
  const std::uint64_t at = in.at();
  tensor.name = read_text(in);
  // The format allows 64 bytes; a longer name is a wrong length.
  if (tensor.name.empty() || tensor.name.size() > most_name_bytes)
    refuse_file(*file, "the name of a tensor at byte " + std::to_string(at) + " has " +
                           std::to_string(tensor.name.size()) + " bytes; expected 1 to " +
                           std::to_string(most_name_bytes));
  const auto axes = in.take<std::uint32_t>();
  if (axes > max_rank)
    refuse_file(*file, "the tensor \"" + tensor.name + "\" should have " + std::to_string(axes) +
                           " axes, which is too many");
  for (std::uint32_t a = 0; a < axes; ++a) {  // the innermost comes first
    const auto extent = in.take<std::uint64_t>();
    tensor.shape.insert(tensor.shape.begin(), static_cast<std::size_t>(extent));
  }
  const TensorType type = tensor_type_of(in, tensor.name, in.take<std::uint32_t>());
  tensor.type = type.type;
  tensor.type_name = type.name;
  tensor.advice =
      "the known types are F32, F16, BF16 and Q8_0: llama-quantize --allow-requantize \"" +
      file->name() + "\" out.gguf Q8_0 converts the file";
  tensor.first = in.take<std::uint64_t>();
  tensor.file = file;
  return tensor;
}

// That the tensors follow each other as the format has them: aligned, apart, and nothing else between and behind them.
// `first` counts from the beginning of the numbers.
void check_order(const ByteSource& file, const std::vector<StoredTensor>& list, std::uint64_t begin,
                 std::uint64_t step) {
  std::vector<const StoredTensor*> order;
  for (const StoredTensor& tensor : list) order.push_back(&tensor);
  std::ranges::stable_sort(order, {}, [](const StoredTensor* tensor) { return tensor->first; });
  const auto refuse_place = [&](const StoredTensor& tensor, const std::string& what) {
    refuse_file(file, "the tensor \"" + tensor.name + "\" begins at byte " +
                          std::to_string(tensor.first) + " of the numbers, " + what);
  };
  std::uint64_t end = 0;  // of the tensors so far, aligned
  bool known = true;      // where the last one ends
  std::string before = "none";
  for (const StoredTensor* const tensor : order) {
    if (tensor->first % step != 0)
      refuse_place(*tensor, "which is not a multiple of the alignment, " + std::to_string(step));
    if (known && tensor->first < end)
      refuse_place(*tensor,
                   "and \"" + before + "\" ends at " + std::to_string(end) + ": they overlap");
    if (known && tensor->first > end)
      refuse_place(*tensor, "and the tensor before it (" + before + ") ends at " +
                                std::to_string(end) + ": its header leaves out a tensor");
    known = tensor->type != NumberType::unknown;
    end = (tensor->first + bytes_spanned(*tensor) + step - 1) / step * step;
    before = tensor->name;
  }
  if (const std::uint64_t there = file.size() - std::min(begin, file.size()); known && there > end)
    refuse_file(file, "its header has " + std::to_string(list.size()) + " tensors, which end " +
                          std::to_string(end) + " bytes into the numbers, but the file has " +
                          std::to_string(there) +
                          " bytes of numbers: its header leaves out a tensor");
}

std::uint64_t count_at(const Json& meta, const char* key, std::uint64_t otherwise) {
  const auto found = meta.find(key);
  if (found == meta.end() || !found->is_number_integer()) return otherwise;
  return static_cast<std::uint64_t>(std::max<std::int64_t>(0, found->get<std::int64_t>()));
}

std::string named(const Checkpoint::Part& part) {
  return "\"" + part.file + "\" is " +
         (part.count == 1
              ? "a whole model"
              : "part " + std::to_string(part.number + 1) + " of " + std::to_string(part.count));
}

}  // namespace

void check_parts(const Checkpoint& checkpoint) {
  if (checkpoint.parts.empty()) return;
  const Checkpoint::Part& one = checkpoint.parts.front();
  std::set<std::uint64_t> missing;
  for (std::uint64_t k = 0; k < one.count; ++k) missing.insert(k);
  for (const Checkpoint::Part& part : checkpoint.parts) {
    if (part.count != one.count || missing.erase(part.number) == 0)
      refuse("", named(part) + ", but " + named(one) + "; give the files of one model only");
  }
  if (!missing.empty())
    refuse("", named(one) + " of a model, but part " + std::to_string(*missing.begin() + 1) +
                   " is not among the files given: give all of them");
  if (one.tensors != 0 && one.tensors != checkpoint.tensors.size())
    refuse("", "\"" + one.file + "\" says that all parts have " + std::to_string(one.tensors) +
                   " tensors in total; found " + std::to_string(checkpoint.tensors.size()));
}

void read_gguf(const SharedSource& file, Checkpoint& into) {
  ByteReader in(file);
  in.skip(4);  // "GGUF"
  const auto version = in.take<std::uint32_t>();
  if (version < 2 || version > 3)
    refuse_file(*file, "it is GGUF of version " + std::to_string(version) +
                           "; only versions 2 and 3 can be read, little-endian");
  const auto tensors = in.take<std::uint64_t>(), pairs = in.take<std::uint64_t>();
  if (tensors > most_entries || pairs > most_entries)
    refuse_file(*file, "its header claims " + std::to_string(tensors) + " tensors and " +
                           std::to_string(pairs) + " settings, which is too many");
  Json meta = Json::object();
  std::uint64_t room = most_list_entries;
  for (std::uint64_t i = 0; i < pairs; ++i) {
    const std::string key = read_text(in);
    const auto type = in.take<std::uint32_t>();
    meta[key] = read_value(in, type, 0, room);
  }
  std::vector<StoredTensor> list;
  for (std::uint64_t i = 0; i < tensors; ++i) list.push_back(read_tensor(in, file));
  const Json alignment = meta.value("general.alignment", Json(32U));
  const std::uint64_t step = alignment.is_number_unsigned() ? alignment.get<std::uint64_t>() : 0;
  if (!std::has_single_bit(step) || step > most_entries)
    refuse_file(*file, "its alignment should be a power of two, found " + describe(alignment));
  const std::uint64_t begin = (in.at() + step - 1) / step * step;
  for (const StoredTensor& tensor : list) {
    if (tensor.first > file->size())
      refuse_file(*file, "the tensor \"" + tensor.name + "\" should begin " +
                             std::to_string(tensor.first) +
                             " bytes into the numbers, beyond the end of the file");
  }
  check_order(*file, list, begin, step);
  for (StoredTensor& tensor : list) {
    tensor.first += begin;
    into.add(std::move(tensor));
  }
  const Checkpoint::Part part{file->name(), count_at(meta, "split.no", 0),
                              count_at(meta, "split.count", 1),
                              count_at(meta, "split.tensors.count", 0)};
  if (part.count == 0 || part.count > most_entries || part.number >= part.count)
    refuse_file(*file, "it says that it is part " + std::to_string(part.number + 1) + " of " +
                           std::to_string(part.count));
  into.parts.push_back(part);
  into.format = "gguf";
  into.files.push_back(file->name());
  if (part.number != 0) return;  // the first part has the settings of all
  read_gguf_tokenizer(file, meta, into);
  for (auto entry = meta.begin(); entry != meta.end();) {
    entry = entry.key().starts_with("tokenizer.") ? meta.erase(entry) : std::next(entry);
  }
  if (meta.contains("general.architecture")) meta["model_type"] = meta["general.architecture"];
  into.config = std::move(meta);
  into.config_name = file->name();
}

}  // namespace attend
