// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <emscripten/val.h>
#include <string>

EMSCRIPTEN_DECLARE_VAL_TYPE(Bytes)

// The bytes of a Uint8Array, copied once: embind's own way to a string copies half a gigabyte twice.
inline std::string bytes_of(const Bytes& array) {
  std::string bytes(static_cast<std::size_t>(array["length"].as<double>()), '\0');
  const auto* const first = reinterpret_cast<const std::uint8_t*>(bytes.data());
  emscripten::val(emscripten::typed_memory_view(bytes.size(), first)).call<void>("set", array);
  return bytes;
}
