// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "catalogue/mechanism.h"
#include "catalogue/slots.h"
#include "catalogue/tables.h"

// Each file of the catalogue includes this header, which includes what nearly all of them need. Such a file defines the
// constant `record`, which describes the mechanism and builds it, and the function `reference`, which computes the same
// in a different way for the tests. They are apart, so a program that runs no references links none. The words are in
// data/catalogue.
namespace attend {

// The reference of a mechanism, for tests.
Reference reference_of(const Mechanism& mechanism);

}  // namespace attend
