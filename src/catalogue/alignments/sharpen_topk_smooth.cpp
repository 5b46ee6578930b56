// SPDX-License-Identifier: Apache-2.0
// Three changes to softmax from speech recognition:
//   sharpen  a = softmax(beta e)
//   top-k    softmax over the k best scores
//   smooth   a_j = sigma(e_j) / sum_l sigma(e_l)
// Chorowski et al. 2015 (Attention-Based Models for Speech Recognition), section 2.3,
// arXiv:1506.07503
#include "catalogue/entry.h"

namespace attend::sharpen_topk_smooth_entry {
namespace {

constexpr double lowest = -3e38;

Var build(const AlignmentIn& in) {  // scores [m n]
  const std::string& mode = in.text("mode");
  if (mode == "smooth") {
    const Var log_sigma = let("\\log \\sigma(E)", -activation("softplus", -in.scores));  // [m n]
    return softmax(log_sigma, in.mask);
  }
  const Var open = exclude(in.scores, in.mask, lowest);
  if (mode == "sharpen") {
    // From the row's best, so that large scores keep their digits.
    const Var below = in.scores - detach(max(open, -1, true));  // [m n]
    return softmax(let("\\beta E", in.scalar("beta") * below), in.mask);
  }
  const std::size_t n = in.scores.extent(-1);
  const Var first = greater(scalar(open, in.number("k")), iota(in.graph(), n));  // [n]
  const Var best = let("\\text{top}_k", put(broadcast_to(first, open.shape()), argsort(open), n));
  return softmax(in.scores, in.and_mask(best));  // [m n]
}

}  // namespace

// By counting how many allowed scores come before each, and by direct quotients.
Arrays reference(const ReferenceIn& in) {
  const std::string& mode = in.text("mode");
  return each_row(in, [&](std::size_t i, Row e) {
    const auto allowed = [&](std::size_t j) { return in.allowed(i, j); };
    if (mode == "sharpen") {
      for (double& score : e) score *= in.number("beta");
      return soft(e, allowed);
    }
    if (mode == "top-k") {
      return soft(e, [&](std::size_t j) {
        const double before = sum_over(e.size(), [&](std::size_t l) {
          return allowed(l) && (e[l] > e[j] || (e[l] == e[j] && l < j)) ? 1 : 0;
        });
        return allowed(j) && before < in.number("k");
      });
    }
    double total = 0;
    for (std::size_t j = 0; j < e.size(); ++j)
      total += e[j] = allowed(j) ? activate("sigmoid", e[j]) : 0;
    for (double& weight : e) weight /= total > 0 ? total : 1;
    return e;
  });
}

extern const Mechanism record{
    .id = "sharpen-topk-smooth",
    .aliases = {"sharpening", "top-k", "smoothing"},
    .knobs = {choice_knob("mode", "sharpen", {"sharpen", "top-k", "smooth"}),
              number_knob("beta", 2., 1, 10), integer_knob("k", 2., 1, 32).at_least(1)},
    .behaviour = Alignment{build}};
}  // namespace attend::sharpen_topk_smooth_entry
