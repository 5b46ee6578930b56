// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <emscripten/val.h>
#include <span>
#include <string>

#include "ops/error.h"

// A file: its bytes, or, where the host reads it by slices, its size and `read(first, count)`, which gives a slice, or
// null where the file cannot be read any more.
EMSCRIPTEN_DECLARE_VAL_TYPE(FileBytes)
inline constexpr const char* file_bytes_type =
    "Uint8Array | { size: number; read(first: number, count: number): Uint8Array | null }";

// Into memory of the module's own; `from` has as many bytes.
inline void copy_bytes(const emscripten::val& from, std::span<char> to) {
  const auto* const first = reinterpret_cast<const std::uint8_t*>(to.data());
  emscripten::val(emscripten::typed_memory_view(to.size(), first)).call<void>("set", from);
}

// All bytes of a file, each copied once: embind's own way to a string copies half a gigabyte twice, and the host of a
// large file holds no more than a slice.
inline std::string bytes_of(const FileBytes& file) {
  const bool whole = file["read"].isUndefined();
  std::string bytes(static_cast<std::size_t>(file[whole ? "length" : "size"].as<double>()), '\0');
  if (whole) {
    copy_bytes(file, bytes);
    return bytes;
  }
  constexpr std::size_t slice = std::size_t{1} << 24U;
  for (std::size_t first = 0; first < bytes.size(); first += slice) {
    const std::span<char> part =
        std::span<char>(bytes).subspan(first, std::min(slice, bytes.size() - first));
    const auto read = file.call<emscripten::val>("read", static_cast<double>(first),
                                                 static_cast<double>(part.size()));
    if (read.isNull() || read["length"].as<double>() != static_cast<double>(part.size()))
      attend::refuse(
          "", "the file of weights changed, or cannot be read, at byte " + std::to_string(first));
    copy_bytes(read, part);
  }
  return bytes;
}
