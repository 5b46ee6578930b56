// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <initializer_list>

namespace attend {

// A list inside a record: constant data, so that a record costs no code. Its elements live as long
// as the namespace-scope record whose braces they stand in.
template <class T>
using List = std::initializer_list<T>;

}  // namespace attend
