// SPDX-License-Identifier: Apache-2.0
// Two facts to be joined, "a c , b d , c e , a" -> "e": a leads to c, and c leads to e. The facts stand in any order.
#include <algorithm>

#include "training/solved.h"

namespace attend::two_hop_entry {
namespace {

class TwoHop : public SolvedSource {
 public:
  explicit TwoHop(const TaskSettings& settings)
      : SolvedSource(letters(settings.count("letters")), letters(settings.count("letters")),
                     settings.count("end") != 0),
        chains_(settings.count("chains")),
        letters_(settings.count("letters")) {
    if (3 * chains_ > letters_)
      refuse("/chains", std::to_string(chains_) + " chains need " + std::to_string(3 * chains_) +
                            " letters, but there are " + std::to_string(letters_));
  }
  // Which letters, in which order the facts of all chains stand, and which chain is asked for; chains have no order of
  // their own.
  [[nodiscard]] double space() const override {
    double sum = static_cast<double>(chains_);
    for (std::size_t k = 0; k < 3 * chains_; ++k) sum *= static_cast<double>(letters_ - k);
    for (std::size_t k = chains_ + 1; k <= 2 * chains_; ++k) sum *= static_cast<double>(k);
    return sum;
  }

 protected:
  [[nodiscard]] Words draw_source(Draws& draws) const override {
    std::vector<std::size_t> all(letters_);
    for (std::size_t i = 0; i < letters_; ++i) all[i] = i;
    draws.shuffle(all);
    std::vector<std::pair<std::size_t, std::size_t>> facts;
    for (std::size_t c = 0; c < chains_; ++c) {
      facts.emplace_back(all[3 * c], all[3 * c + 1]);
      facts.emplace_back(all[3 * c + 1], all[3 * c + 2]);
    }
    draws.shuffle(facts);
    Words source;
    for (const auto& [from, to] : facts) {
      source.push_back(word(from));
      source.push_back(word(to));
    }
    source.push_back(word(all[3 * draws.below(chains_)]));
    return source;
  }

  [[nodiscard]] std::optional<Solution> solve(const Words& source) const override {
    if (source.size() < 5 || source.size() % 2 == 0) return std::nullopt;
    const auto leads = [&](std::uint16_t from) -> std::optional<std::size_t> {
      for (std::size_t i = 0; i + 2 < source.size(); i += 2) {
        if (source[i] == from) return i + 1;
      }
      return std::nullopt;
    };
    const auto middle = leads(source.back());
    const auto last = middle ? leads(source[*middle]) : std::nullopt;
    if (!last) return std::nullopt;
    Solution solution;
    solution.add(source[*last], {*last});
    solution.agrees(*middle);
    solution.agrees(*last - 1);
    return solution;
  }

 private:
  static std::vector<std::string> letters(std::size_t count) {
    std::vector<std::string> list;
    for (std::size_t i = 0; i < count; ++i) list.emplace_back(1, static_cast<char>('a' + i));
    return list;
  }
  std::size_t chains_, letters_;
};

}  // namespace

extern const Task two_hop_task;
const Task two_hop_task{
    .id = "task-two-hop",
    .fields = source_and_target,
    .knobs = {{"chains", 3, 1, 8}, {"letters", 16, 3, 26, true, false, true}, {"end", 0, 0, 1}},
    .open = opened<TwoHop>};
}  // namespace attend::two_hop_entry
