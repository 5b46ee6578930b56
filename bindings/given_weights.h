// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "bindings/bytes.h"
#include "experiment/files/tensor_file.h"
#include "experiment/service.h"
#include "ops/error.h"

// A file on its way into the module, part after part: the host of a large one never holds it as a whole, and each byte
// is written once.
class FileRoom {
 public:
  // The file of `size` bytes, once it is whole; the part at 0 begins it anew. Throws Error where a part does not follow
  // the last one, or passes the end.
  std::optional<attend::HeldFile> put(const std::string& name, double size, double at,
                                      const Uint8Array& part) {
    if (at == 0) {
      bytes_.reset();  // before the next one takes as much memory
      size_ = static_cast<std::size_t>(size);
      bytes_ = std::make_shared_for_overwrite<char[]>(size_);
      name_ = name;
      filled_ = 0;
    }
    const auto count = part["length"].as<std::size_t>();
    if (!bytes_ || name != name_ || at != static_cast<double>(filled_) || count > size_ - filled_)
      attend::refuse("", "expected the bytes of \"" + name_ + "\" from " + std::to_string(filled_) +
                             " on, found " + std::to_string(count) + " of \"" + name + "\"");
    copy_bytes(part, std::span<char>(bytes_.get() + filled_, count));
    filled_ += count;
    if (filled_ < size_) return std::nullopt;
    filled_ = 0;
    return attend::HeldFile{std::exchange(bytes_, nullptr), size_};
  }

  // What came of a file that will not become whole.
  void leave(const std::string& name) {
    if (name == name_) bytes_.reset();
  }

 private:
  std::string name_;
  std::shared_ptr<char[]> bytes_;
  std::size_t size_ = 0, filled_ = 0;
};

// The one file that is on its way.
inline FileRoom& coming_weights() {
  static FileRoom room;
  return room;
}

// A file of weights, part by part in order, before a document whose parameters come from it: `at` is where the part
// begins in the file of `size` bytes. Nothing to answer, or an error.
inline std::string given_weights(const std::string& name, double size, double at,
                                 const Uint8Array& part) {
  return attend::answer([&] {
    if (const auto file = coming_weights().put(name, size, at, part))
      attend::give_parameters(name, *file);
    return std::string("{}");
  });
}

// Drops a file of weights that no document needs, whole or on its way.
inline void forget_weights(const std::string& name) {
  coming_weights().leave(name);
  attend::forget_parameters(name);
}
