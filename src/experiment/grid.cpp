// SPDX-License-Identifier: Apache-2.0
#include "experiment/grid.h"

#include "experiment/learning/train.h"
#include "experiment/reading/read_tensor.h"
#include "experiment/service.h"
#include "ops/error.h"
#include "ops/json_pointer.h"

namespace attend {
namespace {

// Where a cell writes: a member that is there, or a new one of an object that is.
void check_path(const Json& document, const std::string& path, const std::string& where) {
  Json::json_pointer pointer;
  try {
    pointer = Json::json_pointer(path);
  } catch (const std::exception&) {
    refuse(where,
           "expected a JSON pointer such as \"/training/optimiser/rate\", found \"" + path + "\"");
  }
  if (pointer.empty()) refuse(where, "expected the path of a member, found the whole document");
  if (document.contains(pointer)) return;
  if (document.contains(pointer.parent_pointer()) &&
      document.at(pointer.parent_pointer()).is_object())
    return;
  refuse(where, "the document has nothing at \"" + pointer.parent_pointer().to_string() + "\"");
}

Json result_of(const Json& document) {
  if (!document.contains("training"))
    return parse_json(run_document(document.dump())).at("outputs");
  Json last;
  TrainOptions options;
  options.line = [&](const std::string& line) { last = parse_json(line); };
  options.seconds = [] { return 0.0; };
  (void)train(document.dump(), options);
  last.erase("stepsPerSecond");  // the same cell gives the same line
  if (last.contains("failure")) refuse("/training", last["failure"].get<std::string>());
  return last;
}

}  // namespace

Grid::Grid(Json json) {
  if (!json.is_object() || !json.contains("document") || !json["document"].is_object())
    refuse("/document", "expected the document that the cells change");
  document_ = json["document"];
  if (!json.contains("grid") || !json["grid"].is_object() || json["grid"].empty())
    refuse("/grid", "expected lists of values by path: {\"/seed\": [1, 2, 3]}");
  for (const auto& [path, values] : json["grid"].items()) {
    const std::string where = "/grid/" + as_pointer_part(path);
    if (!values.is_array() || values.empty())
      refuse(where, "expected a list of values, found " + describe(values));
    check_path(document_, path, where);
    axes_.push_back({path, {values.begin(), values.end()}});
    if (values.size() > most_cells / cells_)
      refuse("/grid", "more than " + std::to_string(most_cells) + " cells; use fewer values");
    cells_ *= values.size();
  }
}

Json Grid::values(std::size_t cell) const {
  Json values = Json::object();
  std::size_t left = cells_;
  for (const Axis& axis : axes_) {
    left /= axis.values.size();
    values[axis.path] = axis.values[cell / left % axis.values.size()];
  }
  return values;
}

Json Grid::document(std::size_t cell) const {
  Json document = document_;
  const Json own = values(cell);
  for (const auto& [path, value] : own.items()) document[Json::json_pointer(path)] = value;
  return document;
}

std::string line_of_cell(const Grid& grid, std::size_t cell) {
  if (cell >= grid.cells())
    refuse("--cell", "expected a number below " + std::to_string(grid.cells()) + ", found " +
                         std::to_string(cell));
  Json line{{"cell", cell}, {"values", grid.values(cell)}};
  const auto failed = refusal_of([&] { line["result"] = result_of(grid.document(cell)); });
  if (failed) line["error"] = {{"path", failed->path}, {"message", failed->what()}};
  return line.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace attend
