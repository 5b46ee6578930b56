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

double number_at(const std::string& type, const char* at) {
  if (type == "F64") return get<double>(at);
  if (type == "F32") return static_cast<double>(get<float>(at));
  if (type == "F16") return static_cast<double>(float_of_half(get<std::uint16_t>(at)));
  if (type == "BF16")
    return static_cast<double>(std::bit_cast<float>(std::uint32_t{get<std::uint16_t>(at)} << 16U));
  return static_cast<double>(get<std::int8_t>(at));
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

Tensor read_one(const TensorEntry& entry, std::string_view data) {
  if (!is_weight_type(entry.type))
    refuse_tensor_file("\"" + entry.name + "\" holds numbers of the type " + entry.type +
                       "; known: F64, F32, F16, BF16, I8");
  const std::uint64_t count = element_count(entry.shape);
  if (count > most_numbers)
    refuse_tensor_file("\"" + entry.name + "\" has more numbers than are read, " +
                       std::to_string(most_numbers));
  Tensor tensor{entry.shape, {}};
  tensor.data.reserve(static_cast<std::size_t>(count));
  const std::size_t width = width_of_type(entry.type);
  for (std::uint64_t i = 0; i < count; ++i) {
    const double x = number_at(entry.type, data.data() + entry.first + i * width);
    check_number(entry.name, i, x);
    tensor.data.push_back(x);
  }
  return tensor;
}

void undo_scales(TensorFile& file, const std::set<std::string>& bytes) {
  for (const std::string& name : bytes) {
    const auto scale = file.tensors.find(name + ".scale");
    if (scale == file.tensors.end() || scale->second.data.size() != 1)
      refuse_tensor_file("\"" + name + "\" holds bytes, but there is no \"" + name + ".scale\"");
    std::vector<double>& data = file.tensors[name].data;
    for (std::size_t i = 0; i < data.size(); ++i) {
      data[i] *= scale->second.data[0];
      check_number(name, i, data[i]);
    }
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
std::map<std::string, std::string>& given() {
  static std::map<std::string, std::string> files;
  return files;
}
}  // namespace

void set_parameter_source(ParameterSource asked) { parameter_source() = asked; }
void give_parameters(const std::string& name, std::string file) {
  (void)read_tensor_file(file);  // refused now, not when it is needed
  given()[name] = std::move(file);
}

Builder::Given named_parameters(const std::string& name) {
  const ErrorScope scope("/parameters/from", "");
  // The name of a file ends at its first U+0000 wherever it is opened.
  if (std::any_of(name.begin(), name.end(), [](char c) { return c >= 0 && c < ' '; }))
    refuse("expected the name of a file, found control characters in \"" + name + "\"");
  const auto found = given().find(name);
  if (found == given().end() && parameter_source() == nullptr)
    refuse("there are no weights of the name \"" + name + "\"");
  const TensorFile file =
      read_tensor_file(found == given().end() ? parameter_source()(name) : found->second);
  Builder::Given tensors;
  for (const auto& [key, tensor] : file.tensors) {
    if (!key.starts_with("optimiser.")) tensors[key] = tensor;
  }
  return tensors;
}

}  // namespace attend
