// SPDX-License-Identifier: Apache-2.0
// GGUF files of Llama 3.1 and later have no settings of their rotation: the tensor rope_freqs.weight says for each pair
// of features by how much its rotation is slowed. Here these numbers become the settings from which they were computed.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "import/checkpoint.h"
#include "ops/error.h"

namespace attend {
namespace {

constexpr const char* tensor_name = "rope_freqs.weight";
constexpr double close = 1e-4;
constexpr double usual_base = 10000, usual_length = 8192;

double setting(const Checkpoint& from, const std::vector<std::string>& keys, double otherwise) {
  for (const std::string& key : keys) {
    if (from.config.contains(key) && from.config[key].is_number())
      return from.config[key].get<double>();
  }
  return otherwise;
}

// The pairs whose wave is longer than length/low are slowed by the factor, those whose wave is shorter than length/high
// are not, and the speed of those between is a mean of both.
struct Llama3 {
  double factor, length, low, high;

  [[nodiscard]] double slowed(double waves) const {  // so many waves in one length
    if (waves > high) return 1;
    if (waves < low) return factor;
    const double share = (waves - low) / (high - low);
    return 1 / ((1 - share) / factor + share);
  }
};

// How many waves of each pair fit into the length.
std::vector<double> waves_of(std::size_t pairs, double base, double length) {
  std::vector<double> waves(pairs);
  for (std::size_t t = 0; t < pairs; ++t)
    waves[t] = length / (2 * std::numbers::pi *
                         std::pow(base, static_cast<double>(t) / static_cast<double>(pairs)));
  return waves;
}

// What gives these numbers, if anything does. The share of each pair between grows with its waves along a line, and two
// of them say which.
std::optional<Llama3> settings_of(std::span<const float> slowed, double base, double length) {
  const std::vector<double> waves = waves_of(slowed.size(), base, length);
  const double factor = *std::ranges::max_element(slowed);
  if (!(factor >= 1)) return std::nullopt;
  std::vector<std::pair<double, double>> between;  // waves, share
  double most_slowed = 0,
         least_fast = 0;  // waves of the pairs next to those between; 0: there is none
  for (std::size_t t = 0; t < slowed.size(); ++t) {
    const double share = (1 / slowed[t] - 1 / factor) / (1 - 1 / factor);
    if (share > close && share < 1 - close) between.emplace_back(waves[t], share);
    if (share <= close) most_slowed = std::max(most_slowed, waves[t]);
    if (share >= 1 - close) least_fast = waves[t];
  }
  Llama3 found{factor, length, most_slowed, most_slowed};
  if (between.size() >= 2) {
    const auto [first_waves, first] = between.front();
    const auto [last_waves, last] = between.back();
    const double width = (first_waves - last_waves) / (first - last);
    found.low = last_waves - last * width;
    found.high = found.low + width;
  } else if (between.size() == 1) {
    // Many lines go through one pair: the steepest that its neighbours allow.
    const auto [own, share] = between.front();
    found.high = least_fast;
    found.low = (own - share * found.high) / (1 - share);
    if (least_fast == 0 || found.low < most_slowed) {
      found.low = most_slowed;
      found.high = found.low + (own - found.low) / share;
    }
  } else {
    found.low *= 1 + close;
    found.high = found.low * (1 + close);
  }
  for (std::size_t t = 0; t < slowed.size(); ++t) {
    if (!(std::abs(found.slowed(waves[t]) - slowed[t]) <= close * slowed[t])) return std::nullopt;
  }
  return found.low > 0 && found.high > found.low ? std::optional(found) : std::nullopt;
}

}  // namespace

void read_rope_freqs(Checkpoint& into) {
  const auto tensor = into.tensors.find(tensor_name);
  // What a config says about the rotation has priority, because then nothing is guessed.
  if (tensor == into.tensors.end() || into.config.contains("rope_scaling")) return;
  const FloatTensor factors = read_stored(tensor->second);
  if (factors.data.empty())
    refuse_file(*tensor->second.file, "the tensor \"rope_freqs.weight\" is empty");
  if (std::ranges::all_of(factors.data, [](float x) { return x == 1; })) return;
  const std::string kind = into.config.value("model_type", "llama");
  const double base = setting(into, {"rope_theta", kind + ".rope.freq_base"}, usual_base);
  const double length =
      setting(into, {kind + ".rope.scaling.original_context_length"}, usual_length);
  const bool all_alike =
      std::ranges::all_of(factors.data, [&](float x) { return x == factors.data[0]; });
  if (all_alike && factors.data[0] >= 1) {
    into.config["rope_scaling"] = {{"rope_type", "linear"}, {"factor", factors.data[0]}};
    return;
  }
  const auto found = settings_of(factors.data, base, length);
  if (!found)
    refuse_file(
        *tensor->second.file,
        "the tensor \"rope_freqs.weight\" slows the rotation in an unknown way; only the way of "
        "Llama 3 is known. Add the model's config.json with its \"rope_scaling\"");
  into.config["rope_scaling"] = {
      {"rope_type", "llama3"},
      {"factor", found->factor},
      {"low_freq_factor", found->low},
      {"high_freq_factor", found->high},
      {"original_max_position_embeddings", static_cast<std::uint64_t>(found->length)}};
}

}  // namespace attend
