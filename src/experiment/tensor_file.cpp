// SPDX-License-Identifier: Apache-2.0
#include "experiment/tensor_file.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

#include "experiment/tensor_header.h"

namespace attend {
namespace {

constexpr std::uint64_t most_numbers = std::uint64_t{1} << 26U;

template <class T>
void put(std::string& out, T value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  out.append(bytes, sizeof(T));
}

template <class T>
T get(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof(T));
  return value;
}

struct Coded {
  const char* type;
  std::string bytes;
};

Coded coded(const Tensor& tensor, NumberCode code, double& scale) {
  Coded result{"F32", {}};
  if (code == NumberCode::whole && sizeof(real) == 8) {
    result.type = "F64";
    for (const double x : tensor.data) put(result.bytes, x);
  } else if (code == NumberCode::half) {
    result.type = "F16";
    for (const double x : tensor.data) put(result.bytes, half_of(static_cast<float>(x)));
  } else if (code == NumberCode::bytes) {
    result.type = "I8";
    double most = 0;
    for (const double x : tensor.data) most = std::max(most, std::abs(x));
    scale = static_cast<double>(static_cast<float>(most == 0 ? 1 : most / 127));
    for (const double x : tensor.data)
      put(result.bytes,
          static_cast<std::int8_t>(std::clamp(std::nearbyint(x / scale), -127.0, 127.0)));
  } else {
    for (const double x : tensor.data) put(result.bytes, static_cast<float>(x));
  }
  return result;
}

// That a number of a file is one that this build can hold.
void check_number(const std::string& name, std::uint64_t place, double x) {
  constexpr auto most = static_cast<double>(std::numeric_limits<real>::max());
  if (std::isfinite(x) && std::abs(x) <= most) return;
  const char* const what = std::isnan(x)   ? "NaN"
                           : std::isinf(x) ? "infinity"
                                           : "a number too large to count with";
  refuse_tensor_file("\"" + name + "\" holds " + what + " at place " + std::to_string(place));
}

// The numbers of a tensor, each at so many bytes as it is wide.
template <class Stored, class Number>
void read_numbers(const TensorEntry& entry, const char* at, Number number,
                  std::vector<double>& data) {
  for (std::uint64_t i = 0; i < data.size(); ++i) {
    const auto x = static_cast<double>(number(get<Stored>(at + i * sizeof(Stored))));
    check_number(entry.name, i, x);
    data[static_cast<std::size_t>(i)] = x;
  }
}

Tensor read_one(const TensorEntry& entry, std::string_view file) {
  if (!is_weight_type(entry.type))
    refuse_tensor_file("\"" + entry.name + "\" holds numbers of the type " + entry.type +
                       "; known: F64, F32, F16, BF16, I8");
  const std::uint64_t count = element_count(entry.shape);
  if (count > most_numbers)
    refuse_tensor_file("\"" + entry.name + "\" has more numbers than are read, " +
                       std::to_string(most_numbers));
  Tensor tensor{entry.shape, std::vector<double>(static_cast<std::size_t>(count))};
  const char* const at = file.data() + entry.first;
  const auto itself = [](auto x) { return x; };
  const auto upper_half = [](std::uint16_t x) {
    return std::bit_cast<float>(std::uint32_t{x} << 16U);
  };
  if (entry.type == "F64") read_numbers<double>(entry, at, itself, tensor.data);
  if (entry.type == "F32") read_numbers<float>(entry, at, itself, tensor.data);
  if (entry.type == "F16") read_numbers<std::uint16_t>(entry, at, float_of_half, tensor.data);
  if (entry.type == "BF16") read_numbers<std::uint16_t>(entry, at, upper_half, tensor.data);
  if (entry.type == "I8") read_numbers<std::int8_t>(entry, at, itself, tensor.data);
  return tensor;
}

// Whether a tensor of this shape is repeated along axes of the other until it is as large.
bool broadcasts(const Shape& from, const Shape& to) {
  if (from.size() > to.size()) return false;
  for (std::size_t k = 1; k <= from.size(); ++k) {
    const std::size_t extent = from[from.size() - k];
    if (extent != 1 && extent != to[to.size() - k]) return false;
  }
  return true;
}

// Row by row, so that the walk over 7 million numbers costs little more than their products.
void scale_rows(const std::string& name, Tensor& tensor, const Tensor& scale) {
  const Shape& shape = tensor.shape;
  const Strides strides = broadcast_strides(scale.shape, shape);
  const std::size_t width = shape.empty() ? 1 : shape.back();
  const std::size_t step = shape.empty() ? 0 : strides[shape.size() - 1];
  for (std::size_t row = 0; row * width < tensor.data.size(); ++row) {
    std::size_t rest = row, at = 0;
    for (std::size_t axis = shape.size(); axis-- > 1;) {
      at += rest % shape[axis - 1] * strides[axis - 1];
      rest /= shape[axis - 1];
    }
    for (std::size_t c = 0; c < width; ++c) {
      double& x = tensor.data[row * width + c];
      x *= scale.data[at + c * step];
      check_number(name, row * width + c, x);
    }
  }
}

void undo_scales(TensorFile& file, const std::set<std::string>& bytes) {
  for (const std::string& name : bytes) {
    const auto scale = file.tensors.find(name + ".scale");
    if (scale == file.tensors.end())
      refuse_tensor_file("\"" + name + "\" holds bytes, but there is no \"" + name + ".scale\"");
    Tensor& tensor = file.tensors[name];
    if (!broadcasts(scale->second.shape, tensor.shape))
      refuse_tensor_file("\"" + name + ".scale\" has the shape " + to_text(scale->second.shape) +
                         ", which does not repeat to that of \"" + name + "\", " +
                         to_text(tensor.shape));
    scale_rows(name, tensor, scale->second);
    file.tensors.erase(scale);
  }
}

}  // namespace

std::string write_tensor_file(const TensorFile& file, NumberCode code) {
  Json header = Json::object();
  if (!file.metadata.empty()) header["__metadata__"] = file.metadata;
  std::string data;
  const auto add = [&](const std::string& name, const Shape& shape, const Coded& one) {
    header[name] = {{"dtype", one.type},
                    {"shape", shape},
                    {"data_offsets", {data.size(), data.size() + one.bytes.size()}}};
    data += one.bytes;
  };
  for (const auto& [name, tensor] : file.tensors) {
    double scale = 1;
    add(name, tensor.shape, coded(tensor, code, scale));
    if (code == NumberCode::bytes)
      add(name + ".scale", {}, coded({{}, {scale}}, NumberCode::single, scale));
  }
  std::string text = header.dump();
  text.resize((text.size() + 7) / 8 * 8, ' ');  // the numbers begin on a multiple of 8
  std::string out;
  put(out, std::uint64_t{text.size()});
  return out + text + data;
}

TensorFile read_tensor_file(std::string_view bytes) {
  if (bytes.size() < 8) refuse_tensor_file("it has " + std::to_string(bytes.size()) + " bytes");
  const std::uint64_t length = header_length(bytes.substr(0, 8), bytes.size());
  const std::string_view data = bytes.substr(8 + static_cast<std::size_t>(length));
  TensorHeader header =
      read_tensor_header(bytes.substr(8, static_cast<std::size_t>(length)), data.size());
  TensorFile file;
  file.metadata = std::move(header.metadata);
  std::set<std::string> in_bytes;
  for (const TensorEntry& entry : header.entries) {
    file.tensors[entry.name] = read_one(entry, data);
    if (entry.type == "I8") in_bytes.insert(entry.name);
  }
  undo_scales(file, in_bytes);
  return file;
}

std::uint16_t half_of(float number) {
  const auto bits = std::bit_cast<std::uint32_t>(number);
  const std::uint32_t sign = bits >> 16U & 0x8000U, rest = bits & 0x7fffffffU;
  if (rest >=
      0x47800000U) {  // 65536 and more; the largest half stays below infinity, which no weight is
    return static_cast<std::uint16_t>(sign | (rest > 0x7f800000U ? 0x7e00U : 0x7bffU));
  }
  if (rest < 0x38800000U) {  // below 2^-14: a multiple of 2^-24
    const double units = std::nearbyint(static_cast<double>(std::bit_cast<float>(rest)) * 0x1p24);
    return static_cast<std::uint16_t>(sign | static_cast<std::uint32_t>(units));
  }
  const std::uint32_t rounded = rest + 0x0fffU + (rest >> 13U & 1U);
  const std::uint32_t half = (rounded - 0x38000000U) >> 13U;
  return static_cast<std::uint16_t>(sign | std::min(half, 0x7bffU));
}

float float_of_half(std::uint16_t half) {
  const int exponent = half >> 10U & 31;
  const int mantissa = half & 1023;
  double size = exponent == 0 ? mantissa * 0x1p-24 : std::ldexp(1024 + mantissa, exponent - 25);
  if (exponent == 31) size = mantissa == 0 ? std::numeric_limits<double>::infinity() : std::nan("");
  return static_cast<float>((half & 0x8000U) != 0 ? -size : size);
}

namespace {
ParameterSource& parameter_source() {
  static ParameterSource asked = nullptr;
  return asked;
}
using Stored = std::shared_ptr<const Builder::Given>;

std::map<std::string, Stored>& given() {
  static std::map<std::string, Stored> files;
  return files;
}

// What training keeps beside the weights is none of them.
Stored weights_in(TensorFile file) {
  Builder::Given tensors;
  for (auto& [name, tensor] : file.tensors) {
    if (!name.starts_with("optimiser.")) tensors[name] = std::move(tensor);
  }
  return std::make_shared<const Builder::Given>(std::move(tensors));
}
}  // namespace

void set_parameter_source(ParameterSource asked) { parameter_source() = asked; }
void give_parameters(const std::string& name, std::string file) {
  given()[name] = weights_in(read_tensor_file(file));
}

std::shared_ptr<const Builder::Given> named_parameters(const std::string& name) {
  const ErrorScope scope("/parameters/from", "");
  // The name of a file ends at its first U+0000 wherever it is opened.
  if (std::any_of(name.begin(), name.end(), [](char c) { return c >= 0 && c < ' '; }))
    refuse("expected the name of a file, found control characters in \"" + name + "\"");
  const auto found = given().find(name);
  if (found == given().end() && parameter_source() == nullptr)
    refuse("there are no weights of the name \"" + name + "\"");
  if (found != given().end()) return found->second;
  return weights_in(read_tensor_file(parameter_source()(name)));
}

}  // namespace attend
