// SPDX-License-Identifier: Apache-2.0
#include "experiment/files/tensor_file.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <set>

#include "experiment/files/append_bytes.h"
#include "experiment/files/tensor_header.h"
#include "experiment/text/json_parse.h"
#include "ops/error.h"

namespace attend {
namespace {

struct Coded {
  const char* type;
  std::string bytes;
};

Coded coded(const Tensor& tensor, NumberCode code, double& scale) {
  Coded result{"F32", {}};
  if (code == NumberCode::whole && sizeof(real) == 8) {
    result.type = "F64";
    for (const double x : tensor.data) append_bytes(result.bytes, x);
  } else if (code == NumberCode::half) {
    result.type = "F16";
    for (const double x : tensor.data) append_bytes(result.bytes, half_of(static_cast<float>(x)));
  } else if (code == NumberCode::bytes) {
    result.type = "I8";
    double most = 0;
    for (const double x : tensor.data) most = std::max(most, std::abs(x));
    scale = static_cast<double>(static_cast<float>(most == 0 ? 1 : most / 127));
    for (const double x : tensor.data)
      append_bytes(result.bytes,
                   static_cast<std::int8_t>(std::clamp(std::nearbyint(x / scale), -127.0, 127.0)));
  } else {
    for (const double x : tensor.data) append_bytes(result.bytes, static_cast<float>(x));
  }
  return result;
}

WeightType type_of(const TensorEntry& entry) {
  if (entry.type == "F64") return WeightType::f64;
  if (entry.type == "F32") return WeightType::f32;
  if (entry.type == "F16") return WeightType::f16;
  if (entry.type == "BF16") return WeightType::bf16;
  if (entry.type == "I8") return WeightType::i8;
  refuse_tensor_file("\"" + entry.name + "\" holds numbers of the type " + entry.type +
                     "; known: F64, F32, F16, BF16, I8");
}

// That each number is one that this build can hold.
void check_numbers(const std::string& name, const WeightTensor& tensor) {
  double found = 0;
  const std::size_t at = tensor.first_unfit(found);
  if (at == tensor.count()) return;
  const char* const what = std::isnan(found)   ? "NaN"
                           : std::isinf(found) ? "infinity"
                                               : "a number too large to count with";
  refuse_tensor_file("\"" + name + "\" holds " + what + " at index " + std::to_string(at));
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

void join_scales(WeightStore& store, const std::set<std::string>& in_bytes) {
  for (const std::string& name : in_bytes) {
    const auto scale = store.find(name + ".scale");
    if (scale == store.end())
      refuse_tensor_file("\"" + name + "\" holds 8-bit integers, but there is no \"" + name +
                         ".scale\"");
    WeightTensor& tensor = store.at(name);
    if (!broadcasts(scale->second.shape(), tensor.shape()))
      refuse_tensor_file("\"" + name + ".scale\" has the shape " + to_text(scale->second.shape()) +
                         ", which cannot be broadcast to that of \"" + name + "\", " +
                         to_text(tensor.shape()));
    check_numbers(name + ".scale", scale->second);
    tensor.set_scale(scale->second);
    store.erase(scale);
  }
}

struct Read {
  WeightStore tensors;
  std::map<std::string, std::string, std::less<>> metadata;
};

// The tensors where they lie, in bytes that `holder` keeps, or else the caller.
Read read_file(std::string_view bytes, const std::shared_ptr<const void>& holder) {
  if (bytes.size() < 8)
    refuse_tensor_file(
        "it has " + std::to_string(bytes.size()) +
        " bytes, but the first 8 of a safetensors file give the length of its header");
  const std::uint64_t length = header_length(bytes.substr(0, 8), bytes.size());
  const std::string_view data = bytes.substr(8 + static_cast<std::size_t>(length));
  TensorHeader header =
      read_tensor_header(bytes.substr(8, static_cast<std::size_t>(length)), data.size());
  Read read{{}, std::move(header.metadata)};
  std::set<std::string> in_bytes;
  for (const TensorEntry& entry : header.entries) {
    const WeightType type = type_of(entry);
    if (element_count(entry.shape) > max_elements)
      refuse_tensor_file("\"" + entry.name + "\" has more numbers than the limit, " +
                         std::to_string(max_elements));
    const auto* const first = reinterpret_cast<const std::byte*>(data.data() + entry.first);
    read.tensors.emplace(entry.name, WeightTensor(entry.shape, type, first, holder));
    if (type == WeightType::i8) in_bytes.insert(entry.name);
  }
  join_scales(read.tensors, in_bytes);
  for (const auto& [name, tensor] : read.tensors) check_numbers(name, tensor);
  return read;
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
  append_bytes(out, std::uint64_t{text.size()});
  return out + text + data;
}

TensorFile read_tensor_file(std::string_view bytes) {
  const Read read = read_file(bytes, nullptr);
  TensorFile file{{}, read.metadata};
  for (const auto& [name, tensor] : read.tensors) {
    const std::shared_ptr<const real> first = tensor.numbers();
    file.tensors[name] = {tensor.shape(), {first.get(), first.get() + tensor.count()}};
  }
  return file;
}

// What training keeps beside the weights is none of them.
WeightStore weights_of(const HeldFile& file) {
  WeightStore weights = read_file({file.first.get(), file.size}, file.first).tensors;
  std::erase_if(weights, [](const auto& one) { return one.first.starts_with("optimiser."); });
  return weights;
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

namespace {
ParameterSource& parameter_source() {
  static ParameterSource asked = nullptr;
  return asked;
}
using Shared = std::shared_ptr<const WeightStore>;

std::map<std::string, Shared>& given() {
  static std::map<std::string, Shared> files;
  return files;
}

HeldFile copy_of(std::string_view bytes) {
  const auto held = std::make_shared_for_overwrite<char[]>(bytes.size());
  std::ranges::copy(bytes, held.get());
  return {held, bytes.size()};
}
}  // namespace

void set_parameter_source(ParameterSource asked) { parameter_source() = asked; }
void give_parameters(const std::string& name, const HeldFile& file) {
  given().erase(name);
  given()[name] = std::make_shared<const WeightStore>(weights_of(file));
}
void give_parameters(const std::string& name, std::string_view file) {
  give_parameters(name, copy_of(file));
}

void forget_parameters(const std::string& name) { given().erase(name); }

Shared named_parameters(const std::string& name, std::string_view where) {
  const ErrorScope scope(where, "");
  // The name of a file ends at its first U+0000 wherever it is opened.
  if (std::any_of(name.begin(), name.end(), [](char c) { return c >= 0 && c < ' '; }))
    refuse("expected the name of a file, found control characters in \"" + name + "\"");
  const auto found = given().find(name);
  if (found == given().end() && parameter_source() == nullptr)
    refuse("there are no weights named \"" + name + "\"");
  if (found != given().end()) return found->second;
  // Documents that are read while another one holds the file share it.
  static std::map<std::string, std::weak_ptr<const WeightStore>> held;
  if (Shared there = held[name].lock()) return there;
  const auto fresh =
      std::make_shared<const WeightStore>(weights_of(copy_of(parameter_source()(name))));
  held[name] = fresh;
  return fresh;
}

Shared named_parameters(const std::vector<std::string>& names) {
  // It holds the files' own stores, so that other documents share them.
  struct Together {
    std::vector<Shared> of;
    WeightStore tensors;
  };
  if (names.empty())
    refuse("/parameters/from", "expected at least one name of a file, found an empty list");
  const auto together = std::make_shared<Together>();
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string where = "/parameters/from/" + std::to_string(k);
    const Shared store = named_parameters(names[k], where);
    for (const auto& [name, tensor] : *store) {
      if (together->tensors.emplace(name, tensor).second) continue;
      const auto first = std::ranges::find_if(
          together->of, [&](const Shared& other) { return other->contains(name); });
      refuse(where, "\"" + name + "\" is also in \"" +
                        names[static_cast<std::size_t>(first - together->of.begin())] +
                        "\"; leave it out of one of the files");
    }
    together->of.push_back(store);
  }
  return {together, &together->tensors};
}

}  // namespace attend
