// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <string>

#include "import/expression.h"

namespace attend {

// A piece of JSON in which texts have expressions in braces, and in which objects say what is chosen or repeated:
//   {"$if": expression, "$then": .., "$else": ..}
//   {"$repeat": expression, "$as": name, "$each": [..]}   in a list: its members, again for each number from 0
//   {"$fill": number, "$count": expression}               so many equal numbers
//   {"$join": [objects]}                                  one object of all their members
//   {"$ramp": expression}                                 so many numbers from -1 to 1, a picture to begin with
// A member that becomes null is left out. In a list of modules `before` is the name of the one before.
class Template {
 public:
  explicit Template(Names names);
  // A name that the expressions may use from now on.
  void set(const std::string& name, Json value) { locals_[name] = std::move(value); }
  [[nodiscard]] Json evaluate(std::string_view expression) const;
  [[nodiscard]] Json expand(const Json& json);

 private:
  Json chosen(const Json& object);
  void expand_into(Json& list, const Json& entry);

  std::map<std::string, Json, std::less<>> locals_;
  Names outer_, names_;
};

}  // namespace attend
