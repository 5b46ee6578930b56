// SPDX-License-Identifier: Apache-2.0
#include "experiment/reading/read_tensor.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/real.h"
#include "ops/error.h"
#include "ops/json_pointer.h"

namespace attend {
namespace {

double read_number(const Json& json, const std::string& path, bool nulls) {
  if (nulls && json.is_null()) return -std::numeric_limits<double>::infinity();
  if (!json.is_number()) refuse(path, "expected a number, found " + describe(json));
  const double value = json.get<double>();
  if (!std::isfinite(value) || !std::isfinite(static_cast<real>(value))) {
    const std::string most = sizeof(real) == 4 ? "3.4e38" : "1.8e308";
    refuse(path, "expected a number from -" + most + " to " + most + ", found " + describe(json));
  }
  return value;
}

void read_nested(const Json& json, const std::string& path, std::size_t depth, Tensor& tensor,
                 bool nulls) {
  if (!json.is_array()) {
    if (depth != tensor.shape.size())
      refuse(path, "expected a list as long as its neighbours, found " + describe(json));
    tensor.data.push_back(read_number(json, path, nulls));
    return;
  }
  if (depth >= tensor.shape.size()) refuse(path, "expected a number, found " + describe(json));
  if (json.size() != tensor.shape[depth]) {
    refuse(path, "expected " + std::to_string(tensor.shape[depth]) +
                     " entries, as its neighbours have, found " + std::to_string(json.size()));
  }
  for (std::size_t i = 0; i < json.size(); ++i) {
    read_nested(json[i], path + "/" + std::to_string(i), depth + 1, tensor, nulls);
  }
}

void check_rank(std::size_t axes, const std::string& path) {
  if (axes > max_rank)
    refuse(path,
           "expected at most " + std::to_string(max_rank) + " axes, found " + std::to_string(axes));
}

Tensor read_flat(const Json& json, const std::string& path, bool nulls) {
  check_members(json, path, members::shaped);
  const Json *shape = member(json, "shape"), *data = member(json, "data");
  if (shape == nullptr || !shape->is_array()) refuse(path + "/shape", "expected a list of extents");
  if (data == nullptr || !data->is_array())
    refuse(path + "/data", "expected a flat list of numbers");
  Tensor tensor;
  check_rank(shape->size(), path + "/shape");
  for (std::size_t i = 0; i < shape->size(); ++i) {
    tensor.shape.push_back(read_count((*shape)[i], path + "/shape/" + std::to_string(i), 1));
  }
  const std::string shape_path = path + "/shape";
  const ErrorScope here(shape_path, "");  // the shape may be too large to count
  const std::size_t wanted = element_count(tensor.shape);
  if (wanted != data->size()) {
    refuse(path + "/data", "shape " + to_text(tensor.shape) + " needs " + std::to_string(wanted) +
                               " numbers, found " + std::to_string(data->size()));
  }
  for (std::size_t i = 0; i < data->size(); ++i) {
    tensor.data.push_back(read_number((*data)[i], path + "/data/" + std::to_string(i), nulls));
  }
  return tensor;
}

}  // namespace

Tensor read_tensor(const Json& json, const std::string& path, bool nulls) {
  if (json.is_object()) return read_flat(json, path, nulls);
  Tensor tensor;
  for (const Json* level = &json; level->is_array(); level = &level->front()) {
    if (level->empty()) refuse(path, "expected at least one number, found an empty list");
    tensor.shape.push_back(level->size());
  }
  check_rank(tensor.shape.size(), path);
  read_nested(json, path, 0, tensor, nulls);
  return tensor;
}

Tensor read_matrix(const Json& json, const std::string& path, bool nulls) {
  if (json.is_array() && json.empty())
    refuse(path, "expected at least one row, found an empty list");
  if (!json.is_array() && !json.is_object())
    refuse(path, "expected a list of rows of numbers, found " + describe(json));
  Tensor tensor = read_tensor(json, path, nulls);
  if (tensor.shape.size() == 1) tensor.shape.insert(tensor.shape.begin(), 1);
  if (tensor.shape.size() != 2)
    refuse(path, "expected a matrix, found shape " + to_text(tensor.shape));
  return tensor;
}

std::size_t read_count(const Json& json, const std::string& path, std::size_t lowest) {
  const bool whole = json.is_number() && json.get<double>() == std::floor(json.get<double>()) &&
                     json.get<double>() >= static_cast<double>(lowest) &&
                     json.get<double>() <= largest_count;
  if (!whole)
    refuse(path, "expected a whole number from " + std::to_string(lowest) + " to 1000000000" +
                     ", found " + describe(json));
  return static_cast<std::size_t>(json.get<double>());
}

const Json* member(const Json& object, std::string_view name) {
  const auto found = object.find(name);
  return found == object.end() ? nullptr : &*found;
}

void check_members(const Json& object, const std::string& path, Members allowed) {
  std::vector<std::string_view> names;
  for (const Member& row : allowed) names.push_back(row.name);
  check_members(object, path, names);
}

void check_members(const Json& object, const std::string& path,
                   const std::vector<std::string_view>& allowed) {
  if (!object.is_object()) refuse(path, "expected an object, found " + describe(object));
  for (const auto& [name, value] : object.items()) {
    if (std::find(allowed.begin(), allowed.end(), name) != allowed.end()) continue;
    std::string list;
    for (const std::string_view one : allowed)
      list += (list.empty() ? "" : ", ") + std::string(one);
    refuse(path + "/" + as_pointer_part(name),
           "unknown field \"" + name + "\"; " +
               (list.empty() ? "none is known here" : "known here: " + list));
  }
}

}  // namespace attend
