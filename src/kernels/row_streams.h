// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

// How one row meets a matrix that the memory has to give (docs/adr/0102-one-row-in-one-stream.md).
namespace attend::kernels {

// The memory gives the most to a few streams far from each other, each read in one direction. One stream takes a third
// longer. Rows that follow each other and are read side by side take twice as long, as each soon jumps over the others.
inline constexpr std::size_t row_streams = 4;

// A matrix of fewer numbers (a megabyte of floats) comes from a cache, where one row after another is fast enough.
inline constexpr std::size_t streamed_from = std::size_t{1} << 18U;

// The width of a head in most models. Such a matrix is small; the streams are the matrices of several heads.
inline constexpr std::size_t head_columns = 64;

// So many rows of a head's matrix of bytes, two kilobytes, stay in the first-level cache while its columns go by.
inline constexpr std::size_t head_rows = 32;

// Four rows of bytes, each with a number of the row.
using FourRows = std::array<const std::int8_t*, row_streams>;

// How many rows of a matrix of floats, or of halves, each stream has. 0: its rows are read one after another.
constexpr std::size_t rows_of_stream(std::size_t rows, std::size_t columns) {
  return columns == head_columns || rows * columns < streamed_from ? 0 : rows / row_streams;
}

}  // namespace attend::kernels
