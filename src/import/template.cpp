// SPDX-License-Identifier: Apache-2.0
#include "import/template.h"

#include "ops/error.h"

namespace attend {
namespace {

constexpr std::int64_t most_repeats = std::int64_t{1} << 24U;

std::int64_t count_of(const Json& value, const Json& said) {
  if (!value.is_number_integer() || value.get<std::int64_t>() < 0 ||
      value.get<std::int64_t>() > most_repeats)
    refuse("", "the architecture file repeats a part " + said.dump() + " times, but this is " +
                   describe(value) + " here");
  return value.get<std::int64_t>();
}

}  // namespace

Template::Template(Names names) : outer_(std::move(names)) {
  names_.value = [this](const std::string& name) {
    const auto found = locals_.find(name);
    return found == locals_.end() ? outer_.value(name) : found->second;
  };
  names_.call = [this](const std::string& function, const std::vector<Json>& arguments) {
    return outer_.call(function, arguments);
  };
}

Json Template::evaluate(std::string_view expression) const {
  return evaluate_expression(expression, names_);
}

Json Template::chosen(const Json& object) {
  if (object.contains("$if")) {
    const bool yes = is_true(evaluate(object["$if"].get<std::string>()));
    const char* const branch = yes ? "$then" : "$else";
    return object.contains(branch) ? expand(object[branch]) : Json();
  }
  if (object.contains("$fill")) {
    const std::int64_t count =
        count_of(evaluate(object["$count"].get<std::string>()), object["$count"]);
    return std::vector<Json>(static_cast<std::size_t>(count), object["$fill"]);
  }
  if (object.contains("$join")) {
    Json joined = Json::object();
    for (const Json& one : expand(object["$join"])) joined.update(one);
    return joined;
  }
  const std::int64_t count =
      count_of(evaluate(object["$ramp"].get<std::string>()), object["$ramp"]);
  Json numbers = Json::array();
  // Steps that share no factor with usual widths, so that neighbouring rows differ.
  for (std::int64_t i = 0; i < count; ++i)
    numbers.push_back(static_cast<double>(i * 37 % 201) / 100 - 1);
  return numbers;
}

void Template::expand_into(Json& list, const Json& entry) {
  if (!entry.is_object() || !entry.contains("$repeat")) {
    Json one = expand(entry);
    if (one.is_null()) return;
    if (one.is_object() && one.contains("name") && one["name"].is_string())
      locals_["before"] = one["name"];
    list.push_back(std::move(one));
    return;
  }
  const std::int64_t count =
      count_of(evaluate(entry["$repeat"].get<std::string>()), entry["$repeat"]);
  const std::string name = entry["$as"];
  for (std::int64_t i = 0; i < count; ++i) {
    locals_[name] = i;
    for (const Json& one : entry["$each"]) expand_into(list, one);
  }
  locals_.erase(name);
}

Json Template::expand(const Json& json) {
  if (json.is_string()) return filled(json.get_ref<const std::string&>(), names_);
  if (json.is_array()) {
    Json list = Json::array();
    for (const Json& entry : json) expand_into(list, entry);
    return list;
  }
  if (!json.is_object()) return json;
  for (const char* const form : {"$if", "$fill", "$join", "$ramp"}) {
    if (json.contains(form)) return chosen(json);
  }
  Json object = Json::object();
  for (const auto& [name, value] : json.items()) {
    Json one = expand(value);
    if (!one.is_null()) object[filled(name, names_).get<std::string>()] = std::move(one);
  }
  return object;
}

}  // namespace attend
