// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/mechanism.h"
#include "catalogue/reference.h"

// A file of the catalogue defines `NAME_record`, which describes the mechanism and builds it, and `NAME_reference`,
// which computes the same in a different way for the tests. They are two constants, so a program that runs no
// references links none. The words are in data/words (words.h).
namespace attend {

// The reference of a mechanism, for tests.
Reference reference_of(const Mechanism& mechanism);

}  // namespace attend
