// SPDX-License-Identifier: Apache-2.0
#include "catalogue/parts/images/areas.h"

#include <algorithm>

namespace attend {
namespace {

// More areas are refused before their list is made: the map would not fit anyway.
constexpr std::size_t most_areas = std::size_t{1} << 20U;

// Of windows of `size - 1` along an axis and the cells themselves: the windows of `size`.
Var longer(Var windows, Var cells, long axis, std::size_t size) {
  const std::size_t count = cells.extent(axis) - size + 1;
  return slice(windows, axis, 0, count) + slice(cells, axis, size - 1, cells.extent(axis));
}

// The sums over all areas, [areas d]: by sums of sums, never by differences, which would lose digits.
Var area_sums(const Scope& in, Var grid, const std::vector<Area>& areas) {
  std::size_t highest = 1, widest = 1;
  for (const Area& area : areas) {
    highest = std::max(highest, area.height);
    widest = std::max(widest, area.width);
  }
  const std::size_t rows = grid.extent(0), columns = grid.extent(1), d = grid.extent(2);
  std::vector<Var> parts;
  std::vector<std::size_t> starts;  // of the part of each size, in the list of all
  std::size_t count = 0;
  Var high = grid;
  for (std::size_t h = 1; h <= highest; ++h) {
    if (h > 1) high = longer(high, grid, 0, h);
    Var wide = high;
    for (std::size_t w = 1; w <= widest; ++w) {
      if (w > 1) wide = longer(wide, high, 1, w);
      const std::size_t places = (rows - h + 1) * (columns - w + 1);
      parts.push_back(reshape(wide, {places, d}));
      starts.push_back(count);
      count += places;
    }
  }
  if (parts.size() == 1) return parts.front();
  Tensor order{{areas.size()}, {}};  // from sizes first to places first
  for (const Area& area : areas) {
    const std::size_t size = (area.height - 1) * widest + area.width - 1;
    const std::size_t place = area.top * (columns - area.width + 1) + area.left;
    order.data.push_back(static_cast<double>(starts[size] + place));
  }
  return transpose(take(transpose(concat(parts, 0)), in.constant("order", order)));
}

}  // namespace

std::vector<Area> areas_of(std::size_t rows, std::size_t columns, std::size_t highest,
                           std::size_t widest) {
  const std::size_t h = std::min(highest, rows), w = std::min(widest, columns);
  if (h * w > most_areas / (rows * columns))
    refuse("this makes up to " + std::to_string(h * w * rows * columns) +
           " areas; make the largest area smaller");
  std::vector<Area> areas;
  for (std::size_t top = 0; top < rows; ++top) {
    for (std::size_t left = 0; left < columns; ++left) {
      for (std::size_t high = 1; high <= std::min(h, rows - top); ++high) {
        for (std::size_t wide = 1; wide <= std::min(w, columns - left); ++wide)
          areas.push_back({top, left, high, wide});
      }
    }
  }
  return areas;
}

Tensors attend_to_areas(const Scope& in, Var q, Var key, Var value,
                        const std::vector<Area>& areas) {
  Tensor sizes{{areas.size(), 1}, {}};
  for (const Area& area : areas)
    sizes.data.push_back(static_cast<double>(area.height * area.width));
  const Var keys = let("\\bar K", area_sums(in, key, areas) / in.constant("sizes", sizes));
  const Var values = let("\\sum V", area_sums(in, value, areas));
  const Choice module = plain_attention(in);
  const Tensors seen = in.assembler.call(
      module, {.name = "areas", .family = {}, .m = "m", .n = "areas", .step = " ", .quiet = true},
      {{"query", q}, {"key", keys}, {"value", values}});
  (void)in.sized();  // the call left the general module's knobs, none, at this structure's place
  return {{out::scores, seen["scores"], "m areas:key"},
          {out::weights, seen["weights"], "m areas:key"},
          {out::context, seen["context"], "m dv"}};
}

std::string words_of_area(const std::vector<std::string>& tokens, const Area& area) {
  std::string text;
  for (std::size_t i = area.left; i < area.left + area.width && i < tokens.size(); ++i)
    text += (text.empty() ? "" : " ") + tokens[i];
  return text;
}

}  // namespace attend
