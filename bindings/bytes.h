// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <emscripten/val.h>
#include <span>
#include <string>

EMSCRIPTEN_DECLARE_VAL_TYPE(Uint8Array)

// Into memory of the module's own; `from` has as many bytes.
inline void copy_bytes(const emscripten::val& from, std::span<char> to) {
  const auto* const first = reinterpret_cast<const std::uint8_t*>(to.data());
  emscripten::val(emscripten::typed_memory_view(to.size(), first)).call<void>("set", from);
}

inline std::string bytes_of(const Uint8Array& part) {
  std::string bytes(part["length"].as<std::size_t>(), '\0');
  copy_bytes(part, bytes);
  return bytes;
}
