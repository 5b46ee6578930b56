// SPDX-License-Identifier: Apache-2.0
#include "experiment/learning/learn_maps.h"

#include <algorithm>
#include <functional>
#include <set>
#include <span>
#include <utility>

namespace attend {
namespace {

constexpr std::size_t most_drawn = 64;  // to find examples of other lengths

// The grid of so many places that an image of this shape may have become; nothing where there is none of its
// proportions.
std::optional<std::pair<std::size_t, std::size_t>> grid_of(const Shape& image, std::size_t places) {
  for (std::size_t rows = 1; rows <= image[0]; ++rows) {
    if (places % rows != 0) continue;
    const std::size_t columns = places / rows;
    if (columns <= image[1] && rows * image[1] == columns * image[0]) return {{rows, columns}};
  }
  return std::nullopt;
}

using Lengths =
    std::pair<std::size_t, std::size_t>;  // of the answer, and of what is aligned with it

Lengths lengths_of(const Lesson& lesson, const Example& example) {
  const Task& task = *lesson.settings.task;
  const auto length = [&](std::size_t field) {
    const Filling& filling = example.fields[field];
    return filling.shape.empty() ? filling.words.size() : element_count(filling.shape);
  };
  return {length(task.answer()), length(task.aligned())};
}

// Examples whose lengths tell maps apart that have equal sizes in the first one: another length, and two that differ
// from each other.
std::vector<Example> of_other_lengths(const Lesson& lesson, const Example& like) {
  const std::span<const Example> listed = lesson.source->listed();
  Draws draws(RandomStream(0, "task:maps"));
  const std::size_t count = listed.empty() ? most_drawn : listed.size();
  const Lengths first = lengths_of(lesson, like);
  std::vector<Example> found;
  bool other = false, unequal = first.first != first.second;
  for (std::size_t i = 0; i < count && !(other && unequal); ++i) {
    const Example drawn = listed.empty() ? lesson.source->draw(draws) : Example{};
    const Example& one = listed.empty() ? drawn : listed[i];
    const Lengths own = lengths_of(lesson, one);
    const bool adds =
        (!unequal && own.first != own.second) || (!other && own.second != first.second);
    if (!adds) continue;
    other = other || own.second != first.second;
    unequal = unequal || own.first != own.second;
    found.push_back(one);
  }
  return found;
}

}  // namespace

std::vector<LearnProgram::Map> maps_that_fit(const Lesson& lesson, const Compiled& compiled) {
  const Task& task = *lesson.settings.task;
  const std::string& target = lesson.settings.input_of(task.answer());
  const std::string& source = lesson.settings.input_of(task.aligned());
  const auto shape_of = [&](const std::string& input) {
    const auto found = compiled.document().inputs.find(input);
    return found == compiled.document().inputs.end() ? Shape{0} : found->second.tensor.shape;
  };
  const Shape read = shape_of(source);
  const bool image = lesson.source->words(task.aligned()).empty();
  std::vector<LearnProgram::Map> maps;
  for (const KnownTensor& known : compiled.outputs()) {
    const TensorRecord& output = *known.record;
    const Shape& shape = compiled.shape_of(known.node);
    if (output.role != TensorRole::weights || output.numbers != NumberKind::probability ||
        shape.size() < 2 || output.axes.size() < 2 || output.axes.back().role == AxisRole::feature)
      continue;
    const NamedAxis &row = output.axes.end()[-2], &column = output.axes.end()[-1];
    std::size_t heads = 1;
    for (std::size_t k = 0; k + 2 < shape.size(); ++k) heads *= shape[k];
    LearnProgram::Map map{
        output.name,
        0,
        heads,
        shape.end()[-2],
        shape.end()[-1],
        row.labels == target && (column.labels == source || column.labels.empty())};
    if (map.rows != shape_of(target).front()) continue;
    if (image) {
      const auto grid = grid_of(read, map.columns);
      if (!grid) continue;
      map.high = {read[0], grid->first};
      map.wide = {read[1], grid->second};
    } else if (map.columns != read.front()) {
      continue;
    }
    maps.push_back(std::move(map));
  }
  return maps;
}

std::vector<std::string> maps_of(const Lesson& lesson, const Example& like, const Compiled& first) {
  std::vector<LearnProgram::Map> maps = maps_that_fit(lesson, first);
  const auto by_labels = [](const LearnProgram::Map& map) { return map.by_labels; };
  // A map of the answer on itself is none on the source, unless that is all there is.
  const bool labelled = std::ranges::any_of(maps, by_labels);
  if (labelled) std::erase_if(maps, std::not_fn(by_labels));
  if (maps.size() > 1 && !labelled) {
    for (const Example& other : of_other_lengths(lesson, like)) {
      std::set<std::string> there;
      for (const LearnProgram::Map& map : maps_that_fit(lesson, compiled_like(lesson, other)))
        there.insert(map.name);
      std::erase_if(maps, [&](const auto& map) { return !there.contains(map.name); });
    }
  }
  std::vector<std::string> names;
  for (const LearnProgram::Map& map : maps) names.push_back(map.name);
  return names;
}

std::vector<Link> LearnProgram::Map::placed(const std::vector<Link>& links) const {
  if (wide.pixels == 0) return links;
  std::vector<Link> own;
  for (Link link : links) {
    const std::size_t row = link.column / wide.pixels * high.places / high.pixels;
    link.column = row * wide.places + link.column % wide.pixels * wide.places / wide.pixels;
    if (std::find(own.begin(), own.end(), link) == own.end()) own.push_back(link);
  }
  return own;
}

}  // namespace attend
