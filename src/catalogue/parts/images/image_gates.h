// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "catalogue/slots.h"

// Gates of the convolutional block attention module, Woo et al. 2018.
namespace attend {

// s = sigmoid(f(mean) + f(max)), f(z) = relu(z W1) W2, over the places: image [H W C] -> [1 C].
Var channel_gate(const Scope& in, Var image);
// M = sigmoid of a convolution over the mean and the largest channel: image [H W C], kernel [k k 2]
// -> [H W 1].
Var spatial_gate(const Scope& in, Var image);

// The same by plain loops, [1 C] and [H W], of an image [H W C].
Array channel_gate_by_loops(const Array& image, const Array& W1, const Array& W2);
Array spatial_gate_by_loops(const Array& image, const Array& kernel);

// An image [H W] as [H W 1].
Array coloured(Array image);

}  // namespace attend
