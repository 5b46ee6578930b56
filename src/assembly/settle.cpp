// SPDX-License-Identifier: Apache-2.0
#include "assembly/settle.h"

#include <algorithm>
#include <cctype>
#include <cmath>

#include "ops/text.h"

namespace attend {

namespace {
// Whether a size is a symbol alone, and no product or sum.
bool is_symbol(std::string_view word) {
  return word.find_first_of("*+") == std::string_view::npos &&
         (word.empty() || std::isdigit(static_cast<unsigned char>(word[0])) == 0);
}
}  // namespace

Shape family_axes(const Family& family) {
  Shape axes;
  if (family.hops > 0) axes.push_back(family.hops);
  if (family.heads > 0) axes.push_back(family.heads);
  return axes;
}

namespace {
[[noreturn]] void throw_shape(const Dimensions& dimensions, const Shape& front,
                              std::string_view words, const Shape& found, const std::string& path) {
  std::string symbols, sizes;
  for (const std::size_t extent : front) {
    symbols += std::to_string(extent) + " ";
    sizes += std::to_string(extent) + " ";
  }
  for (const std::string_view word : symbols_in(first_of(words))) {
    const std::optional<double> value = dimensions.evaluate(word);
    symbols += std::string(word) + " ";
    const std::string open =
        is_symbol(word) ? "any" : std::string(word);  // "2p" says that it is even
    sizes += (value ? number_exact(*value) : open) + " ";
  }
  if (!symbols.empty()) symbols.pop_back();
  if (!sizes.empty()) sizes.pop_back();
  const std::size_t bar = words.find('|');
  const std::string others =
      bar == std::string_view::npos ? "" : ", or [" + std::string(words.substr(bar + 2)) + "]";
  refuse(path, "expected shape [" + symbols + "] = [" + sizes + "]" + others + ", found " +
                   to_text(found));
}

bool fits(const Dimensions& dimensions, std::string_view words, const Shape& front,
          const Shape& found) {
  const std::vector<std::string_view> list = symbols_in(words);
  bool fits = found.size() == front.size() + list.size();
  for (std::size_t i = 0; fits && i < front.size(); ++i) fits = found[i] == front[i];
  for (std::size_t i = 0; fits && i < list.size(); ++i) {
    const std::optional<double> known = dimensions.evaluate(list[i]);
    fits = !known || *known == static_cast<double>(found[front.size() + i]);
  }
  return fits;
}
}  // namespace

std::string_view first_of(std::string_view shape) { return shape.substr(0, shape.find('|')); }

std::string_view fitting(const Dimensions& dimensions, std::string_view shape, const Shape& front,
                         const Shape& found) {
  for (std::string_view rest = shape; !rest.empty();) {
    const std::string_view one = first_of(rest);
    if (fits(dimensions, one, front, found)) return one;
    rest.remove_prefix(std::min(one.size() + 1, rest.size()));
  }
  return first_of(shape);
}

void settle_shape(Dimensions& dimensions, const Parameter& parameter, const Shape& front,
                  const Shape& found, const std::string& path) {
  const std::string_view shape = fitting(dimensions, parameter.shape, front, found);
  const std::vector<std::string_view> words = symbols_in(shape);
  bool fits = attend::fits(dimensions, shape, front, found);
  const Dimensions before = dimensions;  // an error does not count what the refused tensor settles
  for (std::size_t i = 0; fits && i < words.size(); ++i) {
    const std::size_t extent = found[front.size() + i];
    const std::optional<double> known = dimensions.evaluate(words[i]);
    if (known) {  // by now: an earlier word may have settled it
      fits = *known == static_cast<double>(extent);
    } else if (dimensions.unknowns(words[i]).size() == 1) {  // with two, a later pass knows more
      fits = dimensions.solve(words[i], extent);
    }
  }
  if (!fits) throw_shape(before, front, parameter.shape, found, path);
}

namespace {
std::string in_words(const Interval& values) {
  std::string text = "expected numbers";
  if (std::isfinite(values.low))
    text += (values.open ? " above " : " of at least ") + number_exact(values.low);
  if (std::isfinite(values.high))
    text +=
        (std::isfinite(values.low) ? " and at most " : " of at most ") + number_exact(values.high);
  return text;
}
}  // namespace

void check_given_shape(const Shape& found, const Shape& expected, const std::string& path) {
  if (found != expected)
    refuse(path, "expected shape " + to_text(expected) + ", found " + to_text(found));
}

void check_given(const Parameter& parameter, const Tensor& tensor, const Shape& expected,
                 const std::string& path) {
  check_given_shape(tensor.shape, expected, path);
  for (std::size_t i = 0; i < tensor.data.size(); ++i) {
    const double x = tensor.data[i];
    const bool draw = parameter.distribution != Distribution::uniform || (x >= 0 && x < 1);
    const bool subset = parameter.distribution != Distribution::bernoulli || x == 0 || x == 1;
    const bool inside = parameter.values.holds(x);
    if (draw && subset && inside) continue;
    refuse(path, (!inside ? in_words(parameter.values)
                  : draw  ? std::string("a subset contains only 0 and 1")
                          : std::string("draws lie in [0, 1)")) +
                     ", found " + number_exact(x) + " at " + std::to_string(i));
  }
}

void check_indices(const Tensor& tensor, std::size_t bound, const std::string& path) {
  for (std::size_t i = 0; i < tensor.data.size(); ++i) {
    const double x = tensor.data[i];
    if (x >= 0 && x < static_cast<double>(bound) && x == std::floor(x)) continue;
    refuse(path, "expected whole numbers from 0 to " + std::to_string(bound - 1) + ", found " +
                     number_exact(x) + " at " + std::to_string(i));
  }
}

void check_role(const Dimensions& dimensions, const Role& role, const Shape& found,
                const std::string& path) {
  if (!fits(dimensions, fitting(dimensions, role.shape, {}, found), {}, found))
    throw_shape(dimensions, {}, role.shape, found, path);
}

namespace {

KnobValue default_of(const Dimensions& dimensions, const Knob& knob, const std::string& path) {
  if (const auto* number = std::get_if<double>(&knob.fallback)) return *number;
  if (const auto* flag = std::get_if<bool>(&knob.fallback)) return *flag;
  if (const auto* text = std::get_if<std::string_view>(&knob.fallback)) {
    if (knob.type == Knob::Type::choice) return std::string(*text);
    const std::optional<double> value = dimensions.evaluate(*text);
    if (value) return *value;
    if (dimensions.unknowns(*text).contains("dq")) {
      refuse("/inputs", "there is no query, and " + std::string(knob.name) + " at " + path +
                            " is as wide as the query by default; add an input \"query\"");
    }
    refuse(path, std::string(knob.name) + " has the default " + std::string(*text) +
                     ", which is not known here; give a value");
  }
  refuse(path, std::string(knob.name) + " is required");
}

}  // namespace

KnobValue settle_knob(Dimensions& dimensions, const Knob& knob, const KnobValue* given,
                      const std::string& slot_path) {
  const std::string path = slot_path + "/" + std::string(knob.name);
  if (knob.symbol.empty()) return given != nullptr ? *given : default_of(dimensions, knob, path);
  const std::optional<std::size_t> solved = dimensions.get(knob.symbol);
  if (!solved) {
    const KnobValue value = given != nullptr ? *given : default_of(dimensions, knob, path);
    dimensions.set(knob.symbol, static_cast<std::size_t>(std::get<double>(value)));
    return value;
  }
  if (given != nullptr && std::get<double>(*given) != static_cast<double>(*solved)) {
    refuse(
        path,
        std::string(knob.name) + " is " + number_exact(std::get<double>(*given)) +
            ", but something else in the document (a parameter, an input or a slot) sets it to " +
            std::to_string(*solved) + "; leave it out, or give that number");
  }
  return static_cast<double>(*solved);
}

}  // namespace attend
