// SPDX-License-Identifier: Apache-2.0
#include "fused/faded.h"

#include "fused/band.h"
#include "fused/reader.h"
#include "ops/primitives/records.h"

namespace attend::fused {
namespace {

using namespace attend::primitives;

class Faded {
 public:
  Faded(const Graph& graph, const std::vector<std::size_t>& uses)
      : graph_(graph), read_(graph), uses_(uses) {}

  std::optional<FadedWeights> weights(NodeId id) const {
    const Node& share = read_[id];
    if (!read_.is(share, divide)) return std::nullopt;
    const Node &faint = read_[share.inputs[0]], &kept = read_[share.inputs[1]];
    if (!read_.is(faint, multiply) || !read_.is(kept, where) || !only(faint.id, 2)) return {};
    const Node& total = read_[kept.inputs[1]];
    const Node& above = read_[kept.inputs[0]];
    double zero = 1, one = 0;
    const bool divided = read_.is(total, attend::primitives::sum) && only(total.id, 2) &&
                         read_[total.inputs[0]].id == faint.id && total.attributes[0] == -1 &&
                         read_.is(above, greater) && read_[above.inputs[0]].id == total.id &&
                         read_.number(above.inputs[1], zero) && zero == 0 &&
                         read_.number(kept.inputs[2], one) && one == 1;
    if (!divided) return std::nullopt;
    const Node &kernel = read_[faint.inputs[0]], &ramp = read_[faint.inputs[1]];
    if (!read_.is(kernel, attend::primitives::softmax) || kernel.inputs.size() != 2 ||
        !only(kernel.id, 1))
      return std::nullopt;
    const std::optional<bool> causal = mask(kernel.inputs[1], ramp.id);
    std::optional<FadedWeights> found = clipped(ramp);
    if (!causal || !found) return std::nullopt;
    found->softmax = kernel.id;
    found->causal = *causal;
    return found;
  }

 private:
  bool only(NodeId id, std::size_t times) const { return uses_[id] == times; }

  // ramp > 0, or that times the pairs of the past.
  std::optional<bool> mask(NodeId id, NodeId ramp) const {
    const Node& node = read_[id];
    const auto seen = [&](NodeId x) {
      double zero = 1;
      const Node& above = read_[x];
      return read_.is(above, greater) && read_[above.inputs[0]].id == ramp &&
             read_.number(above.inputs[1], zero) && zero == 0;
    };
    if (seen(id)) return false;
    if (!read_.is(node, multiply)) return std::nullopt;
    for (const std::size_t k : {0U, 1U}) {
      const std::optional<Band> past = band_of(graph_, read_[node.inputs[1 - k]].id);
      if (seen(node.inputs[k]) && past && past->before == unbounded && past->after == 0 &&
          past->block == 0)
        return true;
    }
    return std::nullopt;
  }

  // -max(-max(x, 0), -1), x = (R + z - |i - j|) / R.
  std::optional<FadedWeights> clipped(const Node& node) const {
    if (!read_.is(node, negative)) return std::nullopt;
    const Node& low = read_[node.inputs[0]];
    double bound = 0;
    if (!read_.is(low, maximum) || !read_.number(low.inputs[1], bound) || bound != -1) return {};
    const Node& turned = read_[low.inputs[0]];
    if (!read_.is(turned, negative)) return std::nullopt;
    const Node& high = read_[turned.inputs[0]];
    if (!read_.is(high, maximum) || !read_.number(high.inputs[1], bound) || bound != 0) return {};
    const Node& ratio = read_[high.inputs[0]];
    if (!read_.is(ratio, divide)) return std::nullopt;
    const Node& rest = read_[ratio.inputs[0]];
    if (!read_.is(rest, subtract) || !distance(rest.inputs[1])) return std::nullopt;
    const Node &reach = read_[rest.inputs[0]], &ramp = read_[ratio.inputs[1]];
    if (!read_.is(reach, add) || read_[reach.inputs[0]].id != ramp.id) return std::nullopt;
    const Node& z = read_[reach.inputs[1]];
    if (element_count(ramp.shape) != 1 || z.shape.empty() || z.shape.back() != 1) return {};
    return FadedWeights{0, z.id, ramp.id, false};
  }
  bool distance(NodeId id) const {
    const Node& node = read_[id];
    return read_.is(node, attend::primitives::absolute) && read_.gap(node.inputs[0]);
  }

  const Graph& graph_;
  Reader read_;
  const std::vector<std::size_t>& uses_;
};

}  // namespace

std::optional<FadedWeights> faded_of(const Graph& graph, const std::vector<std::size_t>& uses,
                                     NodeId weights) {
  return Faded(graph, uses).weights(weights);
}

}  // namespace attend::fused
