// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

#include "ops/shape.h"

namespace attend {

// Walks a result of shape `out` with N broadcast operands as runs along the innermost axes:
// adjacent axes that every operand walks alike are merged, so that equal shapes become one run.
// Calls run(out_offset, operand_offsets, length, operand_steps), a step being 0 (one value for the
// run) or the operand's stride.
template <std::size_t N, class Run>
void for_each_run(Extents out, const std::array<Extents, N>& operands, Run run) {
  struct Axis {
    std::size_t extent;
    std::array<std::size_t, N> step;
  };
  // Nothing is repeated, as for most nodes of a program: one run, without looking at the axes.
  bool alike = true;
  std::size_t all = 1;
  for (const Extents one : operands) alike = alike && one.size() == out.size();
  for (std::size_t i = 0; alike && i < out.size(); ++i) {
    for (const Extents one : operands) alike = alike && one[i] == out[i];
    all *= out[i];
  }
  if (alike) {
    std::array<std::size_t, N> single;
    single.fill(1);
    if (all > 0) run(0, std::array<std::size_t, N>{}, all, single);
    return;
  }
  std::array<Axis, max_rank> axes;
  std::size_t count = 0;  // of the merged axes
  std::array<Strides, N> strides;
  for (std::size_t k = 0; k < N; ++k) strides[k] = broadcast_strides(operands[k], out);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i] == 1) continue;
    Axis axis{out[i], {}};
    bool mergeable = count > 0;
    for (std::size_t k = 0; k < N; ++k) {
      axis.step[k] = strides[k][i];
      mergeable = mergeable && axes[count - 1].step[k] == axis.step[k] * axis.extent;
    }
    if (mergeable) {
      axis.extent *= axes[count - 1].extent;
      axes[count - 1] = axis;
    } else {
      axes[count++] = axis;
    }
  }
  if (element_count(out) == 0) return;
  if (count == 0) axes[count++] = {1, {}};
  const Axis inner = axes[--count];
  std::array<std::size_t, max_rank> counter{};
  std::array<std::size_t, N> offset{};
  for (std::size_t at = 0;; at += inner.extent) {
    run(at, offset, inner.extent, inner.step);
    std::size_t i = count;
    while (i > 0) {
      --i;
      for (std::size_t k = 0; k < N; ++k) offset[k] += axes[i].step[k];
      if (++counter[i] < axes[i].extent) break;
      for (std::size_t k = 0; k < N; ++k) offset[k] -= axes[i].step[k] * axes[i].extent;
      counter[i] = 0;
      if (i == 0) return;
    }
    if (count == 0) return;
  }
}

// Flat position in an operand of the cell at `flat` in the broadcast result.
std::size_t broadcast_position(std::size_t flat, Extents operand, Extents out);

}  // namespace attend
