// SPDX-License-Identifier: Apache-2.0
#include "tests/experiment/harness.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>

#include "experiment/files/word_vectors.h"
#include "experiment/recording/draw.h"
#include "ops/random.h"
#include "tests/checkout.h"

namespace attend::testing {
namespace {

std::string word_file() {
  std::ifstream stream(testing::in_checkout("/data/words/words-large.bin"), std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

// Before any case runs.
[[maybe_unused]] const bool has_words = (set_word_source(&word_file), true);

}  // namespace

Ran run_json(const Json& document) {
  const Compiled recording = compile(read_document(document));
  const Result result = run(recording, Detail::outputs);
  Ran ran;
  for (const ResultTensor& tensor : result.tensors) {
    if (tensor.group() == TensorGroup::steps) continue;
    Array array(tensor.shape);
    const Numbers numbers = result.data(tensor);
    std::copy(numbers.begin(), numbers.end(), array.data.begin());
    (tensor.group() == TensorGroup::outputs     ? ran.outputs
     : tensor.group() == TensorGroup::gradients ? ran.gradients
                                                : ran.parameters)[tensor.name()] = array;
  }
  ran.knobs = recording.recording().resolved;
  ran.warnings = result.warnings;
  return ran;
}

Json document_of_rows(const char* mechanism, std::size_t rows) {
  Json json = parse_json(R"({"schema": "attention-playground/1", "seed": 3, "inputs": {"x": {}}})");
  json["inputs"]["x"]["shape"] = {rows, 6};
  std::vector<double> numbers(6 * rows);
  for (std::size_t i = 0; i < numbers.size(); ++i)
    numbers[i] = std::sin(static_cast<double>(i * i + 1));
  json["inputs"]["x"]["data"] = numbers;
  json["mechanism"] = parse_json(mechanism);
  return json;
}

Json to_json(const Tensor& tensor) { return {{"shape", tensor.shape}, {"data", tensor.data}}; }

namespace {
// A number drawn for a weight, moved to where the parameter's numbers may lie.
real inside(const Interval& values, real drawn) {
  const auto x = static_cast<double>(drawn);
  const bool above = std::isfinite(values.low), below = std::isfinite(values.high);
  const double share = 1 / (1 + std::exp(-x));
  if (above && below) return static_cast<real>(values.low + (values.high - values.low) * share);
  if (above) return static_cast<real>(values.low + std::log1p(std::exp(x)));
  return below ? static_cast<real>(values.high - std::log1p(std::exp(x))) : drawn;
}
}  // namespace

Json with_parameters(const Json& document, std::uint64_t seed) {
  Json full = document;
  const Compiled recording = compile(read_document(document));
  for (const Leaf& leaf : recording.leaves()) {
    if (leaf.kind != Leaf::Kind::parameter) continue;
    const bool data = is_random_data(leaf.distribution);
    std::vector<real> numbers(element_count(leaf.shape));
    Drawn drawn = drawn_of(leaf);
    if (!data) drawn.distribution = Distribution::weight;
    draw(drawn, {seed}, numbers);
    for (real& number : numbers) number = inside(leaf.values, number);
    full["parameters"][leaf.key] = to_json({leaf.shape, {numbers.begin(), numbers.end()}});
  }
  return full;
}

double distance(const Array& a, const Array& b) {
  if (a.shape != b.shape) return std::numeric_limits<double>::infinity();
  double worst = 0;
  for (std::size_t i = 0; i < a.data.size(); ++i) {
    const double gap = std::abs(a.data[i] - b.data[i]) / (1 + std::abs(b.data[i]));
    worst = gap <= worst ? worst : gap;  // a NaN counts
    if (std::isnan(gap)) return std::numeric_limits<double>::infinity();
  }
  return worst;
}

Array part(const Array& whole, std::size_t index) {
  Array one(Shape(whole.shape.begin() + 1, whole.shape.end()));
  std::copy_n(whole.data.begin() + static_cast<long>(index * one.data.size()), one.data.size(),
              one.data.begin());
  return one;
}

}  // namespace attend::testing
