// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "experiment/recording/compile.h"

namespace attend {

// The document as a program whose rows can arrive one after the other: cores that may compute many rows at once take
// them one by one, which gives the same numbers.
Compiled compile_row_by_row(Document document);

// A default that is another number in another recording of the document.
struct MovedDefault {
  std::string path, name;  // of the choice, and of its knob
  double here, there;
};
// The first one; nothing where all are the same.
std::optional<MovedDefault> moved_default(const Recording& here, const Recording& there);

// Throws Error, at the knob or the parameter, where a default or a number that is drawn depends on how many rows there
// are: the first of the two has one row less.
void check_a_row_more(const Compiled& here, const Compiled& more);

// The same with one row more in an input; nothing where the document allows no other number of rows.
std::optional<Compiled> with_a_row_more(const Compiled& compiled, const std::string& input);

// Whether a document passes the test at hand, for example that it runs one row at a time. If it throws Error, it fails.
using DoesIt = std::function<bool(const Compiled& compiled)>;
// The path of the first setting or choice below a module without which the document does it; nothing where there is
// none.
std::optional<std::string> responsible_setting(const Compiled& compiled, const std::string& module,
                                               const DoesIt& does_it);
// The same for choices only.
std::optional<std::string> responsible_choice(const Compiled& compiled, const std::string& module,
                                              const DoesIt& does_it);

// Throws Error where the numbers of a document's program depend on how many rows an input has: at a knob whose default
// does, at a setting under which the program does, or at a value that the document leaves out and with which it `runs`.
void check_row_count(const Compiled& compiled, const std::string& input,
                     const std::vector<std::string>& results, const DoesIt& runs);

// The same check without the search for the setting, which compiles the document again for each of them. Throws Error
// where a default depends on the number of rows.
bool depends_on_row_count(const Compiled& compiled, const std::string& input,
                          const std::vector<std::string>& results);

}  // namespace attend
