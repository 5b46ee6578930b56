// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

// A file that the page saved holds more than a document: the other side of a comparison (`compare`), what was looked at
// (`seen`) and weights (`weights`, base64 of each file by its name). Returns the document alone and keeps the weights
// for saved_weights; any other text comes back as it is. Throws attend::Error for text that is no JSON and for weights
// that are no base64.
std::string document_in(const std::string& text);

// The weights of that name in the file that was read last; null if it has none.
const std::string* saved_weights(const std::string& name);
