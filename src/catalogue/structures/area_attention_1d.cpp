// SPDX-License-Identifier: Apache-2.0
// Area attention: the keys are areas, all runs of up to w neighbours; an area's key is the mean of its
// keys, its value the sum of its values
// Li, Kaiser, Bengio, Si 2019, area-based attention, arXiv:1810.10126
#include "catalogue/entry.h"
#include "catalogue/parts/images/areas.h"
#include "catalogue/parts/structures/structure_reference.h"

namespace attend::area_attention_1d_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var q = inputs["query"];
  const Var given_key = inputs.find("key"), given_value = inputs.find("value");
  const Var key = given_key ? given_key : q;          // [n dk]
  const Var value = given_value ? given_value : key;  // [n dv]
  const std::size_t n = key.extent(-2);
  // A line is a grid one row high.
  const auto grid = [](Var rows) { return expand(rows, 0); };
  const std::vector<Area> areas = areas_of(1, n, 1, in.integer("w"));
  std::vector<std::string> words;
  for (const Area& area : areas) words.push_back(words_of_area(in.tokens_of(key), area));
  in.label("m", q);
  if (!words.front().empty()) in.label("areas", words);
  const Tensors seen = attend_to_areas(in, q, grid(key), grid(value), areas);
  Tensor table{{areas.size(), 2}, {}};
  for (const Area& area : areas) {
    table.data.push_back(static_cast<double>(area.left));
    table.data.push_back(static_cast<double>(area.left + area.width));
  }
  return seen + Tensors{{OutputKind{"areas", TensorRole::output, NumberKind::index},
                         in.constant("areas", table), "areas:key 2"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array &key = in["key"], &value = or_else(in, "value", "key");
  const std::size_t w = static_cast<std::size_t>(in.number("w")), n = key.rows();
  std::vector<std::pair<std::size_t, std::size_t>> areas;
  for (std::size_t start = 0; start < n; ++start) {
    for (std::size_t stop = start + 1; stop <= std::min(n, start + w); ++stop)
      areas.emplace_back(start, stop);
  }
  Array keys({areas.size(), key.cols()}), values({areas.size(), value.cols()}),
      table({areas.size(), 2});
  for (std::size_t a = 0; a < areas.size(); ++a) {
    const auto [start, stop] = areas[a];
    for (std::size_t i = start; i < stop; ++i) {
      for (std::size_t c = 0; c < key.cols(); ++c)
        keys(a, c) += key(i, c) / static_cast<double>(stop - start);
      for (std::size_t c = 0; c < value.cols(); ++c) values(a, c) += value(i, c);
    }
    table(a, 0) = static_cast<double>(start);
    table(a, 1) = static_cast<double>(stop);
  }
  const Answer seen = seen_by(dots(in["query"], keys), values);
  return {{"scores", seen.scores},
          {"weights", seen.weights},
          {"context", seen.context},
          {"areas", table}};
}

extern const Mechanism record{
    .id = "area-attention-1d",
    .aliases = {"area-attention"},
    .knobs = {integer_knob("w", 3., 1, 8).at_least(1)},
    .roles = {{"query", "m dk"}, {"key", "n dk", false, "query"}, {"value", "n dv", false, "key"}},
    .slots = {{"score", Kind::score, "dot"}, {"alignment", Kind::alignment, "softmax"}},
    .coordinates = {{"feature levels", "single-level"}},
    .behaviour = Structure{build}};
}  // namespace attend::area_attention_1d_entry
