// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "ops/intent.h"
#include "ops/primitive.h"

namespace attend::fused {

// Attention by features (features.h) as one node. In: q [.. m d], k [.. n d], v [.. n dv]; the drawn rows [.. r d] if
// the map has them; the gates [.. n 1] or [.. 1 1] if there are any. Leading extents are those of q, or broadcast to
// them. Out: [.. m dv], with one more column if rows are divided: by what.
extern const Primitive feature_attention;

// The delta rule on features (delta.h) as one node. In: q and k [.. n d], v [.. n dv], beta [.. n 1]. Out: [.. n dv].
extern const Primitive delta_attention;

// Attention by hashing (hashing.h) as one node. In: q [.. n d], v [.. n dv], the planes [.. rounds d buckets/2]. Out:
// [.. n dv + 2], with each row's largest score and the sum of its exponentials.
extern const Primitive hashed_attention;

// Of the node that an intent names.
Attributes form_attributes(const Intent& intent);

}  // namespace attend::fused
