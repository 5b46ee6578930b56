// SPDX-License-Identifier: Apache-2.0
#include "evaluation/edits.h"

#include <algorithm>

namespace attend {

Edits edits_between(const std::vector<std::string>& text,
                    const std::vector<std::string>& reference) {
  const std::size_t m = reference.size(), n = text.size(), width = n + 1;
  std::vector<std::size_t> cost((m + 1) * width);
  for (std::size_t i = 0; i <= m; ++i) {
    for (std::size_t j = 0; j <= n; ++j) {
      if (i == 0 || j == 0) {
        cost[i * width + j] = i + j;
        continue;
      }
      const std::size_t wrong = reference[i - 1] == text[j - 1] ? 0 : 1;
      cost[i * width + j] = std::min({cost[(i - 1) * width + j - 1] + wrong,
                                      cost[(i - 1) * width + j] + 1, cost[i * width + j - 1] + 1});
    }
  }
  Edits edits;
  std::size_t i = m, j = n;
  while (i > 0 || j > 0) {
    const std::size_t here = cost[i * width + j];
    const bool both = i > 0 && j > 0;
    const bool equal = both && reference[i - 1] == text[j - 1];
    if (equal && here == cost[(i - 1) * width + j - 1]) {
      edits.path.emplace_back("match");
      --i, --j;
    } else if (both && here == cost[(i - 1) * width + j - 1] + 1) {
      edits.path.emplace_back("substitute");
      ++edits.substitutions;
      --i, --j;
    } else if (i > 0 && here == cost[(i - 1) * width + j] + 1) {
      edits.path.emplace_back("delete");
      ++edits.deletions;
      --i;
    } else {
      edits.path.emplace_back("insert");
      ++edits.insertions;
      --j;
    }
  }
  std::reverse(edits.path.begin(), edits.path.end());
  return edits;
}

void examine_edits(const MeasureIn& in, Finding& found) {
  const auto& reference = in.words("reference");
  if (in.words("tokens").size() * reference.size() > 25'000'000)
    in.refuse_input("tokens", "the texts are too long to compare: " +
                                  std::to_string(in.words("tokens").size()) + " by " +
                                  std::to_string(reference.size()) + " tokens");
  const Edits edits = edits_between(in.words("tokens"), reference);
  found.units.push_back(
      {static_cast<double>(edits.substitutions), static_cast<double>(edits.deletions),
       static_cast<double>(edits.insertions), static_cast<double>(reference.size())});
  found.details.push_back({"path", {}, edits.path});
}

double edit_rate(const Settings& /*settings*/, Units units, Details* details) {
  const Unit sum = sum_of(units);
  if (details != nullptr) {
    details->push_back({"substitutions", vector_of({sum[0]})});
    details->push_back({"deletions", vector_of({sum[1]})});
    details->push_back({"insertions", vector_of({sum[2]})});
    details->push_back({"reference length", vector_of({sum[3]})});
  }
  return sum[3] > 0 ? (sum[0] + sum[1] + sum[2]) / sum[3] : not_a_number;
}

}  // namespace attend
