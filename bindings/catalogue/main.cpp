// SPDX-License-Identifier: Apache-2.0
// Prints the catalogue with its words: run once by the build, for the file beside the module.
#include <cstdio>

#include "experiment/service.h"

int main() { return std::puts(attend::catalogue_text().c_str()) < 0 ? 1 : 0; }
