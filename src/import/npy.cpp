// SPDX-License-Identifier: Apache-2.0
// NumPy's .npy: a magic text, a header that is a Python dictionary of three entries, the numbers; .npz is a zip of
// such files.
#include <algorithm>
#include <cctype>

#include "import/checkpoint.h"
#include "import/zip.h"

namespace attend {
namespace {

constexpr std::string_view npy_magic = "\x93NUMPY";

// What follows 'name': in the header, without the spaces before it.
std::string_view entry_of(const ByteSource& file, std::string_view header, std::string_view name) {
  const std::size_t at = header.find("'" + std::string(name) + "':");
  if (at == std::string_view::npos)
    refuse_file(file, "its header has no \"" + std::string(name) + "\"");
  std::string_view rest = header.substr(at + name.size() + 3);
  rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
  return rest;
}

NumberType number_type_of(std::string_view text) {
  if (text.starts_with("<f8")) return NumberType::f64;
  if (text.starts_with("<f4")) return NumberType::f32;
  if (text.starts_with("<f2")) return NumberType::f16;
  if (text.starts_with("<i8")) return NumberType::i64;
  if (text.starts_with("<i4")) return NumberType::i32;
  if (text.starts_with("<i2")) return NumberType::i16;
  if (text.starts_with("|i1")) return NumberType::i8;
  if (text.starts_with("|u1") || text.starts_with("|b1")) return NumberType::u8;
  return NumberType::unknown;
}

Shape shape_of(const ByteSource& file, std::string_view text) {
  const std::size_t end = text.find(')');
  if (!text.starts_with('(') || end == std::string_view::npos)
    refuse_file(file, "its header should give the shape as a tuple");
  Shape shape;
  std::string digits;
  for (const char c : text.substr(1, end)) {
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) {
      digits += c;
    } else if (c == ',' || c == ')') {
      if (digits.size() > 18)
        refuse_file(file, "its header claims an axis that is too long: " + digits);
      if (!digits.empty()) shape.push_back(static_cast<std::size_t>(std::stoull(digits)));
      digits.clear();
    } else if (c != ' ') {
      refuse_file(file, "its header should give the shape as whole numbers");
    }
  }
  return shape;
}

}  // namespace

void read_npy(const SharedSource& file, const std::string& name, Checkpoint& into) {
  ByteReader in(file);
  if (in.text(npy_magic.size()) != npy_magic)
    refuse_file(*file, "it does not begin like a NumPy array");
  const auto version = in.take<std::uint8_t>();
  in.skip(1);
  const std::uint64_t length =
      version == 1 ? in.take<std::uint16_t>() : std::uint64_t{in.take<std::uint32_t>()};
  if (length > (1U << 20U))
    refuse_file(*file,
                "its header should have " + std::to_string(length) + " bytes, which is too many");
  const std::string header = in.text(length);
  const std::string_view type = entry_of(*file, header, "descr");
  StoredTensor tensor;
  tensor.name = name;
  tensor.type_name = std::string(type.substr(0, type.find(',')));
  tensor.type = type.starts_with('\'') ? number_type_of(type.substr(1)) : NumberType::unknown;
  tensor.shape = shape_of(*file, entry_of(*file, header, "shape"));
  tensor.file = file;
  tensor.first = in.at();
  tensor.advice =
      "the known types are little-endian float64, float32 and float16: "
      "np.savez(.., name=array.astype(np.float32))";
  if (entry_of(*file, header, "fortran_order").starts_with("True")) {
    std::uint64_t step = 1;
    (void)count_of(tensor);
    for (const std::size_t extent : tensor.shape) {
      tensor.strides.push_back(step);
      step *= extent;
    }
  }
  into.add(std::move(tensor));
}

void read_npz(const SharedSource& file, Checkpoint& into) {
  for (const ZipMember& member : read_zip(file)) {
    if (!member.name.ends_with(".npy")) continue;
    const std::string name = member.name.substr(0, member.name.size() - 4);
    read_npy(open_member(file, member), name, into);
  }
  into.format = "npz";
  into.files.push_back(file->name());
}

}  // namespace attend
