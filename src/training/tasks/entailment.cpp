// SPDX-License-Identifier: Apache-2.0
// Two sentences about the same scene: "the black dog sleeps in the garden", "the animal rests outside" -> "entails".
// Words differ by known relations (a dog is an animal, black is not white), and so do all, some and no.
#include <algorithm>
#include <array>

#include "ops/error.h"
#include "training/entailment/judge.h"
#include "training/task.h"

namespace attend::entailment_entry {
namespace {

using namespace entailment;
using entailment::Node;  // and not that of a graph
using Tokens = std::vector<std::string>;

const std::array<Verdict, 3> verdicts{Verdict::entails, Verdict::contradicts, Verdict::neutral};
// How often a premise has a word of a kind that it could do without, and how often a hypothesis leaves it out.
constexpr double extra = 0.5, dropped = 0.4;
// How often a hypothesis changes no word, or a second one, and how often a word becomes one of its own line.
constexpr double unchanged = 0.05, twice = 0.4, related = 0.6;

Node any(Kind kind, Draws& draws) {
  const auto list = nodes_of(kind);
  return list[draws.below(list.size())];
}

bool sensible(const Sentence& sentence) {
  for (const Part part : {Part::quality, Part::doing}) {
    if (sentence.has(part) && !suits(sentence.node(part), sentence.node(Part::noun))) return false;
  }
  return true;
}

class Entailment : public TaskSource {
 public:
  explicit Entailment(const TaskSettings& settings)
      : quantified_(std::get<double>(settings.values.find("quantified")->second)),
        negated_(std::get<double>(settings.values.find("negated")->second)),
        words_{vocabulary_of(all_words()), vocabulary_of({"entails", "contradicts", "neutral"})} {}

  [[nodiscard]] const Tokens& words(std::size_t field) const override {
    return words_.at(field == 2 ? 1 : 0);
  }

  // Of pairs without a quality that differ in one noun or one verb, which are not all.
  [[nodiscard]] double space() const override {
    const auto count = [](Kind kind) { return static_cast<double>(nodes_of(kind).size()); };
    const double nouns = count(Kind::noun), verbs = count(Kind::verb);
    double sum = 0;
    if (quantified_ > 0) sum += 3 * nouns * verbs * (nouns + verbs - 1);
    if (quantified_ < 1) sum += nouns * verbs * (count(Kind::place) + 1) * (nouns + verbs - 1);
    return sum;
  }

  // Each verdict is as frequent as the others.
  [[nodiscard]] Example draw(Draws& draws) const override {
    const Verdict verdict = verdicts.at(draws.below(verdicts.size()));
    const bool quantified = draws.uniform() < quantified_;
    for (;;) {
      const Sentence premise = quantified ? quantity(draws) : scene(draws);
      const Sentence hypothesis = changed(premise, draws);
      if (sensible(premise) && sensible(hypothesis) && judged(premise, hypothesis) == verdict)
        return *answer_to({spoken(premise), spoken(hypothesis)});
    }
  }

  [[nodiscard]] std::optional<Example> answer_to(
      const std::vector<Tokens>& sources) const override {
    if (sources.size() != 2) return std::nullopt;
    const auto premise = read(sources[0]), hypothesis = read(sources[1]);
    if (!premise || !hypothesis || premise->quantified != hypothesis->quantified)
      return std::nullopt;
    Example example;
    for (std::size_t k = 0; k < 2; ++k) example.fields.push_back(*filling_of(*this, k, sources[k]));
    const auto verdict = static_cast<std::uint16_t>(judged(*premise, *hypothesis));
    example.fields.push_back({.words = {static_cast<std::uint16_t>(verdict + 3)}});
    for (const std::size_t column : deciding(*premise, *hypothesis))
      example.links.push_back({0, column, LinkKind::means});
    example.matches = matches(*premise, *hypothesis);
    return example;
  }

 private:
  [[nodiscard]] static Sentence quantity(Draws& draws) {
    Sentence made{.quantified = true, .quantity = draws.below(3)};
    made.put(Part::noun, any(Kind::noun, draws));
    made.put(Part::doing, any(draws.below(2) == 0 ? Kind::verb : Kind::quality, draws));
    return made;
  }

  [[nodiscard]] Sentence scene(Draws& draws) const {
    Sentence made{.quantified = false, .quantity = draws.uniform() < negated_ ? 1U : 0U};
    made.put(Part::noun, any(Kind::noun, draws));
    made.put(Part::doing, any(Kind::verb, draws));
    if (draws.uniform() < extra) made.put(Part::quality, any(Kind::quality, draws));
    if (made.quantity == 0 && draws.uniform() < extra)
      made.put(Part::place, any(Kind::place, draws));
    return made;
  }

  [[nodiscard]] Sentence changed(Sentence made, Draws& draws) const {
    for (const Part part : {Part::quality, Part::place}) {
      if (made.has(part) && draws.uniform() < dropped) made.drop(part);
    }
    const std::size_t changes = draws.uniform() < unchanged ? 0 : draws.uniform() < twice ? 2 : 1;
    for (std::size_t k = 0; k < changes; ++k) change(made, draws);
    return made;
  }

  void change(Sentence& made, Draws& draws) const {
    const std::array<Part, 4> parts{Part::noun, Part::doing, Part::quality, Part::place};
    if (made.quantified) {
      const std::size_t at = draws.below(3);
      if (at == 2)
        made.quantity = draws.below(3);
      else
        replace(made, parts.at(at), draws);
    } else if (draws.uniform() < negated_) {
      made.quantity = 1 - made.quantity;
      made.drop(Part::place);
    } else {
      replace(made, parts.at(draws.below(made.quantity == 0 ? 4 : 3)), draws);
    }
  }

  static void replace(Sentence& made, Part part, Draws& draws) {
    if (made.has(part) && draws.uniform() < related) {
      const auto line = line_of(made.node(part));
      if (!line.empty()) {
        made.put(part, line[draws.below(line.size())]);
        return;
      }
    }
    const Kind kind = part == Part::noun      ? Kind::noun
                      : part == Part::place   ? Kind::place
                      : part == Part::quality ? Kind::quality
                                              : kind_of(made.node(part));
    made.put(part, any(kind, draws));
  }

  double quantified_, negated_;
  std::array<Tokens, 2> words_;
};

}  // namespace

extern const Task entailment_task;
const Task entailment_task{
    .id = "task-entailment",
    .fields = {{"premise"}, {"hypothesis"}, {"target", true}},
    .knobs = {{"quantified", 0.2, 0, 1, false}, {"negated", 0.15, 0, 0.9, false}},
    .open = opened<Entailment>};
}  // namespace attend::entailment_entry
