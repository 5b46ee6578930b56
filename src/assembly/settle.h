// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "catalogue/scope.h"

// How sizes and knobs get their values: a given knob has priority, then a given tensor, then the default.
namespace attend {

// The axes in front of a family's parameters: [hops] [heads].
Shape family_axes(const Family& family);

// Of "n | m n" the alternative that a tensor of shape `found` (behind `front`) fits; the first when
// none does.
std::string_view fitting(const Dimensions& dimensions, std::string_view shape, const Shape& front,
                         const Shape& found);
// The first alternative.
std::string_view first_of(std::string_view shape);

// Checks a given tensor's shape against a parameter's record and settles the symbols that are still
// free. Throws Error at `path` with the shape expected and the shape found.
void settle_shape(Dimensions& dimensions, const Parameter& parameter, const Shape& front,
                  const Shape& found, const std::string& path);

// Checks an input's shape against the role that it serves, as far as the sizes are known. Throws
// Error at `path`.
void check_role(const Dimensions& dimensions, const Role& role, const Shape& found,
                const std::string& path);

// Throws Error at `path` where a parameter's numbers have another shape.
void check_given_shape(const Shape& found, const Shape& expected, const std::string& path);

// Checks a given tensor when its parameter's shape is known, and that data such as draws keep their
// range: uniforms in [0, 1), subsets 0 or 1. Throws Error at `path`.
void check_given(const Parameter& parameter, const Tensor& tensor, const Shape& expected,
                 const std::string& path);

// Checks that a given tensor holds whole numbers from 0, below `bound`. Throws Error at `path`.
void check_indices(const Tensor& tensor, std::size_t bound, const std::string& path);

// The value of a knob. `given` may be null. A knob that sets a dimension sets it. Throws Error at
// `slot_path`/name.
KnobValue settle_knob(Dimensions& dimensions, const Knob& knob, const KnobValue* given,
                      const std::string& slot_path);

}  // namespace attend
