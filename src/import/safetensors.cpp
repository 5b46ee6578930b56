// SPDX-License-Identifier: Apache-2.0
// safetensors: 8 bytes that give the length of a header, the header in JSON, the numbers.
#include "experiment/files/tensor_header.h"
#include "import/checkpoint.h"
#include "ops/error.h"

namespace attend {
namespace {

NumberType number_type(std::string_view type) {
  if (type == "F64") return NumberType::f64;
  if (type == "F32") return NumberType::f32;
  if (type == "F16") return NumberType::f16;
  if (type == "BF16") return NumberType::bf16;
  if (type == "I8") return NumberType::i8;
  if (type == "U8" || type == "BOOL") return NumberType::u8;
  if (type == "I16") return NumberType::i16;
  if (type == "I32") return NumberType::i32;
  if (type == "I64") return NumberType::i64;
  return NumberType::unknown;
}

}  // namespace

void read_safetensors(const SharedSource& file, Checkpoint& into) {
  if (file->size() < 8)
    refuse_file(*file, "it has only " + std::to_string(file->size()) +
                           " bytes, so that it is cut short: download or save it again");
  TensorHeader header;
  std::uint64_t begin = 0;
  try {
    const std::uint64_t length = header_length(file->text(0, 8), file->size());
    begin = 8 + length;
    header = read_tensor_header(file->text(8, length), file->size() - begin);
  } catch (const Error& error) {
    refuse_file(*file, error.what());
  }
  std::uint64_t described = 0;
  for (const TensorEntry& entry : header.entries) described += entry.last - entry.first;
  // Tensors do not overlap, so whatever is not described is between or behind them.
  if (const std::uint64_t there = file->size() - begin; described != there)
    refuse_file(*file, "its header describes " + std::to_string(described) +
                           " bytes of numbers, but the file has " + std::to_string(there) +
                           ": its header or its end is from another file; download it again");
  for (TensorEntry& entry : header.entries)
    into.add({entry.name,
              number_type(entry.type),
              entry.type,
              std::move(entry.shape),
              file,
              begin + entry.first,
              {},
              "the known types are F64, F32, F16 and BF16: save it again with .to(torch.float16)"});
  into.format = "safetensors";
  into.files.push_back(file->name());
}

}  // namespace attend
