// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "experiment/reading/lesson.h"

namespace attend {

// Reads a document with a `training`, and gives its modules the task's words. Throws Error.
Lesson read_lesson(Json document);

}  // namespace attend
