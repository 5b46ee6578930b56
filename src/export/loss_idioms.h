// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/graph.h"
#include "ops/primitive.h"

namespace attend {

// The cross-entropy of each row [batch rows], of logits and right classes [batch rows classes]; the right classes may
// be printed as numbers of classes, too (ClassPrinter::special).
extern const Primitive row_cross_entropy;

// Steps that are torch.logsumexp, or F.cross_entropy of each row, become these. For graphs that are printed only.
void use_loss_idioms(Graph& graph);

}  // namespace attend
