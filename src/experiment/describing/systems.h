// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "experiment/reading/document.h"

// The systems of the literature, one file each in systems/: paper, document, coordinates as printed. The
// build puts the files into the program; the page's module has none of them, the page reads them from
// its catalogue.
namespace attend {

// Every system as its file has it, and with `computed`, the coordinates of its document.
// Throws Error naming the file that is wrong.
const std::vector<Json>& all_systems();

// A document's coordinates in words, titles looked up.
Json worded_coordinates(const Document& document);

// The systems with exactly these coordinates, nearest first: those that share most mechanisms with the
// document. A list of {id, name, authors, year, link}.
Json systems_like(const Document& document);

}  // namespace attend
