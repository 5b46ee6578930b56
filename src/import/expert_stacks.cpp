// SPDX-License-Identifier: Apache-2.0
#include <cctype>
#include <optional>

#include "import/checkpoint.h"
#include "ops/error.h"
#include "ops/text.h"

namespace attend {
namespace {

// "layers.0.mlp.experts.12.up_proj.weight" is part 12 of "layers.0.mlp.experts.up_proj.weight".
struct ExpertName {
  std::string whole;
  std::size_t number = 0;
};

constexpr std::string_view expert_mark = ".experts.";
constexpr std::size_t most_digits = 5;

std::optional<ExpertName> expert_name(std::string_view name) {
  const std::size_t at = name.find(expert_mark);
  if (at == std::string_view::npos) return std::nullopt;
  const std::size_t begin = at + expert_mark.size(), dot = name.find('.', begin);
  if (dot == std::string_view::npos || dot == begin || dot - begin > most_digits)
    return std::nullopt;
  std::size_t number = 0;
  for (const char c : name.substr(begin, dot - begin)) {
    if (std::isdigit(static_cast<unsigned char>(c)) == 0) return std::nullopt;
    number = 10 * number + static_cast<std::size_t>(c - '0');
  }
  return ExpertName{std::string(name.substr(0, begin)) + std::string(name.substr(dot + 1)), number};
}

// The parts by their numbers, all of the same shape and type.
StoredTensor stacked(const std::string& name, std::map<std::size_t, StoredTensor> parts) {
  const StoredTensor& first = parts.begin()->second;
  StoredTensor whole = first;
  whole.name = name;
  whole.strides.clear();
  whole.shape.insert(whole.shape.begin(), parts.size());
  for (auto& [number, part] : parts) {
    if (number != whole.parts.size())
      refuse_file(*part.file, "the tensor \"" + part.name + "\" is of expert " +
                                  std::to_string(number) + ", but the tensor of expert " +
                                  std::to_string(whole.parts.size()) + " is missing");
    if (part.shape != first.shape || part.type != first.type)
      refuse_file(*part.file, "the tensor \"" + part.name + "\" has the shape " +
                                  to_text(part.shape) + " and the type " + part.type_name +
                                  "; expected " + to_text(first.shape) + " and " + first.type_name +
                                  " as in expert 0");
    whole.parts.push_back(part);
  }
  return whole;
}

}  // namespace

void stack_experts(Checkpoint& into) {
  std::map<std::string, std::map<std::size_t, StoredTensor>> found;
  for (const auto& [name, tensor] : into.tensors) {
    if (const auto expert = expert_name(name)) found[expert->whole].emplace(expert->number, tensor);
  }
  for (auto& [name, parts] : found) {
    for (const auto& [number, part] : parts) into.tensors.erase(part.name);
    into.tensors[name] = stacked(name, std::move(parts));
  }
}

}  // namespace attend
