// SPDX-License-Identifier: Apache-2.0
#include "training/entailment/words.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace attend::entailment {
namespace {

// `above` is empty for the most general words. Words of one family without a line between them exclude each other.
struct Entry {
  std::string one, many;
  Kind kind;
  std::string_view above = "";
  int family = 0;
};

constexpr int of_colour = 0, of_size = 1, of_mood = 2;

const std::vector<Entry>& entries() {
  static const std::vector<Entry> list{{"animal", "animals", Kind::noun},
                                       {"dog", "dogs", Kind::noun, "animal"},
                                       {"puppy", "puppies", Kind::noun, "dog"},
                                       {"cat", "cats", Kind::noun, "animal"},
                                       {"kitten", "kittens", Kind::noun, "cat"},
                                       {"horse", "horses", Kind::noun, "animal"},
                                       {"pony", "ponies", Kind::noun, "horse"},
                                       {"bird", "birds", Kind::noun, "animal"},
                                       {"crow", "crows", Kind::noun, "bird"},
                                       {"duck", "ducks", Kind::noun, "bird"},
                                       {"owl", "owls", Kind::noun, "bird"},
                                       {"person", "people", Kind::noun},
                                       {"child", "children", Kind::noun, "person"},
                                       {"girl", "girls", Kind::noun, "child"},
                                       {"boy", "boys", Kind::noun, "child"},
                                       {"adult", "adults", Kind::noun, "person"},
                                       {"man", "men", Kind::noun, "adult"},
                                       {"woman", "women", Kind::noun, "adult"},
                                       {"rests", "rest", Kind::verb},
                                       {"sleeps", "sleep", Kind::verb, "rests"},
                                       {"dozes", "doze", Kind::verb, "sleeps"},
                                       {"sits", "sit", Kind::verb, "rests"},
                                       {"moves", "move", Kind::verb},
                                       {"walks", "walk", Kind::verb, "moves"},
                                       {"strolls", "stroll", Kind::verb, "walks"},
                                       {"runs", "run", Kind::verb, "moves"},
                                       {"sprints", "sprint", Kind::verb, "runs"},
                                       {"jumps", "jump", Kind::verb, "moves"},
                                       {"swims", "swim", Kind::verb, "moves"},
                                       {"eats", "eat", Kind::verb},
                                       {"drinks", "drink", Kind::verb},
                                       {"dark", "dark", Kind::quality, "", of_colour},
                                       {"black", "black", Kind::quality, "dark", of_colour},
                                       {"brown", "brown", Kind::quality, "dark", of_colour},
                                       {"pale", "pale", Kind::quality, "", of_colour},
                                       {"white", "white", Kind::quality, "pale", of_colour},
                                       {"yellow", "yellow", Kind::quality, "pale", of_colour},
                                       {"big", "big", Kind::quality, "", of_size},
                                       {"huge", "huge", Kind::quality, "big", of_size},
                                       {"small", "small", Kind::quality, "", of_size},
                                       {"tiny", "tiny", Kind::quality, "small", of_size},
                                       {"happy", "happy", Kind::quality, "", of_mood},
                                       {"delighted", "delighted", Kind::quality, "happy", of_mood},
                                       {"sad", "sad", Kind::quality, "", of_mood},
                                       {"miserable", "miserable", Kind::quality, "sad", of_mood},
                                       {"outside", "outside", Kind::place},
                                       {"garden", "garden", Kind::place, "outside"},
                                       {"park", "park", Kind::place, "outside"},
                                       {"street", "street", Kind::place, "outside"},
                                       {"field", "field", Kind::place, "outside"},
                                       {"inside", "inside", Kind::place},
                                       {"kitchen", "kitchen", Kind::place, "inside"},
                                       {"office", "office", Kind::place, "inside"},
                                       {"hall", "hall", Kind::place, "inside"},
                                       {"bedroom", "bedroom", Kind::place, "inside"}};
  return list;
}

// Whether `general` is `node` or above it.
bool covers(Node general, Node node) {
  const auto& list = entries();
  std::string_view at = list[node].one;
  while (!at.empty()) {
    if (at == list[general].one) return true;
    at = std::find_if(list.begin(), list.end(), [&](const Entry& e) { return e.one == at; })->above;
  }
  return false;
}

}  // namespace

const std::string& one_form(Node node) { return entries().at(node).one; }
const std::string& many_form(Node node) { return entries().at(node).many; }
Kind kind_of(Node node) { return entries().at(node).kind; }

std::span<const Node> nodes_of(Kind kind) {
  static const auto lists = [] {
    std::array<std::vector<Node>, 4> made;
    for (Node node = 0; node < entries().size(); ++node)
      made.at(static_cast<std::size_t>(kind_of(node))).push_back(node);
    return made;
  }();
  return lists.at(static_cast<std::size_t>(kind));
}

Relation relation(Node first, Node second) {
  if (first == second) return Relation::same;
  if (covers(second, first)) return Relation::below;
  if (covers(first, second)) return Relation::above;
  const Entry &one = entries().at(first), &other = entries().at(second);
  return one.kind == other.kind && one.family == other.family ? Relation::apart : Relation::free;
}

bool suits(Node quality, Node noun) {
  const bool coloured = kind_of(quality) == Kind::quality && entries()[quality].family == of_colour;
  static const Node animal = 0;
  return !coloured || covers(animal, noun);
}

std::vector<Node> line_of(Node node) {
  std::vector<Node> line;
  for (const Node other : nodes_of(kind_of(node))) {
    if (other != node && (covers(other, node) || covers(node, other))) line.push_back(other);
  }
  return line;
}

}  // namespace attend::entailment
