// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "catalogue/tables.h"

// What the references of layers share; no build uses it.
namespace attend {

// The Set Transformer's block; `weights` [h m n].
struct BlockTables {
  Array weights, output;
};
BlockTables block_by_loops(const ReferenceIn& in, const std::string& prefix, const Array& x,
                           const Array& y);

// A segment that sees itself and the memory in front of it, by relative places; the parameters as
// the module has them.
AttentionTables segment_by_loops(const ReferenceIn& in, const Array& rows, const Array* memory);

}  // namespace attend
