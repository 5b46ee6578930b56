// SPDX-License-Identifier: Apache-2.0
#include "export/literal.h"

#include "export/plain_text.h"
#include "ops/text.h"

namespace attend {
namespace {

std::string number(double value) {
  std::string text = number_exact(value);
  if (text.find_first_of(".e") == std::string::npos) text += ".0";
  return text;
}

std::string comment_of(const std::string& word) { return "  # " + one_line(word); }

std::string part(const double*& next, const Shape& shape, std::size_t axis,
                 const std::vector<std::string>& words) {
  if (axis == shape.size()) return number(*next++);
  const bool rows = axis + 1 < shape.size();
  const std::string indent(4 * (axis + 1), ' ');
  std::string text = "[";
  for (std::size_t i = 0; i < shape[axis]; ++i) {
    if (rows) text += "\n" + indent;
    text += part(next, shape, axis + 1, words);
    text += rows ? "," : i + 1 < shape[axis] ? ", " : "";
    if (rows && axis == 0 && words.size() == shape[0]) text += comment_of(words[i]);
  }
  return text + (rows ? "\n" + std::string(4 * axis, ' ') : "") + "]";
}

}  // namespace

std::string python_list(const std::vector<double>& values, const Shape& shape,
                        const std::vector<std::string>& words) {
  const double* next = values.data();
  return part(next, shape, 0, words);
}

}  // namespace attend
