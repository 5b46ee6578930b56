// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "catalogue/mechanism.h"

// The parameters of a module that calls other modules. Each function that a build calls has its list of parameters
// beside it, an array, and a record joins these arrays:
//   .parameters = parameters_of<own, under<"mab1", mab_parameters>>
// has the parameters of `own` and then "mab1.W_Q", "mab1.W_K", .. A build reads them through in.child("mab1").
namespace attend {

// A text that is the argument of a template.
template <std::size_t N>
struct PartName {
  char text[N];  // NOLINT(modernize-avoid-c-arrays): a std::array cannot be deduced from a literal
  consteval PartName(const char (&name)[N]) { std::copy_n(name, N, text); }  // NOLINT
  [[nodiscard]] constexpr std::string_view view() const { return {text, N - 1}; }
};

namespace part_parameters {

template <PartName name, const auto& of, std::size_t place>
struct FullName {
  static constexpr std::string_view own = of[place].name;
  static constexpr auto text = [] {
    std::array<char, name.view().size() + 1 + own.size()> all{};
    char* end = std::copy(name.view().begin(), name.view().end(), all.data());
    *end++ = '.';
    std::copy(own.begin(), own.end(), end);
    return all;
  }();
  static constexpr std::string_view view{text.data(), text.size()};
};

template <std::size_t place, const auto& first, const auto&... rest>
constexpr Parameter at() {
  if constexpr (place < first.size())
    return first[place];
  else
    return at<place - first.size(), rest...>();
}

template <class Places, PartName name, const auto& of>
struct Part;
template <std::size_t... places, PartName name, const auto& of>
struct Part<std::index_sequence<places...>, name, of> {
  static constexpr Parameter named(std::string_view full, Parameter parameter) {
    parameter.name = full;
    return parameter;
  }
  static constexpr std::array<Parameter, sizeof...(places)> list = {
      named(FullName<name, of, places>::view, of[places])...};
};

template <class Places, const auto&... lists>
struct Joined;
template <std::size_t... places, const auto&... lists>
struct Joined<std::index_sequence<places...>, lists...> {
  static constexpr std::array<Parameter, sizeof...(places)> rows = {at<places, lists...>()...};
  static constexpr List<Parameter> list = {rows[places]...};
};

}  // namespace part_parameters

// The parameters of a part: their names, "NAME." in front.
template <PartName name, const auto& of>
inline constexpr const auto& under =
    part_parameters::Part<std::make_index_sequence<of.size()>, name, of>::list;

namespace part_parameters {
template <const auto&... lists>
using All = Joined<std::make_index_sequence<(lists.size() + ...)>, lists...>;
}  // namespace part_parameters

// The parameters of several arrays, one array after another, for a record.
template <const auto&... lists>
inline constexpr const List<Parameter>& parameters_of = part_parameters::All<lists...>::list;

// The same as an array, for a function whose callers join it to others.
template <const auto&... lists>
inline constexpr const auto& joined_parameters = part_parameters::All<lists...>::rows;

}  // namespace attend
