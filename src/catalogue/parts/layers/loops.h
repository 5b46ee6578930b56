// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>

#include "catalogue/reference.h"

// What the references of layers share: tables by plain loops, none of it shared with a build.
namespace attend::loops {

using Allowed = std::function<bool(std::size_t i, std::size_t j)>;
bool everywhere(std::size_t i, std::size_t j);

Array product(const Array& x, const Array& W);       // [n d] [d p] -> [n p]
Array plus(Array x, const Array& y);                 // of one shape, or y one row for all
Array each(Array x, const std::string& activation);  // act(x)
Array part_of(const Array& family, std::size_t t);   // [h ..] -> [..]
Array standardised(Array x);                         // rows less their mean, by their spread
Array normed(const Array& x, const Array& gamma, const Array& beta);
Array beside(const Array& x, const Array& y);  // [n a] [n b] -> [n a+b]
Array below(const Array& x, const Array& y);   // [n d] [m d] -> [n+m d]

// softmax(scale Q K^T) V over the allowed pairs.
struct Seen {
  Array scores, weights, context;
};
Seen seen(const Array& q, const Array& k, const Array& v, double scale,
          const Allowed& allowed = everywhere);

// The same in every head, scaled by 1/sqrt(p): scores and weights [h m n], heads side by side.
struct HeadTables {
  const Array &W_Q, &W_K, &W_V;
};
Seen seen_in_heads(const Array& q, const Array& k, const HeadTables& maps,
                   const Allowed& allowed = everywhere);

// The Set Transformer's block; `weights` as above.
struct BlockSeen {
  Array weights, output;
};
BlockSeen block_by_loops(const ReferenceIn& in, const std::string& prefix, const Array& x,
                         const Array& y);

// A segment that sees itself and the memory in front of it, by relative places; the parameters as
// the module has them.
Seen segment_by_loops(const ReferenceIn& in, const Array& rows, const Array* memory);

}  // namespace attend::loops
