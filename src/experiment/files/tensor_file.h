// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue/knob.h"
#include "ops/half.h"
#include "ops/weight_store.h"

namespace attend {

// A file of tensors in the safetensors format: a length, a header in JSON, the numbers.
struct TensorFile {
  std::map<std::string, Tensor, std::less<>> tensors;
  std::map<std::string, std::string, std::less<>> metadata;
};

// How numbers are written: as they are computed, as float32, in half precision, or as bytes with one scale a tensor,
// "NAME.scale".
enum class NumberCode { whole, single, half, bytes };

std::string write_tensor_file(const TensorFile& file, NumberCode code);

// Understands F64, F32, F16, BF16, and I8 with its scales, "NAME.scale": float numbers that are multiplied with the
// bytes, broadcast: one for the tensor, or one for each column ([1 c] of [r c], [h 1 c] of [h r c]). Throws Error,
// naming what is wrong, for a file that is cut
// short, whose header lies about its sizes, or that holds a number which is not finite.
TensorFile read_tensor_file(std::string_view bytes);

// The half-precision number (IEEE 754 binary16) nearest to a float, ties to even.
std::uint16_t half_of(float number);

// The bytes of a file, held as long as anybody reads them.
struct HeldFile {
  std::shared_ptr<const char[]> first;
  std::size_t size = 0;
};
// The tensors of a file as they lie in it, which is held as long as any of them. Understands and refuses what
// read_tensor_file does.
WeightStore weights_of(const HeldFile& file);

// Gives the file's bytes for `"parameters": {"from": NAME}`, or throws Error. The page sets none: it hands files over.
using ParameterSource = std::string (*)(const std::string& name);
void set_parameter_source(ParameterSource asked);
// A file by its name, before a document that names it: what the page does.
void give_parameters(const std::string& name, const HeldFile& file);
void give_parameters(const std::string& name, std::string_view file);
// The first reader of a given file keeps it; later ones do not get it.
void forget_parameters(const std::string& name);
// The tensors of the file of this name: a given file is read once, and shared. Throws Error.
// `where`: the field that names it.
std::shared_ptr<const WeightStore> named_parameters(const std::string& name,
                                                    std::string_view where = "/parameters/from");
// The tensors of several files, of which none may be in two.
std::shared_ptr<const WeightStore> named_parameters(const std::vector<std::string>& names);

}  // namespace attend
