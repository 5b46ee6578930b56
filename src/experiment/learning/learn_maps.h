// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "experiment/learning/learn_program.h"

// Which maps of weights of a document that learns are compared with the true alignment: rows of the answer, columns of
// what is aligned with it.
namespace attend {

// The maps of a recording that have these rows and columns, in order. `node` is left open.
std::vector<LearnProgram::Map> maps_that_fit(const Lesson& lesson, const Compiled& compiled);

// The names of those that are compared, the same for examples of every shape. Where a map says by its labels that it
// is one, only those that do; else those that fit whatever the lengths are: of a task with several lengths, more than
// one is tried. `first` is the lesson's document with the example `like`.
std::vector<std::string> maps_of(const Lesson& lesson, const Example& like, const Compiled& first);

// The document as it is recorded for examples like this one.
Compiled compiled_like(const Lesson& lesson, const Example& like);

}  // namespace attend
