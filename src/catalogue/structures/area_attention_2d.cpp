// SPDX-License-Identifier: Apache-2.0
// Area attention over a grid: the keys are all rectangles of up to height x width cells; a rectangle's
// key is the mean of its keys, its value the sum of its values
// Li, Kaiser, Bengio, Si 2019, area-based attention, arXiv:1810.10126
#include "catalogue/entry.h"
#include "catalogue/parts/images/areas.h"
#include "catalogue/parts/structures/structure_reference.h"

namespace attend::area_attention_2d_entry {
namespace {

Tensors build(const Scope& in, const Tensors& inputs) {
  const Var q = inputs["query"], key = inputs["key"];  // [m dk] [H W dk]
  const Var given = inputs.find("value");              // [H W dv]
  const std::vector<Area> areas =
      areas_of(key.extent(0), key.extent(1), in.integer("height"), in.integer("width"));
  in.label("m", q);
  const Tensors seen = attend_to_areas(in, q, key, given ? given : key, areas);
  Tensor table{{areas.size(), 4}, {}};
  for (const Area& area : areas) {
    for (const std::size_t number :
         {area.top, area.left, area.top + area.height, area.left + area.width})
      table.data.push_back(static_cast<double>(number));
  }
  return seen + Tensors{{OutputKind{"areas", TensorRole::output, NumberKind::index},
                         in.constant("areas", table), "areas:key 4"}};
}

}  // namespace

Arrays reference(const ReferenceIn& in) {
  const Array& key = in["key"];
  const Array& value = or_else(in, "value", "key");
  const std::size_t H = key.shape[0], W = key.shape[1];
  std::vector<Row> keys, values, table;
  for (std::size_t top = 0; top < H; ++top) {
    for (std::size_t left = 0; left < W; ++left) {
      for (std::size_t bottom = top + 1; bottom <= H; ++bottom) {
        for (std::size_t right = left + 1; right <= W; ++right) {
          const double cells = static_cast<double>((bottom - top) * (right - left));
          if (static_cast<double>(bottom - top) > in.number("height")) continue;
          if (static_cast<double>(right - left) > in.number("width")) continue;
          Row k(key.cols(), 0), v(value.cols(), 0);
          for (std::size_t y = top; y < bottom; ++y) {
            for (std::size_t x = left; x < right; ++x) {
              k = plus(k, key.row(y, x), 1 / cells);
              v = plus(v, value.row(y, x));
            }
          }
          keys.push_back(k);
          values.push_back(v);
          Row borders;
          for (const std::size_t number : {top, left, bottom, right})
            borders.push_back(static_cast<double>(number));
          table.push_back(borders);
        }
      }
    }
  }
  Arrays out = results(seen_by(dots(in["query"], stacked(keys)), stacked(values)));
  out["areas"] = stacked(table);
  return out;
}

extern const Mechanism record{
    .id = "area-attention-2d",
    .knobs = {integer_knob("height", 3., 1, 8).at_least(1),
              integer_knob("width", 3., 1, 8).at_least(1)},
    .roles = {{"query", "m dk"}, {"key", "H W dk"}, {"value", "H W dv", false, "key"}},
    .slots = {{"score", Kind::score, "dot"}, {"alignment", Kind::alignment, "softmax"}},
    .coordinates = {{"feature levels", "single-level"}},
    .extents = {{"H", 3}, {"W", 4}, {"dk", 3}},
    .behaviour = Structure{build}};
}  // namespace attend::area_attention_2d_entry
