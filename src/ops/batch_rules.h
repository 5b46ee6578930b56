// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/primitive.h"

// Rules for Primitive::batch. An operand that leads with the examples has axes of extent 1 put in
// behind them where its rank is lower than the result's, so that broadcasting, which goes by the
// right, still meets the right axes.
namespace attend::batch {

// Operand k; one that leads with the examples has at least `rank` axes behind them.
Var aligned(const Batch& b, std::size_t k, std::size_t rank);
// Operand k, repeated for every example if it does not lead with them.
Var spread(const Batch& b, std::size_t k);

// The result's shape, led by the examples.
Shape shape_of(const Batch& b);

// For operands that broadcast against one another, cell by cell or by their leading axes.
Var by_broadcasting(const Batch& b);
// The same where the first operand alone settles the shape (scores and their mask).
Var by_first(const Batch& b);
// Every operand leads with the examples, the attributes stay: right where they count axes from the
// end, or count none.
Var by_operands(const Batch& b);
// For everything: a node for each example, joined.
Var by_examples(const Batch& b);

}  // namespace attend::batch
