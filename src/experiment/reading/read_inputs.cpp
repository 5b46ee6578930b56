// SPDX-License-Identifier: Apache-2.0
#include "experiment/reading/read_inputs.h"

#include <cmath>
#include <map>

#include "experiment/files/word_vectors.h"
#include "experiment/reading/read_tensor.h"
#include "ops/error.h"
#include "ops/json_pointer.h"
#include "ops/random.h"

namespace attend {
namespace {

constexpr std::size_t embedding_width = 16;
constexpr std::size_t max_input_numbers = std::size_t{1} << 24U;  // of all inputs: 128 MiB

// Distinct tokens of all one-hot inputs, in order of first appearance, so that inputs share one
// vocabulary.
using Vocabulary = std::map<std::string, std::size_t>;

Vocabulary vocabulary_among(const Json& inputs) {
  Vocabulary words;
  for (const Json& input : inputs) {
    const Json* features = input.is_object() ? member(input, "features") : nullptr;
    const Json* type =
        features != nullptr && features->is_object() ? member(*features, "type") : nullptr;
    const Json* tokens = input.is_object() ? member(input, "tokens") : nullptr;
    if (type == nullptr || *type != "one-hot" || tokens == nullptr || !tokens->is_array()) continue;
    for (const Json& token : *tokens) {
      if (token.is_string()) words.emplace(token.get<std::string>(), words.size());
    }
  }
  return words;
}

void check_width(std::size_t tokens, std::size_t width, const std::string& path) {
  if (width <= max_input_numbers / tokens) return;
  refuse(path + "/dim", std::to_string(tokens) + " tokens of width " + std::to_string(width) +
                            " are more than " + std::to_string(max_input_numbers) + " numbers");
}

Tensor one_hot_features(const std::vector<std::string>& tokens, const Vocabulary& words,
                        Json& features, const std::string& path) {
  const Json* dim = member(features, "dim");
  const std::size_t width = dim == nullptr ? words.size() : read_count(*dim, path + "/dim", 1);
  if (width < words.size()) {
    refuse(path + "/dim", "there are " + std::to_string(words.size()) +
                              " distinct tokens, but dim is " + std::to_string(width));
  }
  check_width(tokens.size(), width, path);
  features["dim"] = width;
  Tensor tensor{{tokens.size(), width},
                std::vector<double>(element_count({tokens.size(), width}), 0)};
  for (std::size_t i = 0; i < tokens.size(); ++i) {
    tensor.data[i * width + words.at(tokens[i])] = 1;
  }
  return tensor;
}

// Standard normal vectors; the same word has the same vector at every place.
Tensor embedded(const std::vector<std::string>& tokens, std::size_t width, std::uint64_t seed) {
  Tensor tensor{{tokens.size(), width}, {}};
  tensor.data.reserve(element_count(tensor.shape));
  for (const std::string& token : tokens) {
    const RandomStream stream(seed, "token:" + token);
    for (std::size_t c = 0; c < width; ++c) tensor.data.push_back(stream.normal(c));
  }
  return tensor;
}

Tensor sinusoids(std::size_t count, std::size_t width) {
  Tensor tensor{{count, width}, {}};
  tensor.data.reserve(element_count(tensor.shape));
  for (std::size_t p = 0; p < count; ++p) {
    for (std::size_t c = 0; c < width; ++c) {
      const double angle =
          static_cast<double>(p) *
          std::pow(10000.0, -static_cast<double>(c / 2 * 2) / static_cast<double>(width));
      tensor.data.push_back(c % 2 == 0 ? std::sin(angle) : std::cos(angle));
    }
  }
  return tensor;
}

const members::Features& features_of(const Json& type, const std::string& path) {
  std::string list;
  for (const members::Features& features : members::features) {
    if (type == features.type) return features;
    list += (list.empty() ? "\"" : ", \"") + std::string(features.type) + "\"";
  }
  refuse(path, "expected one of " + list + ", found " + describe(type));
}

Tensor token_features(const std::vector<std::string>& tokens, Json& features,
                      const Vocabulary& words, std::uint64_t seed, const std::string& path,
                      std::vector<Warning>& warnings) {
  if (!features.is_object())
    refuse(path, "expected an object with a type, found " + describe(features));
  if (!features.contains("type")) features["type"] = std::string(members::features.front().type);
  const Json& type = features["type"];
  check_members(features, path, features_of(type, path + "/type").members);
  if (type == "matrix") {
    if (!features.contains("matrix"))
      refuse(path + "/matrix", "expected a list of rows, one per token");
    Tensor tensor = read_matrix(features["matrix"], path + "/matrix");
    if (tensor.shape[0] != tokens.size()) {
      refuse(path + "/matrix", "expected " + std::to_string(tokens.size()) +
                                   " rows, one per token, found " +
                                   std::to_string(tensor.shape[0]));
    }
    return tensor;
  }
  if (type == "one-hot") return one_hot_features(tokens, words, features, path);
  if (type == "words") {
    check_width(tokens.size(), max_word_width, path);
    return word_features(tokens, features, seed, path, warnings);
  }
  if (!features.contains("dim")) features["dim"] = embedding_width;
  const std::size_t width = read_count(features["dim"], path + "/dim", 1);
  check_width(tokens.size(), width, path);
  if (type == "sinusoidal") return sinusoids(tokens.size(), width);
  const Json* own_seed = member(features, "seed");
  return embedded(tokens, width,
                  own_seed == nullptr ? seed : read_count(*own_seed, path + "/seed", 0));
}

Input read_input(Json& source, const Vocabulary& words, std::uint64_t seed, const std::string& path,
                 std::vector<Warning>& warnings) {
  if (!source.is_object()) {
    refuse(
        path,
        R"(expected {"tokens": [...], "features": {...}}, {"matrix": [[...]]} or {"shape": [...], "data": [...]}, found )" +
            describe(source));
  }
  Input input;
  if (source.contains("tokens")) {
    check_members(source, path, members::token_source);
    input.labels = read_texts(source["tokens"], path + "/tokens");
    if (input.labels.empty()) refuse(path + "/tokens", "expected at least one token, found none");
    if (!source.contains("features")) source["features"] = Json::object();
    input.tensor =
        token_features(input.labels, source["features"], words, seed, path + "/features", warnings);
    return input;
  }
  if (source.contains("matrix")) {
    check_members(source, path, members::matrix_source);
    input.tensor = read_matrix(source["matrix"], path + "/matrix");
  } else {
    check_members(source, path, members::shaped_source);
    Json numbers = source;
    numbers.erase("labels");
    input.tensor = read_tensor(numbers, path);
  }
  if (!source.contains("labels")) return input;
  input.labels = read_texts(source["labels"], path + "/labels");
  const std::size_t rows = input.tensor.shape.empty() ? 1 : input.tensor.shape[0];
  if (input.labels.size() != rows) {
    refuse(path + "/labels", "expected " + std::to_string(rows) + " labels, one per row, found " +
                                 std::to_string(input.labels.size()));
  }
  return input;
}

}  // namespace

std::vector<std::string> read_texts(const Json& json, const std::string& path) {
  if (!json.is_array()) refuse(path, "expected a list of strings, found " + describe(json));
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < json.size(); ++i) {
    if (!json[i].is_string())
      refuse(path + "/" + std::to_string(i), "expected a string, found " + describe(json[i]));
    texts.push_back(json[i].get<std::string>());
  }
  return texts;
}

void check_is_inputs(const Json& inputs, const std::string& path) {
  if (!inputs.is_object())
    refuse(path, "expected an object of named inputs, found " + describe(inputs));
}

Builder::Inputs read_inputs(Json& inputs, std::uint64_t seed, const std::string& path,
                            std::vector<Warning>& warnings) {
  check_is_inputs(inputs, path);
  const Vocabulary words = vocabulary_among(inputs);
  Builder::Inputs read;
  std::size_t numbers = 0;
  for (auto& [name, source] : inputs.items()) {
    const std::string here = path + "/" + as_pointer_part(name);
    read[name] = read_input(source, words, seed, here, warnings);
    numbers += read[name].tensor.data.size();
    if (numbers > max_input_numbers) {
      refuse(here, "the inputs up to here have " + std::to_string(numbers) +
                       " numbers; the limit is " + std::to_string(max_input_numbers));
    }
  }
  return read;
}

}  // namespace attend
