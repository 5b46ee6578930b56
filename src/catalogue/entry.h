// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/mechanism.h"
#include "catalogue/reference.h"

// What a file of the catalogue defines: `NAME_record`, what the mechanism is and does, and `NAME_reference`, the same
// computed by another route, for the tests. They are two constants, so that a program which runs no references links
// none. The words are in data/words (words.h).
namespace attend {

// The reference of a mechanism, for tests.
Reference reference_of(const Mechanism& mechanism);

}  // namespace attend
