// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

// The words of the task of entailment and how they are related: a dog is an animal, black is not white.
namespace attend::entailment {

enum class Kind { noun, verb, quality, place };

// A word by its place in the list of all.
using Node = std::size_t;

// `below`: all that the first word is said of, the second is said of as well (dog, animal). `apart`: nothing is both.
// `free`: neither decides about the other.
enum class Relation { same, below, above, apart, free };

// Its form in a sentence about one thing ("dog", "sleeps"), and about several ("dogs", "sleep").
const std::string& one_form(Node node);
const std::string& many_form(Node node);
Kind kind_of(Node node);
std::span<const Node> nodes_of(Kind kind);
Relation relation(Node first, Node second);
// The words above and below one.
std::vector<Node> line_of(Node node);
// Colours are said of animals alone: of people they would not mean a colour.
bool suits(Node quality, Node noun);

}  // namespace attend::entailment
