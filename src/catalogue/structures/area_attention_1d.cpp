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
  const std::size_t w = in.integer("w"), n = key.rows();
  std::vector<Row> keys, values, areas;
  for (std::size_t start = 0; start < n; ++start) {
    for (std::size_t stop = start + 1; stop <= std::min(n, start + w); ++stop) {
      keys.push_back(mean_of_rows(rows_from_to(key, start, stop)).data);
      values.push_back(sum_of_rows(rows_from_to(value, start, stop)).data);
      areas.push_back({static_cast<double>(start), static_cast<double>(stop)});
    }
  }
  Arrays out = results(seen_by(dots(in["query"], stacked(keys)), stacked(values)));
  out["areas"] = stacked(areas);
  return out;
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
