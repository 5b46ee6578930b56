// SPDX-License-Identifier: Apache-2.0
// The weights themselves are the answer (pointer), or, for each token, their sum over all its positions:
//   y = a,   or   y_w = sum of a_j over the tokens j that read w
// Kadlec et al. 2016 (Attention Sum Reader), equation 2, arXiv:1603.01547;
// Galassi, Lippi, Torroni 2021, section II-B
#include "catalogue/entry.h"
#include "catalogue/reason.h"

namespace attend::weights_as_output_entry {
namespace {

// The place of each label among the labels in order of first appearance.
std::vector<std::size_t> places(const std::vector<std::string>& labels,
                                std::vector<std::string>& words) {
  std::vector<std::size_t> list;
  for (const std::string& label : labels) {
    const auto known = std::find(words.begin(), words.end(), label);
    list.push_back(static_cast<std::size_t>(known - words.begin()));
    if (known == words.end()) words.push_back(label);
  }
  return list;
}

std::vector<std::size_t> repeats(const std::vector<std::string>& labels) {
  std::vector<std::string> words;
  return places(labels, words);
}

void build(const OutputIn& in) {  // weights [.. m n]
  const std::string front = in.weights.rank() > 2 ? "h m " : "m ";
  if (!in.flag("sum")) return in.output(out::output, in.weights, front + "n");
  const std::size_t n = in.weights.extent(-1);
  const Var given = in.port("key"), x = given ? given : in.port("x");
  const Var keys = x ? x : in.port("query");
  const std::vector<std::string> labels = keys ? in.tokens_of(keys) : std::vector<std::string>{};
  if (labels.size() != n) {
    refuse(
        in.source_of(given ? "key"
                     : x   ? "x"
                           : "query") +
            "/labels",
        "expected " + std::to_string(n) +
            " labels, one per key, to add up the weights of each token; found none or a different number");
  }
  in.assembler.note_form(
      keys,
      {repeats,
       "its tokens repeat at other positions than those of the first example; run them separately"});
  std::vector<std::string> words;
  const std::vector<std::size_t> place = places(labels, words);
  Tensor same{{n, words.size()}, std::vector<double>(n * words.size(), 0)};
  for (std::size_t j = 0; j < n; ++j) same.data[j * words.size() + place[j]] = 1;
  in.label("u", words);
  in.output(out::output, let("y", matmul(in.weights, in.constant("words", same))),
            front + "u:class");
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& a = in["weights"];
  if (!in.flag("sum")) return {{"output", a}};
  const std::vector<std::string>& labels = in.labels.at("key");
  std::vector<Row> columns;
  for (std::size_t j = 0; j < labels.size(); ++j) {
    if (std::find(labels.begin(), labels.begin() + static_cast<long>(j), labels[j]) !=
        labels.begin() + static_cast<long>(j))
      continue;
    Row column(a.rows(), 0);
    for (std::size_t l = j; l < labels.size(); ++l) {
      for (std::size_t i = 0; labels[l] == labels[j] && i < a.rows(); ++i) column[i] += a(i, l);
    }
    columns.push_back(column);
  }
  const Array y = table_by(a.rows(), columns.size(),
                           [&](std::size_t i, std::size_t w) { return columns[w][i]; });
  return {{"output", y}};
}

extern const Mechanism record{
    .id = "weights-as-output",
    .aliases = {"pointer", "attention-sum"},
    .knobs = {flag_knob("sum", false)},
    .excludes = {{"dimensionality", {"multi-dim"}, false, "weight-per-feature"_reason}},
    .needs_weights = true,
    .beside = {{"score", "dot"}},
    .around = R"({"inputs": {"key": {"labels": ["to", "be", "or", "to", "be"]}}})",
    .behaviour = OutputModel{build}};
}  // namespace attend::weights_as_output_entry
