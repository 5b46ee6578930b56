// SPDX-License-Identifier: Apache-2.0
#include "training/entailment/judge.h"

#include <algorithm>

namespace attend::entailment {
namespace {

constexpr std::array<Part, parts> every_part{Part::noun, Part::doing, Part::quality, Part::place};
constexpr std::size_t all_of = 0, some_of = 1;

Verdict of_affirmed(Relation relation) {
  if (relation == Relation::same || relation == Relation::below) return Verdict::entails;
  return relation == Relation::apart ? Verdict::contradicts : Verdict::neutral;
}

// What one does, where either sentence may say that one does not.
Verdict of_doing(Relation relation, bool not_in_premise, bool not_in_hypothesis) {
  const bool covered = relation == Relation::same || relation == Relation::below,
             covering = relation == Relation::same || relation == Relation::above;
  if (!not_in_premise && !not_in_hypothesis) return of_affirmed(relation);
  if (not_in_premise && not_in_hypothesis) return covering ? Verdict::entails : Verdict::neutral;
  if (not_in_premise) return covering ? Verdict::contradicts : Verdict::neutral;
  return covered                       ? Verdict::contradicts
         : relation == Relation::apart ? Verdict::entails
                                       : Verdict::neutral;
}

Verdict of_scenes(const Sentence& premise, const Sentence& hypothesis) {
  bool open = false;
  for (const Part part : every_part) {
    if (!hypothesis.has(part)) continue;
    const Relation found =
        premise.has(part) ? relation(premise.node(part), hypothesis.node(part)) : Relation::free;
    const Verdict verdict = part == Part::doing
                                ? of_doing(found, premise.quantity == 1, hypothesis.quantity == 1)
                                : of_affirmed(found);
    if (verdict == Verdict::contradicts) return verdict;
    open = open || verdict == Verdict::neutral;
  }
  return open ? Verdict::neutral : Verdict::entails;
}

// Whether something may be the first word and the second: both or neither are given as 1 and 0.
bool possible(Relation relation, std::size_t first, std::size_t second) {
  switch (relation) {
    case Relation::same:
      return first == second;
    case Relation::below:
      return first <= second;
    case Relation::above:
      return first >= second;
    case Relation::apart:
      return first + second < 2;
    case Relation::free:
      return true;
  }
  return true;
}

// Things of one sort: for each sentence, whether they are its noun and whether they do what it says.
struct Sort {
  std::array<std::size_t, 2> noun, doing;
};

bool holds(std::size_t quantity, std::size_t k, const std::vector<Sort>& world) {
  const auto is = [&](const Sort& sort) { return sort.noun.at(k) == 1; };
  const auto does = [&](const Sort& sort) { return is(sort) && sort.doing.at(k) == 1; };
  if (quantity == all_of)
    return std::all_of(world.begin(), world.end(),
                       [&](const Sort& sort) { return !is(sort) || does(sort); });
  return std::any_of(world.begin(), world.end(), does) == (quantity == some_of);
}

// Every world that the words allow and in which there are things of both nouns is tried: a world is which sorts of
// things there are.
Verdict of_quantities(const Sentence& premise, const Sentence& hypothesis) {
  const auto related = [&](Part part) {
    return relation(premise.node(part), hypothesis.node(part));
  };
  std::vector<Sort> sorts;
  for (std::size_t bits = 0; bits < 16; ++bits) {
    const Sort sort{{bits & 1U, bits >> 1U & 1U}, {bits >> 2U & 1U, bits >> 3U & 1U}};
    if (possible(related(Part::noun), sort.noun[0], sort.noun[1]) &&
        possible(related(Part::doing), sort.doing[0], sort.doing[1]) &&
        sort.noun[0] + sort.noun[1] > 0)
      sorts.push_back(sort);
  }
  bool both = false, premise_alone = false;
  for (std::size_t chosen = 0; chosen < std::size_t{1} << sorts.size(); ++chosen) {
    std::vector<Sort> world;
    for (std::size_t k = 0; k < sorts.size(); ++k) {
      if ((chosen >> k & 1U) == 1) world.push_back(sorts[k]);
    }
    const auto there = [&](std::size_t k) {
      return std::any_of(world.begin(), world.end(),
                         [&](const Sort& sort) { return sort.noun.at(k) == 1; });
    };
    if (!there(0) || !there(1) || !holds(premise.quantity, 0, world)) continue;
    (holds(hypothesis.quantity, 1, world) ? both : premise_alone) = true;
  }
  return !premise_alone ? Verdict::entails : both ? Verdict::neutral : Verdict::contradicts;
}

// A difference between the sentences: the position of the premise, and the hypothesis without the difference.
struct Difference {
  std::optional<std::size_t> column;
  Sentence without;
};

std::vector<Difference> differences(const Sentence& premise, const Sentence& hypothesis) {
  std::vector<Difference> list;
  for (const Part part : every_part) {
    if (!hypothesis.has(part)) continue;
    Sentence without = hypothesis;
    if (!premise.has(part)) {
      without.drop(part);
      list.push_back({std::nullopt, without});
    } else if (premise.node(part) != hypothesis.node(part)) {
      without.put(part, premise.node(part));
      list.push_back({premise.at(part)->column, without});
    }
  }
  if (premise.quantity != hypothesis.quantity) {
    Sentence without = hypothesis;
    without.quantity = premise.quantity;
    // A premise without "not" has no word for that, so its verb decides.
    list.push_back(
        {premise.quantity_at ? *premise.quantity_at : premise.at(Part::doing)->column, without});
  }
  return list;
}

}  // namespace

Verdict judged(const Sentence& premise, const Sentence& hypothesis) {
  return premise.quantified ? of_quantities(premise, hypothesis) : of_scenes(premise, hypothesis);
}

std::vector<std::size_t> deciding(const Sentence& premise, const Sentence& hypothesis) {
  const Verdict verdict = judged(premise, hypothesis);
  const std::vector<Difference> all_of_them = differences(premise, hypothesis);
  std::vector<Difference> decisive;
  for (const Difference& one : all_of_them) {
    if (judged(premise, one.without) != verdict) decisive.push_back(one);
  }
  std::vector<std::size_t> columns;
  for (const Difference& one : decisive.empty() ? all_of_them : decisive) {
    if (one.column) columns.push_back(*one.column);
  }
  if (all_of_them.empty()) {
    for (const Link& match : matches(premise, hypothesis)) columns.push_back(match.column);
  }
  std::sort(columns.begin(), columns.end());
  columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
  return columns;
}

std::vector<Link> matches(const Sentence& premise, const Sentence& hypothesis) {
  std::vector<Link> list;
  if (premise.quantity_at && hypothesis.quantity_at)
    list.push_back({*hypothesis.quantity_at, *premise.quantity_at});
  for (const Part part : every_part) {
    if (!premise.has(part) || !hypothesis.has(part)) continue;
    if (relation(premise.node(part), hypothesis.node(part)) != Relation::free)
      list.push_back({hypothesis.at(part)->column, premise.at(part)->column});
  }
  std::sort(list.begin(), list.end(), [](const Link& a, const Link& b) { return a.row < b.row; });
  return list;
}

}  // namespace attend::entailment
